// The job that takes a picture out of the inbox: it moves the files to `filed/` or `refused/`, then places the picture on its product.
import type { Services } from '#platform/api/services.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import type { JobKind } from '#platform/jobs/jobs.server.ts';
import { placeOn } from '#core/catalog/product-pictures/places.server.ts';
import { movePictureFiles } from './picture-jobs.server.ts';

export const movePictureFilesJob = {
  ...movePictureFiles,
  concurrency: 2,
  run: async (services: Services, { pictureId }) => {
    const { db } = services.database;
    const picture = await db
      .selectFrom('picture')
      .select(['state', 'step'])
      .where('id', '=', pictureId)
      .executeTakeFirst();
    if (!picture || !(picture.step === 'File' || ['Filed', 'Removed', 'Refused'].includes(picture.state))) return;
    await moveFiles(services, pictureId, picture.state === 'Refused' ? 'refused' : 'filed');
    await inTransaction(db, async (trx) => {
      const now = await trx
        .selectFrom('picture')
        .select(['id', 'name', 'state', 'step', 'product_id'])
        .where('id', '=', pictureId)
        .forUpdate()
        .executeTakeFirst();
      if (!now || !['File', 'Refuse'].includes(now.step)) return;
      const files = now.step === 'File' && now.state === 'Uploaded' && now.product_id !== null;
      await trx
        .updateTable('picture')
        .set((eb) => ({
          step: '',
          version: eb('version', '+', 1),
          ...(files ? { state: 'Filed', problem: '', state_at: services.clock.now() } : {}),
        }))
        .where('id', '=', pictureId)
        .execute();
      if (!files || now.product_id === null) return;
      await placeOn(trx, pictureId, now.product_id);
      await recordChange(trx, null, { type: 'picture', id: pictureId, name: now.name, action: 'Create' });
    });
  },
} satisfies JobKind<typeof movePictureFiles.payload, Services>;

/** If a file is missing, a user or a job that was killed has already moved it. */
async function moveFiles(services: Services, pictureId: number, to: 'filed' | 'refused'): Promise<void> {
  const { db } = services.database;
  const sources = await db
    .selectFrom('picture_source')
    .select(['id', 'inbox_key'])
    .where('picture_id', '=', pictureId)
    .where('inbox_key', 'is not', null)
    .where('moved_to', '=', '')
    .execute();
  for (const { id, inbox_key } of sources) {
    if (inbox_key === null || !services.pictureInbox) continue;
    const movedTo = (await services.pictureInbox.move(inbox_key, to)) ?? to;
    await db.updateTable('picture_source').set({ moved_to: movedTo }).where('id', '=', id).execute();
  }
}

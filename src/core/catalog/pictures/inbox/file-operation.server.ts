// The actions on pictures in the inbox, one picture at a time: send to the cloud, assign, file, retry, refuse, restore, rotate.
import { type Selectable, sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import { notFound } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { Picture } from '#platform/db/tables.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import type { RecordAction } from '#platform/history/record-words.ts';
import { placeOn } from '#core/catalog/product-pictures/places.server.ts';
import { type ItemImageProcess, KEPT_DAYS, type PictureOperation } from '../pictures.contract.ts';
import { matchName } from './match-picture.server.ts';
import { checkPicture, movePictureFiles, uploadPicture } from './picture-jobs.server.ts';

type Context = { db: Db; services: Services; user: Caller };
type Row = Selectable<Picture>;
type Change = Partial<{
  state: string;
  step: string;
  problem: string;
  match: string;
  product_id: number | null;
  candidate_ids: number[];
  turns: number;
  tries: number;
}>;

/** Explains why an action cannot apply to one picture. The others continue. */
class NotNow extends Error {}

/** Applies one action to each picture, in the order of their ids, so that two users do not deadlock. */
export async function fileOperation(
  context: Context,
  { ids, operation, productId }: ParsedInputOf<(typeof ItemImageProcess)['FileOperation']>,
): Promise<OutputOf<(typeof ItemImageProcess)['FileOperation']>> {
  const target = productId ? await standingProduct(context.db, productId) : null;
  const pictures = new Map((await lockPictures(context.db, ids)).map((picture) => [picture.id, picture]));
  const results = [];
  for (const id of new Set(ids)) {
    const picture = pictures.get(id);
    try {
      if (!picture) throw new NotNow('This picture does not exist.');
      await OPERATIONS[operation](context, picture, target);
      results.push({ id, ok: true, problem: '' });
    } catch (error) {
      if (!(error instanceof NotNow)) throw error;
      results.push({ id, ok: false, problem: error.message });
    }
  }
  return { results };
}

/**
 * Queues pictures for the cloud: waiting ones, and stored ones that are not in the cloud. Without ids it matches pictures again and queues all
 * waiting ones with a known product.
 */
export async function uploadToCloud(
  { db, services }: Context,
  ids: number[] | null | undefined,
): Promise<OutputOf<(typeof ItemImageProcess)['UploadImagesToCloud']>> {
  const waiting = await db
    .selectFrom('picture')
    .selectAll()
    .$if(ids !== null && ids !== undefined, (query) => query.where('id', 'in', ids?.length ? ids : [0]))
    .$if(!ids, (query) => query.where('state', 'in', ['Waiting', 'Failed']))
    .orderBy('id')
    .forUpdate()
    .execute();
  const problems: { id: number; problem: string }[] = [];
  let queued = 0;
  for (const picture of waiting) {
    try {
      await startUpload({ db, services }, picture);
      queued++;
    } catch (error) {
      if (!(error instanceof NotNow)) throw error;
      problems.push({ id: picture.id, problem: error.message });
    }
  }
  const missing = new Set(ids ?? []).size - (ids ? waiting.length : 0);
  return { queued, skipped: problems.length + Math.max(0, missing), problems: ids ? problems.slice(0, 200) : [] };
}

async function startUpload({ db, services }: Pick<Context, 'db' | 'services'>, picture: Row): Promise<void> {
  if (picture.state === 'Failed') {
    await changePicture({ db, services }, picture, { state: 'Uploading', step: 'Upload', problem: '', tries: 0 });
    await services.jobs.send(db, uploadPicture, { pictureId: picture.id });
    return;
  }
  if (
    (picture.state === 'Uploaded' || picture.state === 'Filed') &&
    services.pictureCloud &&
    picture.cloud_id === null
  ) {
    if (picture.step !== '') throw new NotNow('This picture is being processed. Try again in a moment.');
    await changePicture({ db, services }, picture, { step: 'Upload', problem: '', tries: 0 });
    await services.jobs.send(db, uploadPicture, { pictureId: picture.id });
    return;
  }
  if (picture.state !== 'Waiting') throw new NotNow(`This picture is ${WORDS[picture.state] ?? picture.state}.`);
  if (picture.step === 'Check') throw new NotNow('This picture is still being checked.');
  const result = picture.product_id === null ? await matchName(db, picture.name) : null;
  const productId = picture.product_id ?? result?.productId ?? null;
  if (productId === null) throw new NotNow(result?.problem || 'Choose its product first.');
  await changePicture({ db, services }, picture, {
    state: 'Uploading',
    step: 'Upload',
    problem: '',
    tries: 0,
    match: 'matched',
    product_id: productId,
  });
  await services.jobs.send(db, uploadPicture, { pictureId: picture.id });
}

const WORDS: Record<string, string> = {
  Waiting: 'still waiting: upload it to the cloud first',
  Uploading: 'on its way to the cloud',
  Uploaded: 'already in the cloud',
  Failed: 'not in the cloud: its upload failed',
  Filed: 'already filed',
  Removed: 'removed: restore it first',
  Refused: 'refused: restore it first',
};
const notNow = ({ state }: Row) => new NotNow(`This picture is ${WORDS[state] ?? state}.`);

const OPERATIONS: Record<
  PictureOperation,
  (context: Context, picture: Row, productId: number | null) => Promise<void>
> = {
  assign: async (context, picture, productId) => {
    if (productId === null || picture.state === 'Removed' || picture.state === 'Refused') throw notNow(picture);
    if (picture.state === 'Filed') {
      // A picture may have a place on several products.
      await placeOn(context.db, picture.id, productId);
      await record(context, picture, 'Move');
      return;
    }
    await changePicture(context, picture, { product_id: productId, match: 'matched', problem: '' });
  },
  file: async (context, picture) => {
    if (picture.state !== 'Uploaded') throw notNow(picture);
    if (picture.step === 'Check') throw new NotNow('This picture is still being rotated.');
    if (picture.step === 'Upload') throw new NotNow('This picture is being uploaded to the cloud again.');
    if (picture.product_id === null) throw new NotNow('Choose its product first.');
    await changePicture(context, picture, { step: 'File' });
    await context.services.jobs.send(context.db, movePictureFiles, { pictureId: picture.id });
  },
  retry: async (context, picture) => {
    const { db, services } = context;
    // Repeat only what a lost job would have done. A job that still runs finds the work done, or does it once.
    if (picture.step === 'Check') return services.jobs.send(db, checkPicture, { pictureId: picture.id });
    if (picture.step === 'File' || picture.step === 'Refuse')
      return services.jobs.send(db, movePictureFiles, { pictureId: picture.id });
    if (picture.state === 'Failed') return startUpload(context, picture);
    if (picture.step === 'Upload') return services.jobs.send(db, uploadPicture, { pictureId: picture.id });
    if (picture.state !== 'Waiting') throw notNow(picture);
    const result = await matchName(db, picture.name);
    if (result.match !== 'matched' && picture.product_id !== null) return;
    await changePicture(context, picture, {
      match: result.match,
      product_id: result.productId,
      candidate_ids: result.candidateIds,
      problem: result.problem,
    });
  },
  refuse: async (context, picture) => {
    if (picture.state !== 'Waiting') throw notNow(picture);
    await changePicture(context, picture, {
      state: 'Refused',
      step: 'Refuse',
      problem: `${context.user.fullName} refused it.`,
    });
    await context.services.jobs.send(context.db, movePictureFiles, { pictureId: picture.id });
    await record(context, picture, 'Refuse');
  },
  restore: async (context, picture) => {
    const { db, services } = context;
    if (picture.state === 'Refused') {
      if (picture.file_id === null) throw new NotNow('This file was refused without being read. Upload it again.');
      const result = await matchName(db, picture.name);
      await changePicture(context, picture, {
        state: 'Waiting',
        step: 'Check',
        match: picture.product_id === null ? result.match : 'matched',
        product_id: picture.product_id ?? result.productId,
        candidate_ids: result.candidateIds,
        problem: picture.product_id === null ? result.problem : '',
      });
      await services.jobs.send(db, checkPicture, { pictureId: picture.id });
    } else {
      const { numUpdatedRows } = await db
        .updateTable('product_image')
        .set((eb) => ({ removed_at: null, version: eb('version', '+', 1) }))
        .where('picture_id', '=', picture.id)
        .where('removed_at', '>', sql<string>`${services.clock.now()}::timestamptz - ${KEPT_DAYS} * interval '1 day'`)
        .executeTakeFirst();
      if (picture.state === 'Filed' ? numUpdatedRows === 0n : picture.state !== 'Removed') throw notNow(picture);
      if (picture.state === 'Removed') await changePicture(context, picture, { state: 'Filed' });
    }
    await record(context, picture, 'Restore');
  },
  rotate: async (context, picture) => {
    if (['Removed', 'Refused'].includes(picture.state)) throw notNow(picture);
    if (picture.step !== '' && picture.step !== 'Check')
      throw new NotNow('This picture is being processed. Rotate it in a moment.');
    if (picture.file_id === null) throw notNow(picture);
    await changePicture(context, picture, { turns: (picture.turns + 1) % 4, step: 'Check' });
    await context.services.jobs.send(context.db, checkPicture, { pictureId: picture.id });
  },
};

async function changePicture(
  { db, services }: Pick<Context, 'db' | 'services'>,
  picture: Row,
  values: Change,
): Promise<void> {
  const moves = values.state !== undefined && values.state !== picture.state;
  await db
    .updateTable('picture')
    .set((eb) => ({
      ...values,
      version: eb('version', '+', 1),
      ...(moves ? { state_at: services.clock.now() } : {}),
    }))
    .where('id', '=', picture.id)
    .execute();
}

function record({ db, user }: Context, { id, name, version }: Row, action: RecordAction): Promise<void> {
  return recordChange(db, user, { type: 'picture', id, name, action, version: version + 1 });
}

function lockPictures(db: Db, ids: readonly number[]): Promise<Row[]> {
  return db
    .selectFrom('picture')
    .selectAll()
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** The product, or the one that it was merged into. The lock prevents a merge before the pictures are assigned. */
async function standingProduct(db: Db, id: number): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`select coalesce(merged_into, id) as id from product where id = ${id} for key share`.execute(db);
  const [product] = rows;
  if (!product) throw notFound('product');
  return product.id;
}

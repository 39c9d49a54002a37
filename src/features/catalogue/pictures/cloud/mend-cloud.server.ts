// Fixes differences between the cloud and our records: uploads again, copies a cloud file into the inbox, or deletes one from the cloud.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { OutputOf, ParsedInputOf } from '#api/endpoint.ts';
import { HttpError } from '#api/http-error.ts';
import type { Caller, Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { inTransaction } from '#db/transaction.server.ts';
import { GivenUp, type JobKind } from '#jobs/jobs.server.ts';
import { CloudError } from '#outside/picture-cloud.server.ts';
import { uploadPicture } from '../inbox/picture-jobs.server.ts';
import { takePicture } from '../inbox/take-picture.server.ts';
import { LARGEST_PICTURE, TOO_LARGE } from '../renditions/picture-limits.server.ts';
import { mendCloudFile } from './cloud-jobs.server.ts';
import type { ItemImageCloud } from './cloud.contract.ts';

type Call = typeof ItemImageCloud.MendCloud;
type Context = { db: Db; services: Services; user: Caller };
type Answer = OutputOf<Call>;

const KNOWN = 'This file belongs to a picture we know. Remove the picture instead.';

export async function mendCloud(
  context: Context,
  { mend, pictureIds, cloudIds }: ParsedInputOf<Call>,
): Promise<Answer> {
  if (!context.services.pictureCloud) throw new HttpError(409, 'No Cloudinary is connected.');
  return mend === 'upload' ? uploadAgain(context, pictureIds) : queueFiles(context, mend, cloudIds);
}

async function uploadAgain({ db, services }: Context, ids: number[]): Promise<Answer> {
  const pictures = await db
    .selectFrom('picture')
    .leftJoin('cloud_picture', 'cloud_picture.cloud_id', 'picture.cloud_id')
    .select(['picture.id', 'picture.name', 'state', 'picture.step', 'cloud_picture.cloud_id as there'])
    .where('picture.id', 'in', [...new Set(ids)])
    .orderBy('picture.id')
    .forUpdate('picture')
    .execute();
  const problems: Answer['problems'] = [];
  let queued = 0;
  for (const { id, name, state, step, there } of pictures) {
    if (there !== null) problems.push({ name, problem: 'This picture is in the cloud already.' });
    else if (state !== 'Filed' && state !== 'Uploaded')
      problems.push({ name, problem: 'This picture is still in the inbox. Send it to the cloud from there.' });
    else if (step !== '') problems.push({ name, problem: 'This picture is being worked on. Try again in a moment.' });
    else {
      await db
        .updateTable('picture')
        .set((eb) => ({ step: 'Upload', problem: '', tries: 0, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute();
      await services.jobs.send(db, uploadPicture, { pictureId: id });
      queued++;
    }
  }
  const gone = new Set(ids).size - pictures.length;
  for (let n = 0; n < gone; n++) problems.push({ name: 'One', problem: 'This picture does not exist.' });
  return { queued, problems };
}

async function queueFiles({ db, services, user }: Context, mend: 'takeIn' | 'remove', ids: string[]): Promise<Answer> {
  const problems: Answer['problems'] = [];
  let queued = 0;
  for (const cloudId of [...new Set(ids)].toSorted()) {
    const file = await db
      .selectFrom('cloud_picture')
      .selectAll()
      .where('cloud_id', '=', cloudId)
      .forUpdate()
      .executeTakeFirst();
    if (!file) problems.push({ name: cloudId, problem: 'The cloud did not have this file when it was last compared.' });
    else if (await isKnown(db, cloudId)) problems.push({ name: cloudId, problem: KNOWN });
    else if (mend === 'takeIn' && file.size > LARGEST_PICTURE) problems.push({ name: cloudId, problem: TOO_LARGE });
    else {
      await db
        .updateTable('cloud_picture')
        .set({ step: mend === 'takeIn' ? 'TakeIn' : 'Remove', problem: '', asked_by: user.id })
        .where('cloud_id', '=', cloudId)
        .execute();
      await services.jobs.send(db, mendCloudFile, { cloudId });
      queued++;
    }
  }
  return { queued, problems };
}

async function isKnown(db: Db, cloudId: string): Promise<boolean> {
  const found = await db
    .selectFrom('picture')
    .select('id')
    .where((eb) => eb.or([eb('cloud_id', '=', cloudId), eb('sha256', '=', cloudId)]))
    .executeTakeFirst();
  return found !== undefined;
}

export const mendCloudFileJob = {
  ...mendCloudFile,
  concurrency: 2,
  run: async (services: Services, { cloudId }) => {
    const { db } = services.database;
    const file = await db.selectFrom('cloud_picture').selectAll().where('cloud_id', '=', cloudId).executeTakeFirst();
    if (!file || file.step === '' || !services.pictureCloud) return;
    try {
      if (file.step === 'TakeIn') await end(db, cloudId, await takeIn(services, file));
      else if (await isKnown(db, cloudId)) await end(db, cloudId, KNOWN);
      else {
        await services.pictureCloud.destroy(cloudId);
        await db.deleteFrom('cloud_picture').where('cloud_id', '=', cloudId).execute();
      }
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      await db
        .updateTable('cloud_picture')
        .set(
          error.passing
            ? { problem: `${error.message} It will be tried again automatically.` }
            : { problem: error.message, step: '' },
        )
        .where('cloud_id', '=', cloudId)
        .execute();
      throw error.passing ? error : new GivenUp(error.message, { cause: error });
    }
  },
} satisfies JobKind<typeof mendCloudFile.payload, Services>;

async function end(db: Db, cloudId: string, problem: string): Promise<void> {
  await db.updateTable('cloud_picture').set({ step: '', problem }).where('cloud_id', '=', cloudId).execute();
}

type File = {
  cloud_id: string;
  size: number;
  format: string;
  asked_by: number | null;
  asked_by_key: number | null;
};

/** Returns a message about the file; '' if it is in the inbox. The picture keeps its place in the cloud: nothing is stored there twice. */
async function takeIn(services: Services, { cloud_id, size, format, asked_by, asked_by_key }: File): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'cloud-'));
  try {
    const to = path.join(folder, 'file');
    await services.pictureCloud?.fetch({ cloudId: cloud_id, size, format }, to);
    const name = format ? `${cloud_id}.${format}` : cloud_id;
    const by = asked_by === null ? null : { id: asked_by, ...(asked_by_key ? { keyId: asked_by_key } : {}) };
    const taken = await takePicture(services, { path: to, name, by });
    if (taken.outcome === 'refused' || taken.pictureId === null) return taken.message;
    return await inTransaction(services.database.db, async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('picture')
        .set({ cloud_id, cloud_at: services.clock.now() })
        .where('id', '=', taken.pictureId)
        .where((eb) => eb.or([eb('cloud_id', 'is', null), eb('cloud_id', '=', cloud_id)]))
        .executeTakeFirst();
      return numUpdatedRows > 0n ? '' : `${taken.message} It is in the cloud twice; this copy can be removed.`;
    });
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

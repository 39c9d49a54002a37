// The job that stores a picture in the cloud; without a cloud, the file store takes its place.
import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import { GivenUp, type JobKind } from '#platform/jobs/jobs.server.ts';
import { FileMissingError } from '#platform/outside/file-store.server.ts';
import { CloudError } from '#platform/outside/picture-cloud.server.ts';
import { uploadPicture } from '../inbox/picture-jobs.server.ts';

const AGAIN = 'It will be retried automatically.';

export const uploadPictureJob = {
  ...uploadPicture,
  concurrency: 2,
  run: async (services: Services, { pictureId }) => {
    const { db } = services.database;
    const picture = await db
      .updateTable('picture')
      .from('file')
      .set((eb) => ({
        // A picture that was stored only here keeps its state in the meantime: filed, or ready to be filed.
        state: sql<string>`case state when 'Failed' then 'Uploading' else state end`,
        tries: eb('tries', '+', 1),
        version: eb('picture.version', '+', 1),
      }))
      .whereRef('file.id', '=', 'picture.file_id')
      .where('picture.id', '=', pictureId)
      .where('step', '=', 'Upload')
      .returning(['picture.id', 'sha256', 'cloud_id', 'storage_key'])
      .executeTakeFirst();
    // The step is no longer Upload, for example because another process took it first.
    if (!picture) return;
    try {
      // A picture keeps its name in the cloud.
      const cloudId = picture.cloud_id ?? picture.sha256 ?? `picture-${picture.id}`;
      await sendPicture(services, picture.storage_key, cloudId);
      const now = services.clock.now();
      await db
        .updateTable('picture')
        .set((eb) => ({
          state: sql<string>`case state when 'Uploading' then 'Uploaded' else state end`,
          state_at: sql<string>`case state when 'Uploading' then ${now}::timestamptz else state_at end`,
          step: '',
          problem: '',
          version: eb('version', '+', 1),
          ...(services.pictureCloud ? { cloud_id: cloudId, cloud_at: now } : {}),
        }))
        .where('id', '=', pictureId)
        .where('step', '=', 'Upload')
        .execute();
    } catch (error) {
      const lost = error instanceof FileMissingError;
      const passing = error instanceof CloudError ? error.passing : !lost;
      const words = lost
        ? 'The file store has lost this picture. Upload it again.'
        : error instanceof CloudError
          ? error.message
          : 'The file store is not responding.';
      await db
        .updateTable('picture')
        .set((eb) => ({
          state: sql<string>`case state when 'Uploading' then 'Failed' else state end`,
          state_at: sql<string>`case state when 'Uploading' then ${services.clock.now()}::timestamptz else state_at end`,
          step: passing ? 'Upload' : '',
          problem: passing ? `${words} ${AGAIN}` : words,
          version: eb('version', '+', 1),
        }))
        .where('id', '=', pictureId)
        .where('step', '=', 'Upload')
        .execute();
      throw passing ? error : new GivenUp(words, { cause: error });
    }
  },
} satisfies JobKind<typeof uploadPicture.payload, Services>;

async function sendPicture(services: Services, key: string, cloudId: string): Promise<void> {
  const content = await services.files.open(key);
  if (!services.pictureCloud) {
    // The file exists. Its content was read when its sizes were made.
    content.destroy();
    return;
  }
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'picture-'));
  try {
    const file = path.join(folder, 'original');
    await pipeline(content, createWriteStream(file));
    await services.pictureCloud.upload(cloudId, file);
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

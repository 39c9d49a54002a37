// The job that makes the sizes of a picture, or refuses it with a reason.
import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import type { JobKind } from '#platform/jobs/jobs.server.ts';
import { FileMissingError } from '#platform/outside/file-store.server.ts';
import { checkPicture, movePictureFiles } from '../inbox/picture-jobs.server.ts';
import type { Rendered, Rendition } from './render-picture.server.ts';
import { DECODERS, renderPicture } from './renditions.server.ts';

const LOST = 'The file store has lost this picture. Upload it again.';
const RENDITIONS: Record<Rendition, { label: string; mediaType: string }> = {
  thumb: { label: '160.webp', mediaType: 'image/webp' },
  medium: { label: '640.webp', mediaType: 'image/webp' },
  large: { label: '1600.webp', mediaType: 'image/webp' },
  print: { label: 'print.jpg', mediaType: 'image/jpeg' },
};

export const checkPictureJob = {
  ...checkPicture,
  concurrency: DECODERS,
  run: async (services: Services, { pictureId }) => {
    const picture = await services.database.db
      .selectFrom('picture')
      .leftJoin('file', 'file.id', 'picture.file_id')
      .select(['picture.id', 'picture.step', 'picture.turns', 'picture.name', 'file.storage_key'])
      .where('picture.id', '=', pictureId)
      .executeTakeFirst();
    if (picture?.step !== 'Check') return;
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'picture-'));
    try {
      const rendered = await rendering(services, picture, folder);
      const stored = 'refused' in rendered ? null : await storeFiles(services, rendered.files);
      const taken = await inTransaction(services.database.db, (db) =>
        keepCheck(services, db, picture, rendered, stored),
      );
      // In the meantime a user rotated it, or another worker was first.
      if (!taken && stored) for (const { key } of Object.values(stored)) await services.files.remove(key);
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  },
} satisfies JobKind<typeof checkPicture.payload, Services>;

type Picture = { id: number; turns: number; name: string; storage_key: string | null };

async function rendering(services: Services, picture: Picture, folder: string): Promise<Rendered> {
  if (picture.storage_key === null) return { refused: LOST };
  const file = path.join(folder, 'original');
  try {
    await pipeline(await services.files.open(picture.storage_key), createWriteStream(file));
  } catch (error) {
    if (error instanceof FileMissingError) return { refused: LOST };
    throw error;
  }
  return renderPicture({ file, folder, turns: picture.turns });
}

/** The bytes of a picture's sizes in the file store. */
export type Stored = Record<Rendition, { key: string; size: number }>;

export async function storeFiles(
  { files }: Pick<Services, 'files'>,
  created: Record<Rendition, string>,
): Promise<Stored> {
  const store = async (rendition: Rendition) => ({
    key: await files.putFile(created[rendition]),
    size: (await fs.stat(created[rendition])).size,
  });
  const [thumb, medium, large, print] = await Promise.all([
    store('thumb'),
    store('medium'),
    store('large'),
    store('print'),
  ]);
  return { thumb, medium, large, print };
}

/** Creates a file for each size of a picture with this name; returns their ids. */
export async function fileSizes(db: Db, name: string, stored: Stored): Promise<Record<Rendition, number>> {
  const ids = { thumb: 0, medium: 0, large: 0, print: 0 };
  for (const [rendition, { key, size }] of Object.entries(stored) as [Rendition, Stored[Rendition]][]) {
    const { label, mediaType } = RENDITIONS[rendition];
    const { id } = await db
      .insertInto('file')
      .values({ storage_key: key, name: `${path.parse(name).name} ${label}`, media_type: mediaType, size })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids[rendition] = id;
  }
  return ids;
}

/** Writes the result of the check. Returns false if the picture has changed since it was read. */
async function keepCheck(services: Services, db: Db, was: Picture, rendered: Rendered, stored: Stored | null) {
  const picture = await db
    .selectFrom('picture')
    .select(['state', 'step', 'turns', 'match'])
    .where('id', '=', was.id)
    .forUpdate()
    .executeTakeFirst();
  if (picture?.step !== 'Check' || picture.turns !== was.turns) return false;
  const change = db.updateTable('picture').where('id', '=', was.id);
  if ('refused' in rendered) {
    const waits = picture.state === 'Waiting';
    await change
      .set((eb) => ({
        problem: rendered.refused,
        step: waits ? 'Refuse' : '',
        version: eb('version', '+', 1),
        ...(waits ? { state: 'Refused', state_at: services.clock.now() } : {}),
      }))
      .execute();
    if (waits) await services.jobs.send(db, movePictureFiles, { pictureId: was.id });
    return true;
  }
  if (!stored) return false;
  const ids = await fileSizes(db, was.name, stored);
  await change
    .set((eb) => ({
      step: '',
      width: rendered.width,
      height: rendered.height,
      thumb_file_id: ids.thumb,
      medium_file_id: ids.medium,
      large_file_id: ids.large,
      print_file_id: ids.print,
      version: eb('version', '+', 1),
    }))
    .execute();
  await db
    .updateTable('product_image')
    .set({ file_id: ids.medium, thumb_file_id: ids.thumb })
    .where('picture_id', '=', was.id)
    .execute();
  return true;
}

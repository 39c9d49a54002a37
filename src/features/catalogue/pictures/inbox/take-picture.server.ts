// Takes a file into the inbox of pictures: the same bytes are one picture, however often they come.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { inTransaction } from '#db/transaction.server.ts';
import type { UploadOutcome } from '../pictures.contract.ts';
import { HEAD_SIZE, LARGEST_PICTURE, pictureKind, TOO_LARGE } from '../renditions/picture-kinds.ts';
import { matchName } from './match-picture.server.ts';
import { checkPicture, movePictureFiles } from './picture-jobs.ts';

export type Taken = {
  /** On the disk. */
  path: string;
  name: string;
  by: number | null;
  /** A file of the watched inbox, which is noted whatever becomes of it. */
  inbox?: { key: string; stamp: string };
};

/** What became of a file. A file that is no picture is refused at once; damage is found when its sizes are made. */
export async function takePicture(services: Services, taken: Taken): Promise<UploadOutcome> {
  const name = taken.name.split(/[/\\]/).at(-1)?.slice(-200) || 'picture';
  const { size } = await fs.stat(taken.path);
  const kind = size > LARGEST_PICTURE ? { refused: TOO_LARGE } : pictureKind(await headOf(taken.path));
  if ('refused' in kind) {
    const pictureId = taken.inbox ? await noteRefused(services, { ...taken, name }, size, kind.refused) : null;
    return { name, outcome: 'refused', pictureId, message: kind.refused };
  }
  const sha256 = await shaOf(taken.path);
  const known = await inTransaction(services.database.db, (db) => noteKnown(services, db, { ...taken, name }, sha256));
  if (known) return { name, ...known };
  const key = await services.files.putFile(taken.path);
  const made = await inTransaction(services.database.db, async (db) => {
    const again = await noteKnown(services, db, { ...taken, name }, sha256);
    if (again) return again;
    const file = await db
      .insertInto('file')
      .values({ storage_key: key, name, media_type: kind.mediaType, size })
      .returning('id')
      .executeTakeFirstOrThrow();
    const found = await matchName(db, name);
    const picture = await db
      .insertInto('picture')
      .values({
        sha256,
        name,
        media_type: kind.mediaType,
        size,
        file_id: file.id,
        match: found.match,
        product_id: found.productId,
        candidate_ids: found.candidateIds,
        problem: found.problem,
        created_by: taken.by,
      })
      .onConflict((conflict) => conflict.column('sha256').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!picture) {
      await db.deleteFrom('file').where('id', '=', file.id).execute();
      return noteKnown(services, db, { ...taken, name }, sha256);
    }
    await addSource(db, picture.id, { ...taken, name });
    await services.jobs.send(db, checkPicture, { pictureId: picture.id });
    return { outcome: 'new' as const, pictureId: picture.id, message: found.problem };
  });
  if (made?.outcome !== 'new') await services.files.remove(key);
  if (!made) throw new Error(`picture ${sha256} came and went`);
  return { name, ...made };
}

/** A picture that is here already: its new name is noted, and may say where it goes when the first one did not. */
async function noteKnown(
  services: Services,
  db: Db,
  taken: Taken,
  sha256: string,
): Promise<Omit<UploadOutcome, 'name'> | null> {
  const picture = await db
    .selectFrom('picture')
    .select(['id', 'state', 'match', 'name', 'problem'])
    .where('sha256', '=', sha256)
    .forUpdate()
    .executeTakeFirst();
  if (!picture) return null;
  await addSource(db, picture.id, taken);
  // Its fate is decided: the file follows the ones before it.
  if (taken.inbox && ['Filed', 'Removed', 'Refused'].includes(picture.state))
    await services.jobs.send(db, movePictureFiles, { pictureId: picture.id });
  const answer = { outcome: 'known' as const, pictureId: picture.id };
  if (picture.state === 'Refused') return { ...answer, message: `This picture was refused before: ${picture.problem}` };
  if (picture.state === 'Removed')
    return { ...answer, message: 'This picture was removed. Bring it back among the removed ones.' };
  if (picture.state === 'Waiting' && picture.match !== 'matched') {
    const found = await matchName(db, taken.name);
    if (found.match === 'matched') {
      await db
        .updateTable('picture')
        .set((eb) => ({
          match: found.match,
          product_id: found.productId,
          candidate_ids: found.candidateIds,
          problem: '',
          version: eb('version', '+', 1),
        }))
        .where('id', '=', picture.id)
        .execute();
    }
  }
  return { ...answer, message: `This picture is here already, as ${picture.name}.` };
}

/** Notes a file that cannot be read as a picture, so that somebody sees why it left the inbox. */
async function noteRefused(services: Services, taken: Taken, size: number, problem: string): Promise<number> {
  return inTransaction(services.database.db, async (db) => {
    const { id } = await db
      .insertInto('picture')
      .values({
        name: taken.name,
        size: Math.min(size, 2_147_483_647),
        state: 'Refused',
        step: 'Refuse',
        problem,
        created_by: taken.by,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await addSource(db, id, taken);
    await services.jobs.send(db, movePictureFiles, { pictureId: id });
    return id;
  });
}

async function addSource(db: Db, pictureId: number, { name, inbox }: Taken): Promise<void> {
  const row = { picture_id: pictureId, name, inbox_key: inbox?.key ?? null, inbox_stamp: inbox?.stamp ?? '' };
  if (inbox) {
    await db
      .insertInto('picture_source')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return;
  }
  const there = db
    .selectFrom('picture_source')
    .select('id')
    .where('picture_id', '=', pictureId)
    .where('name', '=', name);
  if (!(await there.executeTakeFirst())) await db.insertInto('picture_source').values(row).execute();
}

async function headOf(path: string): Promise<Uint8Array> {
  const file = await fs.open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_SIZE), 0, HEAD_SIZE, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function shaOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

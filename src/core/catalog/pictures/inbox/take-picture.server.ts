// Imports a file into the inbox of pictures. Files with the same bytes are one picture, however often they arrive.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { actByKey } from '#platform/db/acting-key.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import type { UploadOutcome } from '../pictures.contract.ts';
import { HEAD_SIZE, LARGEST_PICTURE, pictureKind, TOO_LARGE } from '../renditions/picture-limits.server.ts';
import { matchName } from './match-picture.server.ts';
import { checkPicture, movePictureFiles } from './picture-jobs.server.ts';

export type Taken = {
  /** The path on the disk. */
  path: string;
  name: string;
  by: Pick<Caller, 'id' | 'keyId'> | null;
  /** A file of the watched inbox. It is recorded whatever its result. */
  inbox?: { key: string; stamp: string };
};

type TakenFile = Taken & { size: number };

/** Returns the result for a file. Refuses a file at once if it is not a picture. The job that makes its sizes detects damage. */
export async function takePicture(services: Services, taken: Taken): Promise<UploadOutcome> {
  const name = taken.name.split(/[/\\]/).at(-1)?.slice(-200) || 'picture';
  const { size } = await fs.stat(taken.path);
  const file: TakenFile = { ...taken, name, size };
  const kind = size > LARGEST_PICTURE ? { refused: TOO_LARGE } : pictureKind(await headOf(taken.path));
  if ('refused' in kind) {
    const pictureId = taken.inbox
      ? await inTransaction(services.database.db, (db) => noteRefused(services, db, file, kind.refused))
      : null;
    return { name, outcome: 'refused', pictureId, message: kind.refused };
  }
  const sha256 = await shaOf(taken.path);
  const known = await inTransaction(services.database.db, (db) => noteKnown(services, db, file, sha256));
  if (known) return { name, ...known };
  const key = await services.files.putFile(taken.path);
  const created = await inTransaction(services.database.db, async (db) => {
    await actByKey(db, taken.by?.keyId);
    const again = await noteKnown(services, db, file, sha256);
    if (again) return again;
    const stored = await db
      .insertInto('file')
      .values({ storage_key: key, name, media_type: kind.mediaType, size })
      .returning('id')
      .executeTakeFirstOrThrow();
    const result = await matchName(db, name);
    const picture = await db
      .insertInto('picture')
      .values({
        sha256,
        name,
        media_type: kind.mediaType,
        size,
        file_id: stored.id,
        match: result.match,
        product_id: result.productId,
        candidate_ids: result.candidateIds,
        problem: result.problem,
        created_by: taken.by?.id ?? null,
      })
      .onConflict((conflict) => conflict.column('sha256').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!picture) {
      await db.deleteFrom('file').where('id', '=', stored.id).execute();
      return noteKnown(services, db, file, sha256);
    }
    await addSource(db, picture.id, file);
    await services.jobs.send(db, checkPicture, { pictureId: picture.id });
    return { outcome: 'new' as const, pictureId: picture.id, message: result.problem };
  });
  if (created?.outcome !== 'new') await services.files.remove(key);
  if (!created) throw new Error(`picture ${sha256} came and went`);
  return { name, ...created };
}

/** Records the new name of an existing picture; the name may decide the product if the first name did not. */
async function noteKnown(
  services: Services,
  db: Db,
  taken: TakenFile,
  sha256: string,
): Promise<Omit<UploadOutcome, 'name'> | null> {
  const picture = await db
    .selectFrom('picture')
    .select(['id', 'state', 'match', 'name', 'problem', 'product_id'])
    .where('sha256', '=', sha256)
    .forUpdate()
    .executeTakeFirst();
  if (!picture) return null;
  const elsewhere = await whyElsewhere(db, picture, taken.name);
  if (elsewhere !== '') {
    if (taken.inbox) await noteRefused(services, db, taken, elsewhere);
    return { outcome: taken.inbox ? 'refused' : 'known', pictureId: picture.id, message: elsewhere };
  }
  await addSource(db, picture.id, taken);
  // The picture is already decided, so this file moves to where its earlier files are.
  if (taken.inbox && ['Filed', 'Removed', 'Refused'].includes(picture.state))
    await services.jobs.send(db, movePictureFiles, { pictureId: picture.id });
  const answer = { outcome: 'known' as const, pictureId: picture.id };
  if (picture.state === 'Refused') return { ...answer, message: `This picture was refused before: ${picture.problem}` };
  if (picture.state === 'Removed')
    return { ...answer, message: 'This picture was removed. Restore it from the removed pictures.' };
  if (picture.state === 'Waiting' && picture.match !== 'matched') {
    const result = await matchName(db, taken.name);
    if (result.match === 'matched') {
      await db
        .updateTable('picture')
        .set((eb) => ({
          match: result.match,
          product_id: result.productId,
          candidate_ids: result.candidateIds,
          problem: '',
          version: eb('version', '+', 1),
        }))
        .where('id', '=', picture.id)
        .execute();
    }
  }
  return { ...answer, message: `This picture already exists as ${picture.name}.` };
}

/** Explains why the file's name leads to another product than the picture's. '' if it does not. */
async function whyElsewhere(
  db: Db,
  picture: { id: number; state: string; match: string; name: string; product_id: number | null },
  name: string,
): Promise<string> {
  const isDecided = !['Refused', 'Removed'].includes(picture.state) && picture.match === 'matched';
  if (!isDecided) return '';
  const { match, productId } = await matchName(db, name);
  if (match !== 'matched' || productId === null || productId === picture.product_id) return '';
  const product = await db
    .selectFrom('product')
    .select((eb) => [
      'name',
      eb
        .exists(
          eb.selectFrom('product_image').whereRef('product_id', '=', 'product.id').where('picture_id', '=', picture.id),
        )
        .as('shows'),
    ])
    .where('id', '=', productId)
    .executeTakeFirstOrThrow();
  if (product.shows) return '';
  return `The same picture already exists as ${picture.name} for another product. This name refers to ${product.name}, which does not show it. Add it to the pictures of that product.`;
}

/** Records a refused file, so that users can see why it left the inbox. */
async function noteRefused(services: Services, db: Db, taken: TakenFile, problem: string): Promise<number> {
  const { id } = await db
    .insertInto('picture')
    .values({
      name: taken.name,
      size: Math.min(taken.size, 2_147_483_647),
      state: 'Refused',
      step: 'Refuse',
      problem,
      created_by: taken.by?.id ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addSource(db, id, taken);
  await services.jobs.send(db, movePictureFiles, { pictureId: id });
  return id;
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

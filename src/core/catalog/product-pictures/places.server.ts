// Creates, moves and orders the places of pictures on products. It has its own folder because products and pictures both use it.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';

/** A picture in its place on a product, with the data that changes need. */
export type Place = {
  id: number;
  version: number;
  productId: number;
  productName: string;
  pictureId: number | null;
  /** The name of the picture's file. */
  name: string;
  alt: string;
  hiddenRoles: string[];
  removedAt: string | null;
};

/** Locks places in a fixed order, pictures first, as all code that changes pictures does. Skips places that do not exist. */
export async function lockPlaces(db: Db, ids: readonly number[]): Promise<Place[]> {
  await sql`select 1 from picture where id in (select picture_id from product_image where id = any(${ids}::int[]))
    order by id for update`.execute(db);
  const { rows } =
    await sql<Place>`select place.id, place.version, place.product_id as "productId", product.name as "productName",
      place.picture_id as "pictureId", coalesce(picture.name, file.name) as name, place.alt, place.hidden_roles as "hiddenRoles",
      place.removed_at as "removedAt"
    from product_image place join product on product.id = place.product_id join file on file.id = place.file_id
      left join picture on picture.id = place.picture_id
    where place.id = any(${ids}::int[]) order by place.id for update of place`.execute(db);
  return rows;
}

/** Removes a picture from its product. Removing its last place removes the picture. Returns the version of the place. */
export async function removePlace(db: Db, { id, pictureId }: Place, at: Date): Promise<number> {
  const version = await changePlace(db, id, { removed_at: at });
  await sql`update picture set state = 'Removed', state_at = ${at}, version = version + 1
    where id = ${pictureId} and state = 'Filed'
      and not exists (select from product_image where picture_id = picture.id and removed_at is null)`.execute(db);
  return version;
}

/** Restores a picture to its place. A removed picture becomes filed again. Returns the version of the place. */
export async function restorePlace(db: Db, { id, pictureId }: Place, at: Date): Promise<number> {
  const version = await changePlace(db, id, { removed_at: null });
  await sql`update picture set state = 'Filed', state_at = ${at}, version = version + 1
    where id = ${pictureId} and state = 'Removed'`.execute(db);
  return version;
}

/** Orders the pictures of a product; `ids` lists all that are not removed. Each moved picture gets a new version. */
export async function orderPlaces(db: Db, ids: readonly number[]): Promise<{ id: number; version: number }[]> {
  const { rows } = await sql<{ id: number; version: number }>`
    with wanted as (select id, (place - 1)::int as position from unnest(${ids}::int[]) with ordinality w (id, place)),
      moved as (update product_image set position = wanted.position, version = version + 1 from wanted
        where product_image.id = wanted.id and product_image.position <> wanted.position
        returning product_image.id, product_image.version)
    select wanted.id, coalesce(moved.version, product_image.version) as version
    from wanted join product_image on product_image.id = wanted.id left join moved on moved.id = wanted.id
    order by wanted.position`.execute(db);
  return rows;
}

/** Changes the details of a picture on one product. Returns the new version. */
export async function changePlace(
  db: Db,
  placeId: number,
  values: { alt?: string; hidden_roles?: string[]; removed_at?: Date | null },
): Promise<number> {
  const { version } = await db
    .updateTable('product_image')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('id', '=', placeId)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/**
 * Puts a picture on a product. While the product's pictures are in the order of their names, the new one keeps that order, so that BED-1, BED-1_2 and
 * BED-1_10 stay in order however they arrive. Once a user has reordered them, it goes to the end. A picture that is already there keeps its place; a
 * removed one comes back.
 */
export async function placeOn(db: Db, pictureId: number, productId: number): Promise<void> {
  // Pictures of one product that are filed at the same time wait for each other.
  await sql`select pg_advisory_xact_lock(hashtext('product_image'), ${productId}::int)`.execute(db);
  const { rows: places } = await sql<{ id: number; pictureId: number | null; name: string; position: number }>`
    select place.id, place.picture_id as "pictureId", coalesce(picture.name, file.name) as name, place.position
    from product_image place join file on file.id = place.file_id left join picture on picture.id = place.picture_id
    where place.product_id = ${productId} order by place.position, place.id`.execute(db);
  const known = places.find((place) => place.pictureId === pictureId);
  if (known) {
    await sql`update product_image set removed_at = null, version = version + 1 where id = ${known.id}`.execute(db);
    return;
  }
  const picture = await db.selectFrom('picture').select('name').where('id', '=', pictureId).executeTakeFirstOrThrow();
  const behind = places.slice(
    placeAmong(
      places.map(({ name }) => name),
      picture.name,
    ),
  );
  const position = behind[0]?.position ?? (places.at(-1)?.position ?? -1) + 1;
  await sql`update product_image set position = position + 1 where id = any(${behind.map(({ id }) => id)}::int[])`.execute(
    db,
  );
  await sql`insert into product_image (product_id, picture_id, file_id, thumb_file_id, position)
    select ${productId}, id, coalesce(medium_file_id, file_id), thumb_file_id, ${position} from picture where id = ${pictureId}`.execute(
    db,
  );
}

const { compare } = new Intl.Collator('en', { numeric: true });
const stemOf = (name: string) => name.replace(/\.[^.]*$/, '');

/** The position of a file among others: by name if the others are ordered by name, else last. */
export function placeAmong(names: readonly string[], name: string): number {
  const stems = names.map(stemOf);
  const inOrder = stems.every((stem, at) => at === 0 || compare(stems[at - 1] ?? '', stem) <= 0);
  const at = inOrder ? stems.findIndex((stem) => compare(stem, stemOf(name)) > 0) : -1;
  return at < 0 ? names.length : at;
}

/**
 * Moves the pictures of merged products to another one, after its own and in order. A picture that two products share appears once, hidden from every
 * role that it was hidden from on either product. Pictures in the inbox move, too.
 */
export async function movePictures(db: Db, fromProductIds: readonly number[], toProductId: number): Promise<void> {
  const all = [...fromProductIds, toProductId];
  await sql`select 1 from product_image where product_id = any(${all}::int[]) order by id for update`.execute(db);
  for (const from of new Set(fromProductIds)) if (from !== toProductId) await moveFrom(db, from, toProductId);
}

async function moveFrom(db: Db, from: number, to: number): Promise<void> {
  await sql`update product_image kept set version = kept.version + 1,
      hidden_roles = array(select distinct unnest(kept.hidden_roles || twin.hidden_roles) order by 1),
      removed_at = case when twin.removed_at is null then null else kept.removed_at end,
      alt = case when kept.alt = '' then twin.alt else kept.alt end
    from product_image twin where kept.product_id = ${to} and twin.product_id = ${from} and kept.picture_id = twin.picture_id`.execute(
    db,
  );
  await sql`delete from product_image twin using product_image kept
    where kept.product_id = ${to} and twin.product_id = ${from} and twin.picture_id = kept.picture_id`.execute(db);
  await sql`update product_image set product_id = ${to}, version = version + 1, position = moved.position
    from (select id, row_number() over (order by position, id)
        + (select coalesce(max(position), -1) from product_image where product_id = ${to}) as position
      from product_image where product_id = ${from}) moved
    where product_image.id = moved.id`.execute(db);
  await sql`update picture set product_id = ${to}, version = version + 1 where product_id = ${from}`.execute(db);
}

// The places of pictures on products: the only code that makes, moves and orders them. A room of its own, because products and pictures both need it.
import { sql } from 'kysely';
import type { Db } from '#db/database.server.ts';

/** A picture in its place on a product, as whoever changes it needs it. */
export type Place = {
  id: number;
  version: number;
  productId: number;
  productName: string;
  pictureId: number | null;
  /** The name of its file. */
  name: string;
  alt: string;
  hiddenRoles: string[];
  removedAt: string | null;
};

/** Locks places in one order, their pictures first as everybody does who works on a picture. Places that do not exist are left out. */
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

/** Takes a picture from its product; with its last place the picture is removed. Answers the version of the place. */
export async function removePlace(db: Db, { id, pictureId }: Place, at: Date): Promise<number> {
  const version = await changePlace(db, id, { removed_at: at });
  await sql`update picture set state = 'Removed', state_at = ${at}, version = version + 1
    where id = ${pictureId} and state = 'Filed'
      and not exists (select from product_image where picture_id = picture.id and removed_at is null)`.execute(db);
  return version;
}

/** Brings a picture back to its place; a removed picture is filed again. */
export async function restorePlace(db: Db, { id, pictureId }: Place, at: Date): Promise<number> {
  const version = await changePlace(db, id, { removed_at: null });
  await sql`update picture set state = 'Filed', state_at = ${at}, version = version + 1
    where id = ${pictureId} and state = 'Removed'`.execute(db);
  return version;
}

/** Puts the pictures of a product in this order, which names all that are not removed; those that moved get a new version. */
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

/** Changes what is said of a picture on one product; answers the new version. */
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
 * Puts a picture on a product. While the pictures of the product stand in the order of their names, the new one keeps that order, so that
 * BED-1, BED-1_2 and BED-1_10 stand so however they come; once somebody has put them in another order, it goes to the end. One that is
 * there stays where it is; one that was removed comes back.
 */
export async function placeOn(db: Db, pictureId: number, productId: number): Promise<void> {
  // Pictures of one product that are filed at once wait for each other.
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

/** Where a file belongs among others: by its name if they stand in the order of theirs, else behind them. */
export function placeAmong(names: readonly string[], name: string): number {
  const stems = names.map(stemOf);
  const inOrder = stems.every((stem, at) => at === 0 || compare(stems[at - 1] ?? '', stem) <= 0);
  const at = inOrder ? stems.findIndex((stem) => compare(stem, stemOf(name)) > 0) : -1;
  return at < 0 ? names.length : at;
}

/**
 * Moves the pictures of products to another one, at the end of its own and in their order, when products become one. A picture that two
 * of them have stays once, hidden from everybody it was hidden from on either. Pictures at work follow.
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

// Chooses the pictures of items: for a user by the roles that each picture is hidden from, and for customers.
import { sql } from 'kysely';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';

/** The condition for the pictures that the user may see. */
export function mayBeSeenBy({ roles }: Pick<Caller, 'roles'>) {
  return sql<boolean>`product_image.removed_at is null
    and (product_image.hidden_roles = '{}' or not (${roles}::text[] <@ product_image.hidden_roles))`;
}

/** A picture of a product, and the roles it is hidden from. */
export type PlacedPicture = [id: number, hiddenFrom: string[]];

/** The pictures for an item of the query `item` in their order, or null: a value in a statement, for `firstSeen`. */
export const placedPictures = sql<PlacedPicture[] | null>`(
  select json_agg(json_build_array(id, hidden_roles) order by position, id)
    from product_image
   where product_id = item.product_id and removed_at is null)`;

/** The first picture that the user may see, by the same rule as `firstPicture`. */
export function firstSeen({ roles }: Pick<Caller, 'roles'>, pictures: readonly PlacedPicture[]): number | null {
  const seen = pictures.find(
    ([, hiddenFrom]) => hiddenFrom.length === 0 || !roles.every((role) => hiddenFrom.includes(role)),
  );
  return seen?.[0] ?? null;
}

/** A column to select: the first picture of an item of the query `item` that the user may see, or null. */
export function firstPicture(user: Pick<Caller, 'roles'>) {
  return sql<number | null>`(select product_image.id from product_image
    where product_image.product_id = item.product_id and ${mayBeSeenBy(user)}
    order by product_image.position, product_image.id limit 1)`;
}

/** The first picture of each item's product that customers may see, with the files of its sizes. `size` is that of the print file, in bytes. */
export async function customerPictures(db: Db, itemIds: number[]) {
  const { rows } = await sql<{ itemId: number; small: number; large: number; print: number | null; size: number }>`
    select distinct on (item.id) item.id as "itemId", coalesce(product_image.thumb_file_id, product_image.file_id) as small,
      product_image.file_id as large, picture.print_file_id as print, coalesce(print.size, 0) as size
    from item join product on product.id = item.product_id and product.status <> 'Draft'
      join product_image on product_image.product_id = product.id
      left join picture on picture.id = product_image.picture_id left join file print on print.id = picture.print_file_id
    where item.id = any(${itemIds}::int[]) and product_image.removed_at is null
      and not 'customer' = any(product_image.hidden_roles)
    order by item.id, product_image.position, product_image.id`.execute(db);
  return rows;
}

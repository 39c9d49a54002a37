// Reads the product's name and first picture, which lists show for an item.
import { sql } from 'kysely';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { imageUrl } from './serve-pictures.server.ts';
import { firstPicture } from './choose-pictures.server.ts';
import type { ItemHit } from './items.contract.ts';

/** `productName` is empty for a draft and for a product named like the item. `picture` is the first one that the user may see. */
export type ItemLook = { productName: string; picture: number | null };
export const PLAIN: ItemLook = { productName: '', picture: null };

/** The product's name for an item of the query `item`: a column to select. */
export const productName = sql<string>`coalesce((select nullif(p.name, item.description) from product p
  where p.id = item.product_id and p.status <> 'Draft'), '')`;

/** The first picture for an item of the query `item`, null without a product: a column to select. */
export function itemPicture(user: Pick<Caller, 'roles'>) {
  return sql<number | null>`case when item.product_id is not null then ${firstPicture(user)} end`;
}

/** The look in the form that calls return to the user. */
export function shownLook(
  services: Pick<Services, 'config' | 'clock'>,
  user: Pick<Caller, 'id'>,
  { productName, picture }: ItemLook,
): Pick<ItemHit, 'productName' | 'imgThumbnailUrl'> {
  return { productName, imgThumbnailUrl: picture === null ? null : imageUrl(services, user, picture, '160') };
}

/** The looks by item id. Items without a product are left out. */
export async function looksOf(db: Db, user: Pick<Caller, 'roles'>, itemIds: number[]): Promise<Map<number, ItemLook>> {
  if (itemIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('item')
    .select(['item.id', firstPicture(user).as('picture'), productName.as('productName')])
    .where('item.id', '=', sql<number>`any(${itemIds}::int[])`)
    .where('item.product_id', 'is not', null)
    .execute();
  return new Map(rows.map(({ id, ...look }) => [id, look]));
}

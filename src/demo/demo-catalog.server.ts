// Fills the demo company's products and items with units and prices, and their promotions and templates.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { addDays, type IsoDate } from '#platform/shared/dates.ts';
import type { Decimal } from '#platform/shared/money.ts';
import { CLASSES, type DemoItem, demoItems } from './catalog.server.ts';
import { followIds, insertRows } from './insert-rows.server.ts';
import type { Random } from './random.server.ts';

export type CatalogItem = DemoItem & {
  id: number;
  /** The product of the item. Some items are not mapped to it. */
  productId: number;
  manufacturerNo: string;
  /** Per base unit. Null for a few items with an unknown cost. */
  cost: Decimal | null;
  floor: Decimal;
  active: boolean;
  prices: { id: number; unit: string; minQty: number; price: Decimal; currnIdx: number }[];
};

/** The manufacturer number of two items of different products. */
export const SHARED_NUMBER = 'KIT-2000';
const SHARED = new Set([24, 37]);

const whole = (price: number) => (price < 10 ? Math.round(price * 10_000) / 10_000 : Math.round(price * 100) / 100);

const unlessUnknown = (index: number, cost: Decimal) => (index % 60 === 17 ? null : cost);

export type DemoProduct = { id: number; family: string; brand: string; classIndex: number };

export async function fillItems(
  db: Db,
  random: Random,
  count: number,
  today: IsoDate,
): Promise<{ items: CatalogItem[]; products: DemoProduct[] }> {
  await insertRows(
    db,
    'item_class',
    CLASSES.map((group, index) => ({ id: index + 1, name: group.name, visible_in_web_quote: true, version: 1 })),
  );
  const items: CatalogItem[] = [];
  const products = new Map<string, number>();
  const brands = new Map<number, string>();
  let priceId = 0;
  for (const item of demoItems(count, random)) {
    const key = `${item.classIndex} ${item.familyName}`;
    const productId = products.get(key) ?? products.size + 1;
    products.set(key, productId);
    brands.set(productId, item.brand);
    // Larger packages cost less per piece. The largest has a quantity break.
    const prices = Object.entries(item.units).flatMap(([unit, factor], index) => {
      const price = whole(item.listPrice * factor * (1 - 0.04 * index));
      const rows = [{ id: 0, unit, minQty: 1, price, currnIdx: 1007 }];
      if (index === Object.keys(item.units).length - 1)
        rows.push({ id: 0, unit, minQty: 10, price: whole(price * 0.95), currnIdx: 1007 });
      if (index === 0) rows.push({ id: 0, unit, minQty: 1, price: whole(price * 0.92), currnIdx: 1009 });
      return rows;
    });
    for (const price of prices) price.id = ++priceId;
    items.push({
      ...item,
      id: items.length + 1,
      productId,
      // Two manufacturers use the same number, so the user must assign a picture with that name.
      manufacturerNo: SHARED.has(items.length)
        ? SHARED_NUMBER
        : `${item.brand.slice(0, 3).toUpperCase()}-${item.number}`,
      prices,
      cost: unlessUnknown(items.length, whole(item.listPrice * (0.45 + random.next() * 0.2))),
      floor: whole(item.listPrice * 0.72),
      active: !random.chance(0.02),
    });
  }
  await insertRows(
    db,
    'product',
    [...products].map(([key, id]) => {
      const name = key.replace(/^\d+ /, '');
      return {
        id,
        name: [brands.get(id), name].filter(Boolean).join(' '),
        description: `${name}: single quality, many sizes. See the instructions for use for indications and storage.`,
        brand: brands.get(id) ?? '',
        product_type: CLASSES[Number(key.split(' ')[0])]?.name ?? '',
        class_id: Number(key.split(' ')[0]) + 1,
        manufacturer: brands.get(id) ?? '',
        // The number of an item that is not mapped yet: an exact match.
        manufacturer_no: items.find((item, index) => item.productId === id && index % 80 === 7)?.manufacturerNo ?? '',
        status: 'Active',
        version: 1,
      };
    }),
  );
  await insertRows(
    db,
    'item',
    items.map((item, index) => ({
      id: item.id,
      item_number: item.number,
      description: item.description,
      class_id: item.classIndex + 1,
      ...mappingOf(item, index),
      base_unit: 'EA',
      status: item.active ? 'Active' : 'Discontinued',
      cost: item.cost,
      floor_price: item.floor,
      last_sold: random.chance(0.75) ? addDays(today, -random.int(1, 600)) : null,
      selling_rank: item.fresh ? 'NEW' : String(item.rank),
      selling_rank_num: item.rank,
      manufacturer: item.brand,
      manufacturer_no: item.manufacturerNo,
      version: 1,
    })),
  );
  await insertRows(
    db,
    'item_unit',
    items.flatMap((item) => Object.entries(item.units).map(([unit, factor]) => ({ item_id: item.id, unit, factor }))),
  );
  await insertRows(
    db,
    'item_price',
    items.flatMap((item) =>
      item.prices.map((price) => ({
        id: price.id,
        item_id: item.id,
        currn_idx: price.currnIdx,
        unit: price.unit,
        min_qty: price.minQty,
        price: price.price,
        valid_from: '2020-01-01',
        valid_to: null,
      })),
    ),
  );
  await sql`insert into product_type select distinct product_type from product`.execute(db);
  // Items whose number has changed since they were mapped.
  await sql`update item set manufacturer_no = manufacturer_no || '-2' where id % 400 = 13 and product_id is not null`.execute(
    db,
  );
  for (const table of ['item_class', 'product', 'item', 'item_price']) await followIds(db, table);
  return {
    items,
    products: [...products].map(([key, id]) => ({
      id,
      family: key.replace(/^\d+ /, ''),
      brand: brands.get(id) ?? '',
      classIndex: Number(key.split(' ')[0]),
    })),
  };
}

/** Most items have a product. Some are left to map, and a few are excluded. */
function mappingOf({ productId }: { productId: number }, index: number) {
  if (index % 300 === 11) return { product_id: null, mapping_state: 'Ignored', mapping_note: 'Sample or display' };
  return index % 40 === 7
    ? { product_id: null, mapping_state: 'Unmapped', mapping_note: '' }
    : { product_id: productId, mapping_state: 'Mapped', mapping_note: '' };
}

/** Promotions of all three types. One in five has ended. */
export async function fillPromotions(db: Db, random: Random, items: CatalogItem[], today: IsoDate): Promise<void> {
  const promoted = items.filter((_item, index) => index % Math.max(1, Math.floor(items.length / 60)) === 3);
  await insertRows(
    db,
    'promotion',
    promoted.map((item, index) => {
      const type = ['BuyXGetYFree', 'DiscountPct', 'FixedPrice'][index % 3] ?? '';
      const largest = Object.keys(item.units).at(-1) ?? 'EA';
      const unit = index % 2 ? largest : '';
      const listPrice = item.prices.find((price) => price.unit === largest)?.price ?? 0;
      return {
        name: `${item.familyName} ${type === 'BuyXGetYFree' ? 'bonus' : 'season offer'}`,
        promotion_type: type,
        item_id: item.id,
        buy_qty: type === 'BuyXGetYFree' ? 10 : 0,
        get_qty: type === 'BuyXGetYFree' ? random.int(1, 2) : 0,
        amount: type === 'DiscountPct' ? random.pick([5, 8, 12]) : type === 'FixedPrice' ? whole(listPrice * 0.88) : 0,
        min_qty: random.pick([0, 1, 5]),
        max_qty: random.pick([0, 0, 100]),
        uom: type === 'FixedPrice' ? largest : unit,
        currn_idx: 1007,
        valid_from: addDays(today, -120),
        valid_to: addDays(today, index % 5 === 4 ? -10 : random.int(20, 150)),
        active: true,
        version: 1,
      };
    }),
  );
}

const TEMPLATES: [name: string, description: string, classes: number[]][] = [
  ['Exam room start-up', 'What a new exam room is stocked with', [0, 7, 11]],
  ['Med-surg bed package', 'Bed, surface, table and pole', [2, 11]],
  ['IV start kit restock', 'Monthly restock of an infusion unit', [5, 0]],
  ['Wound care cart', 'Dressings for a wound care nurse', [1]],
  ['Respiratory basics', 'Masks, cannulas and suction', [4]],
  ['Long-term care monthly', 'Briefs, underpads, gloves', [8, 0]],
];

export async function fillTemplates(db: Db, random: Random, items: CatalogItem[]): Promise<void> {
  await insertRows(
    db,
    'quote_template',
    TEMPLATES.map(([name, description], index) => ({ id: index + 1, name, description, active: true, version: 1 })),
  );
  await insertRows(
    db,
    'quote_template_item',
    TEMPLATES.flatMap(([, , classes], index) => {
      let position = 0;
      return classes.flatMap((group) => {
        const choice = items.filter((item) => item.classIndex === group);
        const lines = [...Array(random.int(3, 6)).keys()].map(() => {
          const item = random.pick(choice);
          return {
            template_id: index + 1,
            position: ++position,
            type: 'item',
            item_id: item.id,
            description: item.description,
            qty: random.int(1, 10),
            unit: Object.keys(item.units).at(-1) ?? 'EA',
          };
        });
        return [
          {
            template_id: index + 1,
            position: ++position,
            type: 'section',
            item_id: null,
            description: CLASSES[group]?.name ?? '',
            qty: 1,
            unit: '',
          },
          ...lines,
        ];
      });
    }),
  );
  await followIds(db, 'quote_template');
}

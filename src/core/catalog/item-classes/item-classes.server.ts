// Answers the ItemClass calls.
import { sql } from 'kysely';
import type { z } from 'zod';
import { listFile } from '#platform/api/list-file.server.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { holds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { bumpRecord, oneRecord } from '#platform/history/record-kit.server.ts';
import { OPEN_STATUSES } from '#core/quoting/quotes/status.ts';
import type { ItemClass, ItemClassCriteria } from './item-classes.contract.ts';

const ACTIVE_ITEMS = sql<number>`coalesce(counted.active, 0)`;
const DISCONTINUED_ITEMS = sql<number>`coalesce(counted.discontinued, 0)`;
const PRODUCTS = sql<number>`coalesce(counted.products, 0)`;

const ORDER = {
  sorts: {
    name: sql`lower(item_class.name)`,
    visibleInWebQuote: sql`item_class.visible_in_web_quote`,
    activeItems: ACTIVE_ITEMS,
    discontinuedItems: DISCONTINUED_ITEMS,
    products: PRODUCTS,
  },
  key: sql`item_class.id`,
  first: { field: 'name', dir: 'asc' as const },
};

export const itemClassAnswers: Answers<typeof ItemClass> = {
  GetItemClasses: ({ db }, criteria) => pageFrom(classes(db, criteria), criteria, ORDER),

  ExportItemClasses: ({ db }, criteria) =>
    listFile('item-classes.csv', classes(db, criteria), criteria.sort, ORDER, {
      'Item class': (row) => row.name,
      'Shown in quotes': (row) => (row.visibleInWebQuote ? 'yes' : 'no'),
      'Active items': (row) => row.activeItems,
      'Discontinued items': (row) => row.discontinuedItems,
      Products: (row) => row.products,
    }),

  GetItemClassUse: async ({ db }, { id }) => {
    await readClass(db, id);
    const { rows } = await sql<{ activeItems: number; openQuotes: number; templates: number }>`
      select (select count(*) from item where class_id = ${id} and status = 'Active') as "activeItems",
             (select count(distinct line.quote_id) from quote_item line join item on item.id = line.item_id
                join quote on quote.id = line.quote_id
               where item.class_id = ${id} and quote.status_id = any(${[...OPEN_STATUSES]})) as "openQuotes",
             (select count(distinct line.template_id) from quote_template_item line join item on item.id = line.item_id
               where item.class_id = ${id}) as templates`.execute(db);
    return rows[0] ?? { activeItems: 0, openQuotes: 0, templates: 0 };
  },

  ShowHideItemClassInWebQuote: async ({ db, user }, { id, visible }) => {
    const before = await readClass(db, id, 'lock');
    const after = visible ?? !before.visible_in_web_quote;
    if (after !== before.visible_in_web_quote) {
      const { version } = await bumpRecord(db, 'itemClass', id, { visible_in_web_quote: after });
      const action = after ? 'Show in quotes' : 'Hide from quotes';
      await recordChange(db, user, { type: 'itemClass', id, name: before.name, action, version });
    }
    return classes(db, {}).where('item_class.id', '=', id).executeTakeFirstOrThrow();
  },
};

function classes(
  db: Db,
  { keyword, visibleInWebQuote }: Pick<z.infer<typeof ItemClassCriteria>, 'keyword' | 'visibleInWebQuote'>,
) {
  return db
    .selectFrom('item_class')
    .leftJoin(
      // Counts all classes in one pass over the items.
      (from) =>
        from
          .selectFrom('item')
          .select('class_id')
          .select([
            sql`count(*) filter (where status = 'Active')`.as('active'),
            sql`count(*) filter (where status <> 'Active')`.as('discontinued'),
            sql`count(distinct product_id)`.as('products'),
          ])
          .groupBy('class_id')
          .as('counted'),
      (join) => join.onRef('counted.class_id', '=', 'item_class.id'),
    )
    .select(['item_class.id', 'item_class.name', 'item_class.visible_in_web_quote as visibleInWebQuote'])
    .select([ACTIVE_ITEMS.as('activeItems'), DISCONTINUED_ITEMS.as('discontinuedItems'), PRODUCTS.as('products')])
    .$if(Boolean(keyword), (query) => query.where(holds(sql.ref('item_class.name'), keyword ?? '')))
    .$if(typeof visibleInWebQuote === 'boolean', (query) =>
      query.where('item_class.visible_in_web_quote', '=', visibleInWebQuote === true),
    );
}

function readClass(db: Db, id: number, lock?: 'lock') {
  const query = db.selectFrom('item_class').select(['name', 'visible_in_web_quote', 'version']).where('id', '=', id);
  return oneRecord('itemClass', query, lock);
}

// Answers ItemProdDb/PopulateInitData: creates a first product database from the items (docs/imports.md).
import { sql } from 'kysely';
import type { Answers } from '#platform/api/serve.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { oneRecord } from '#platform/history/record-kit.server.ts';
import type { ItemProdDb } from './populate-products.contract.ts';

export const itemProdDbAnswers: Answers<typeof ItemProdDb> = {
  PopulateInitData: async ({ db, user, services }, { classId }) => {
    const query = db.selectFrom('item_class').select(['id', 'name']).where('id', '=', classId);
    const itemClass = await oneRecord('itemClass', query, 'lock');
    const { rows } = await sql<{ made: number; items: number }>`
      with fresh as (
        select id as item_id, nextval(pg_get_serial_sequence('product', 'id'))::int as product_id, description,
          status, manufacturer, manufacturer_no
        from item where class_id = ${classId} and product_id is null order by id for update
      ), made as (
        insert into product (id, name, status, class_id, manufacturer, manufacturer_no, updated_at)
          select product_id, left(description, 300), status, ${classId}, manufacturer, manufacturer_no,
            ${services.clock.now()} from fresh returning id
      ), mapped as (
        update item i set product_id = f.product_id, version = i.version + 1 from fresh f
        join made m on m.id = f.product_id where i.id = f.item_id
      )
      select (select count(*)::int from made) as made, (select count(*)::int from item where class_id = ${classId}) as items`.execute(
      db,
    );
    const { made: result = 0, items = 0 } = rows[0] ?? {};
    if (result > 0) {
      await recordChange(db, user, {
        type: 'itemClass',
        id: itemClass.id,
        name: itemClass.name,
        action: 'Make products',
        changes: [{ field: 'Products created', before: '', after: result.toLocaleString('en-US') }],
      });
    }
    return { made: result, items, className: itemClass.name };
  },
};

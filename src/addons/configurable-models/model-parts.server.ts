// Writes the groups, options and rules of a model. Existing parts keep their ids, new parts get ids, and omitted parts are deleted.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { ModelContent } from './configurable-models.contract.ts';

export async function writeParts(
  db: Db,
  modelId: number,
  { groups, rules }: Pick<ModelContent, 'groups' | 'rules'>,
  itemIds: ReadonlyMap<string, number>,
): Promise<void> {
  const options = groups.flatMap((group) => group.options);
  const idOf = await numbersFor(
    db,
    [...groups, ...options].map(({ id }) => id),
  );
  await db.deleteFrom('configurable_rule').where('model_id', '=', modelId).execute();
  if (groups.length > 0) {
    await db
      .insertInto('configurable_group')
      .values(
        groups.map((group, position) => ({
          id: idOf(group.id),
          model_id: modelId,
          position,
          name: group.name,
          hint: group.hint,
          min_picks: group.min,
          max_picks: group.max,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          position: eb.ref('excluded.position'),
          name: eb.ref('excluded.name'),
          hint: eb.ref('excluded.hint'),
          min_picks: eb.ref('excluded.min_picks'),
          max_picks: eb.ref('excluded.max_picks'),
        })),
      )
      .execute();
    await db
      .insertInto('configurable_option')
      .values(
        groups.flatMap((group) =>
          group.options.map((option, position) => ({
            id: idOf(option.id),
            group_id: idOf(group.id),
            position,
            item_id: itemIds.get(option.itemNumber) ?? null,
            label: option.label,
            unit: option.unit,
            quantity: option.quantity,
            qty: option.qty,
            min_qty: option.minQty,
            max_qty: option.maxQty,
            from_id: option.fromId === null ? null : idOf(option.fromId),
            factor: option.factor,
            round_up: option.roundUp,
          })),
        ),
      )
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          group_id: eb.ref('excluded.group_id'),
          position: eb.ref('excluded.position'),
          item_id: eb.ref('excluded.item_id'),
          label: eb.ref('excluded.label'),
          unit: eb.ref('excluded.unit'),
          quantity: eb.ref('excluded.quantity'),
          qty: eb.ref('excluded.qty'),
          min_qty: eb.ref('excluded.min_qty'),
          max_qty: eb.ref('excluded.max_qty'),
          from_id: eb.ref('excluded.from_id'),
          factor: eb.ref('excluded.factor'),
          round_up: eb.ref('excluded.round_up'),
        })),
      )
      .execute();
  }
  // Deletes options that are not in any group anymore. An option that moved to another group is kept.
  const listOf = (ids: number[]) => sql`all(${ids}::int[])`;
  await sql`delete from configurable_option o using configurable_group g
    where g.id = o.group_id and g.model_id = ${modelId} and o.id <> ${listOf(options.map(({ id }) => idOf(id)))}`.execute(
    db,
  );
  await sql`delete from configurable_group
    where model_id = ${modelId} and id <> ${listOf(groups.map(({ id }) => idOf(id)))}`.execute(db);
  if (rules.length === 0) return;
  await db
    .insertInto('configurable_rule')
    .values(
      rules.map(({ kind, optionId, otherIds }, position) => ({
        model_id: modelId,
        position,
        kind,
        option_id: idOf(optionId),
        other_ids: [...new Set(otherIds)].map(idOf),
      })),
    )
    .execute();
}

/** Maps the id of a part to its stored id: the same one, or a new one for an id below 0. */
async function numbersFor(db: Db, ids: number[]): Promise<(id: number) => number> {
  const added = ids.filter((id) => id < 0);
  const { rows } = await sql<{ id: number }>`
    select nextval('configurable_part_id')::int as id from generate_series(1, ${added.length}::int)`.execute(db);
  const numbers = new Map(added.map((id, index) => [id, rows[index]?.id ?? 0]));
  return (id) => numbers.get(id) ?? id;
}

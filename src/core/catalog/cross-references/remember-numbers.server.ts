// Records what users decide about numbers on a quote, and remembers the numbers as cross-references on request.
import { sql } from 'kysely';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { recordAll } from '#platform/history/record-change.server.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { type CrossReference, REFERENCE_ROLES } from './cross-references.contract.ts';

type Input = ParsedInputOf<typeof CrossReference.RememberNumbers>;

/**
 * Stores the decisions, and adds the cross-references to remember, for the quote's facility or for everybody. An existing entry is not added again,
 * even if it has ended: an administrator reactivates it on the cross-references screen. Throws 404 if the user does not see the quote, 422 if the
 * quote has no facility, and 403 if a user other than an administrator remembers a number for everybody.
 */
export async function rememberNumbers(
  { db, user }: { db: Db; user: Caller },
  { quoteId, numbers }: Input,
): Promise<{ added: number }> {
  const quote = await requireQuote(db, user, quoteId);
  if (quote.facility_id === null && numbers.some(({ remember }) => remember?.scope === 'Facility')) {
    throw invalid([{ path: 'numbers', message: 'The quote has no facility yet. Choose it first.' }]);
  }
  return rememberFor(db, user, { facilityId: quote.facility_id, source: `Quote ${quote.num}` }, numbers);
}

type Decided = Input['numbers'][number] & {
  /** The owner of the number; empty for the customer's own, or if unknown. */
  maker?: string;
};

/** Does the same for a facility and any source. Throws 403 if a user other than an administrator remembers a number for everybody. */
export async function rememberFor(
  db: Db,
  user: Caller,
  { facilityId, source }: { facilityId: number | null; source: string },
  numbers: readonly Decided[],
): Promise<{ added: number }> {
  if (numbers.some(({ remember }) => remember?.scope === 'Everybody') && !hasRole(user, ...REFERENCE_ROLES)) {
    throw new HttpError(
      403,
      'Only administrators can remember numbers for everyone. Remember them for this facility instead.',
    );
  }
  const decided = JSON.stringify(
    numbers.map(({ remember, ...number }) => ({ ...number, kind: remember?.kind, scope: remember?.scope })),
  );
  await sql`
    update cross_reference x set confirmed = x.confirmed + d.confirmed, refused = x.refused + d.refused
      from (
        select o.id, (count(*) filter (where o.item_id = n."itemId"))::int as confirmed,
          (count(*) filter (where o.item_id <> n."itemId"))::int as refused
          from jsonb_to_recordset(${decided}::jsonb) as n(number text, "itemId" int)
          join cross_reference o on o.number_key = number_key(n.number) and not o.ended
           and o.zeros = length(substring(bare_text(n.number) from '^0*'))
           and cross_reference_place(o.scope, o.facility_id, o.gpo_id, ${facilityId}::int) is not null
         group by o.id) d
     where d.id = x.id`.execute(db);
  const { rows } = await sql<{ id: number }>`
    insert into cross_reference (maker, number, item_id, unit, kind, scope, facility_id, source, made_by)
    select distinct on (number_key(n.number), n."itemId", n.scope) coalesce(n.maker, ''), n.number, n."itemId", n.unit, n.kind, n.scope,
        case n.scope when 'Facility' then ${facilityId}::int end, ${source}, ${user.id}::int
      from jsonb_to_recordset(${decided}::jsonb) as n(maker text, number text, "itemId" int, unit text, kind text, scope text)
      join item i on i.id = n."itemId"
     where n.scope is not null and number_key(n.number) ~ '[[:alnum:]]'
       and (n.unit = '' or n.unit = i.base_unit or exists (select from item_unit u where u.item_id = i.id and u.unit = n.unit))
       and not exists (select from cross_reference o where o.number_key = number_key(n.number)
         and o.item_id = n."itemId" and o.scope = n.scope
         and o.zeros = length(substring(bare_text(n.number) from '^0*'))
         and o.facility_id is not distinct from case n.scope when 'Facility' then ${facilityId}::int end)
    on conflict do nothing returning id`.execute(db);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) {
    await recordAll(
      db,
      'crossReference',
      user,
      sql`select 'crossReference', x.id, x.number, ${user.id}::int, ${user.fullName}, 'Create', 1, ${`From ${source}.`},
          jsonb_build_array(jsonb_build_object('field', 'Our item #', 'before', '', 'after', i.item_number),
            jsonb_build_object('field', 'Kind', 'before', '', 'after', x.kind))
        from cross_reference x join item i on i.id = x.item_id where x.id = any(${ids}::int[]) order by x.id`,
    );
  }
  return { added: ids.length };
}

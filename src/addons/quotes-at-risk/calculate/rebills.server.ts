// Finds won quotes whose price would differ because a roster place or a letter was approved with effect on or before the day they were won.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { differs, type QuotedLine, riskOf, takenOf } from './judge-line.server.ts';
import { LINE, readSources } from './risk-lines.server.ts';
import { insertRisks, pricesOn, type Terms } from './work-out.server.ts';

type WonLine = QuotedLine & { wonOn: IsoDate; changed: number[] };

/**
 * Lists the lines of won quotes that would now get another price from a contract whose roster or letters changed with effect on or before the day the
 * quote was won. A line stays listed until a user marks it as credited, or the prices match.
 */
export async function workOutRebills(services: Services, changes: readonly number[], { places }: Terms): Promise<void> {
  const db = services.database.longDb;
  const { time_zone: zone } = await loadCompany(db);
  await inTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('quote-risks'))`.execute(trx);
    const { rows: lines } = await sql<WonLine>`
      with recursive reach as (
        select facility_id, contract_id, min(day) as day from price_change
         where id = any(${changes}::bigint[]) and what in ('roster', 'letter') and facility_id is not null group by 1, 2
        union select f.id, r.contract_id, r.day from reach r join facility f on f.parent_id = r.facility_id),
      won as materialized (
        select q.id, array_agg(distinct r.contract_id) as changed, w.day as "wonOn" from reach r
          join quote q on q.facility_id = r.facility_id and q.status_id = 'Won'
          cross join lateral (select (coalesce((select accepted_at from quote_revision v
            where v.quote_id = q.id and v.revision = q.revision), q.updated_at)
            at time zone ${zone})::date as day) w
         where w.day >= r.day group by q.id, w.day)
      select ${LINE}, won."wonOn", won.changed from won join quote q on q.id = won.id join quote_item i on i.quote_id = q.id
        left join contract_line l on l.id = i.contract_line_id
       where i.active and i.type = 'item' and i.item_id is not null and not i.optional
         and exists (select from contract_line c where c.item_id = i.item_id and c.contract_id = any(won.changed))`.execute(
      trx,
    );
    const prices = await pricesOn(
      trx,
      lines.map((line) => ({ line, day: line.wonOn })),
      places,
    );
    const other = lines.flatMap((line, at) => {
      const then = prices[at];
      return then && line.typedPrice === null && differs(line, then)
        ? [{ line, priced: then, taken: takenOf(then) }]
        : [];
    });
    const sources = await readSources(
      trx,
      other.map(({ line }) => line.id),
    );
    const risks = other.flatMap(({ line, priced, taken }) => {
      const quoted = sources.get(line.id);
      const reached = taken !== null && line.changed.includes(taken.contractId);
      const sameTier = taken?.contractId === line.contractId && taken?.tierId === quoted?.tierId;
      if (!quoted || !reached || sameTier) return [];
      return [{ ...riskOf(line, quoted, priced), kind: 'Rebill' as const }];
    });
    const stays = new Set(risks.map(({ line }) => line.id));
    const gone = lines.filter(({ id }) => !stays.has(id)).map(({ id }) => id);
    await sql`delete from quote_risk where kind = 'Rebill' and settled_at is null and line_id = any(${gone}::int[])`.execute(
      trx,
    );
    const settled = await sql<{
      id: number;
    }>`select line_id as id from quote_risk where kind = 'Rebill' and settled_at is not null
      and line_id = any(${[...stays]}::int[])`.execute(trx);
    const done = new Set(settled.rows.map(({ id }) => id));
    await insertRisks(
      trx,
      risks.filter(({ line }) => !done.has(line.id)),
    );
  });
}

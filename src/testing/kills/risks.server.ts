// Two servers that work on the same changes after one was killed: every risk exists once, and no change is left.
import { sql } from 'kysely';
import { expect } from 'vitest';
import { QuoteRisks } from '#addons/quotes-at-risk/risks.contract.ts';
import { anItem } from '../factories/catalog.server.ts';
import { aContract } from '../factories/contracts.server.ts';
import { aFacility, aUser } from '../factories/people.server.ts';
import { until } from '../server-process.server.ts';
import { after, type KillCase, type KilledServer } from './kill-case.server.ts';

const QUOTES = 4000;

export async function risks(): Promise<KillCase> {
  let waiting = 0;
  const checkPoint = (server: KilledServer) =>
    server.inDatabase(async ({ db }) => {
      const { rows } = await sql<{ risks: number; money: number; waiting: number }>`
        select (select count(*)::int from quote_risk) as risks, (select coalesce(sum(difference), 0) from quote_risk) as money,
          (select count(*)::int from price_change) as waiting`.execute(db);
      return rows[0];
    });
  const quotesAtRisk = async (server: KilledServer) => {
    const { totals } = await server.ok(QuoteRisks.SearchRisks, {});
    return totals.reduce((sum, { quotes }) => sum + quotes, 0);
  };
  return {
    fill: async ({ db }) => {
      const rep = await aUser(db, { roles: ['salesrep'] });
      const facility = await aFacility(db);
      const item = await anItem(db, { price: 60 });
      const { id: contractId, lineIds } = await aContract(db, {
        gpoId: null,
        facilityIds: [facility.id],
        lines: [{ itemId: item.id, price: 40 }],
      });
      await sql`insert into quote (status_id, facility_id, owner_id, quote_date, valid_until)
        select 'SentToCustomer', ${facility.id}, ${rep.id}, current_date, current_date + 60
        from generate_series(1, ${QUOTES}::int)`.execute(db);
      await sql`insert into quote_item (quote_id, line_no, type, item_id, item_number, description, qty, unit, list_price, system_price,
          unit_price, line_total, price_source, contract_line_id, contract_price)
        select id, n, 'item', ${item.id}, 'K', 'K', 10, 'EA', 60, 40, 40, 400, 'Contract', ${lineIds[0] ?? 0}, 40
        from quote, generate_series(1, 3) n`.execute(db);
      await sql`delete from price_change`.execute(db);
      await sql`update contract_line_price set price = 42
        where contract_line_id in (select id from contract_line where contract_id = ${contractId})`.execute(db);
      return rep;
    },
    points: [
      {
        work: after(500),
        found: async (server) => {
          const now = await checkPoint(server);
          waiting = now?.waiting ?? 0;
          // All changes keep waiting until everything is written.
          expect(now?.risks === QUOTES * 3 || waiting > 0).toBe(true);
        },
      },
    ],
    rest: async (server) => {
      const other = await server.startAnother();
      await until(async () => (await quotesAtRisk(server)) === QUOTES, 120);
      // The daily job may have written them all before the job of the changes is done.
      const isDone = () => [server.output(), other.output].some((output) => output.includes('"job":"quote-risks",'));
      if (waiting > 0) await until(isDone, 120);
      other.child.kill('SIGTERM');
      expect(await other.ended).toBe(0);
    },
    proof: async (server) =>
      expect(await checkPoint(server)).toEqual({ risks: QUOTES * 3, money: QUOTES * 3 * 20, waiting: 0 }),
  };
}

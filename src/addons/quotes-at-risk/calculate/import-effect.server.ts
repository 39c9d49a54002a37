// Computes the effect on open quotes of prices just written in a transaction: the future risks, minus the current ones.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, pricePlacesOf } from '#platform/company/company.server.ts';
import type { QuoteEffect } from '#platform/data-import/data-import.contract.ts';
import { add, EURO_INDEX, subtract } from '#platform/shared/money.ts';
import { affectedLines } from './risk-lines.server.ts';
import { risksOf, termsOn } from './work-out.server.ts';

type Known = {
  lineId: number;
  quoteId: number;
  currnIdx: number;
  day: string;
  price: number | null;
  difference: number;
};
type Change = { quoteId: number; sent: boolean; kind: string; currnIdx: number; money: number };

/** The effect of the changes that this transaction has recorded and that no one else sees yet. */
export async function effectOnQuotes(trx: Db, day: string): Promise<QuoteEffect> {
  const { rows: noted } = await sql<{
    id: number;
  }>`select id from price_change where xmin = pg_current_xact_id()::xid`.execute(trx);
  const lineIds = await affectedLines(
    trx,
    noted.map(({ id }) => id),
    day,
  );
  const { rows: before } =
    await sql<Known>`select line_id as "lineId", quote_id as "quoteId", currn_idx as "currnIdx", day, price, difference
    from quote_risk where kind <> 'Rebill' and line_id = any(${lineIds}::int[])`.execute(trx);
  const known = new Map(before.map((risk) => [risk.lineId, risk]));
  const risks = await risksOf(trx, { lineIds }, await termsOn(trx, day, pricePlacesOf(await loadCompany(trx))));
  const sent = await sentAmong(trx, [
    ...risks.map(({ line }) => line.quoteId),
    ...before.map(({ quoteId }) => quoteId),
  ]);
  const changes: Change[] = risks.flatMap(({ line, kind, price, difference, day: from }) => {
    const was = known.get(line.id);
    known.delete(line.id);
    if (was && was.price === price && was.day === from && was.difference === difference) return [];
    const { quoteId, currnIdx } = line;
    return [{ quoteId, sent: sent.has(quoteId), kind, currnIdx, money: subtract(difference, was?.difference ?? 0) }];
  });
  for (const { quoteId, currnIdx, difference } of known.values())
    changes.push({ quoteId, sent: sent.has(quoteId), kind: 'Settled', currnIdx, money: subtract(0, difference) });
  return summed(changes);
}

async function sentAmong(trx: Db, quoteIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`select id from quote where id = any(${[...new Set(quoteIds)]}::int[])
    and status_id = 'SentToCustomer'`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

function summed(changes: readonly Change[]): QuoteEffect {
  const quotes = (list: readonly Change[], sent: boolean) =>
    new Set(list.filter((candidate) => candidate.sent === sent).map(({ quoteId }) => quoteId)).size;
  const money = (list: readonly Change[], sent: boolean) =>
    add(0, ...list.filter((candidate) => candidate.sent === sent).map((entry) => entry.money));
  const groups = Map.groupBy(changes, ({ kind, currnIdx }) => `${kind} ${currnIdx === EURO_INDEX}`);
  return {
    open: quotes(changes, false),
    sent: quotes(changes, true),
    kinds: [...groups.values()].flatMap((list) => {
      const [first] = list;
      if (!first) return [];
      return [
        {
          kind: first.kind,
          currnIdx: first.currnIdx,
          open: quotes(list, false),
          sent: quotes(list, true),
          openMoney: money(list, false),
          sentMoney: money(list, true),
        },
      ];
    }),
  };
}

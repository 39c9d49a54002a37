// Answers the QuoteRisks calls: finding quotes at risk, and removing a credited one from the list.
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { requireContract, requireContracts } from '#core/prices/contracts/sight/contract-sight.server.ts';
import { rightsOf } from '#core/quoting/quote-edit/view/load-quote.server.ts';
import { readQuoteState } from '#core/quoting/quote-workflow/workflow-facts.server.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber, StatusId } from '#core/quoting/quotes/status.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { add, formatAmount } from '#platform/shared/money.ts';
import { hasRole } from '#platform/shared/roles.ts';
import type { QuoteRisk, QuoteRisks, RiskLine } from './risks.contract.ts';
import { searchRisks } from './search-risks.server.ts';

type Context = { db: Db; services: Services; user: Caller };

export const quoteRiskAnswers: Answers<typeof QuoteRisks> = {
  /** Throws 403 for accounts without the GPO Contracts tab, and 404 if the user does not see the contract. */
  SearchRisks: async (context, criteria) => {
    if (criteria.contractId) await requireContract(context, criteria.contractId);
    else await requireContracts(context);
    return searchRisks(context.db, context.user, criteria);
  },

  GetQuoteRisk: async (context, { quoteId }) => {
    const day = await requireContracts(context);
    return quoteRisk(context, await requireQuote(context.db, context.user, quoteId), day);
  },

  /** Throws 409 for a quote that is not listed for credit and rebill. */
  SettleRebill: async (context, { quoteId, note }) => {
    const { db, services, user } = context;
    const day = await requireContracts(context);
    const quote = await requireQuote(db, user, quoteId, { lock: true });
    const { rows } = await sql<{ difference: number }>`
      update quote_risk set settled_by = ${user.id}, settled_at = ${services.clock.now()}, note = ${note}
       where quote_id = ${quoteId} and kind = 'Rebill' and settled_at is null returning difference`.execute(db);
    if (rows.length === 0) throw new HttpError(409, 'This quote is not listed for credit and rebill.');
    const difference = add(...rows.map((row) => row.difference));
    await recordEvent(db, {
      quoteId,
      userId: user.id,
      actor: user.fullName,
      action: 'Credit',
      revision: quote.revision,
      comment: note,
      changes: [{ field: 'Credit and rebill', before: '', after: formatAmount(difference, quote.currn_idx) }],
    });
    return quoteRisk(context, quote, day);
  },
};

async function quoteRisk({ db, services, user }: Context, quote: QuoteRecord, day: IsoDate): Promise<QuoteRisk> {
  const lines = await linesAtRisk(db, quote.id);
  // Most boards show a quote without risk, which needs no rights.
  const rights =
    lines.length === 0
      ? null
      : rightsOf(user, { quote, facts: (await readQuoteState(db, services, user, quote)).facts });
  const isWon = lines.some(({ kind }) => kind === 'Rebill');
  return {
    lines,
    number: quoteNumber(quote.num, quote.revision),
    quoteId: quote.id,
    facilityName: quote.facility_name,
    statusId: StatusId.parse(quote.status_id),
    version: quote.version,
    quoteDate: quote.quote_date,
    validUntil: quote.valid_until,
    currnIdx: quote.currn_idx,
    today: day,
    day: lines.map((line) => line.day).toSorted()[0] ?? null,
    difference: add(0, ...lines.map((line) => line.difference)),
    reprice: !rights || rights.commercial ? '' : rights.reason,
    settle: !isWon
      ? 'This quote is not listed for credit and rebill.'
      : hasRole(user, ...SETTLERS)
        ? ''
        : 'The contract department marks it as credited.',
  };
}

const SETTLERS = ['csrep', 'insiderep', 'salesadmin', 'contractdept', 'systemadmin'] as const;

/** The lines at risk that are still on the quote. */
async function linesAtRisk(db: Db, quoteId: number): Promise<RiskLine[]> {
  const { rows } = await sql<RiskLine>`
    select r.line_id as "lineId", i.line_no as "lineNo", i.item_number as "itemNumber", i.description, r.kind, r.day, r.qty, r.unit,
           r.quoted, r.price, r.difference, r.counts, r.typed, r.was, r.now
      from quote_risk r join quote_item i on i.id = r.line_id
      where r.quote_id = ${quoteId} and r.settled_at is null order by i.line_no`.execute(db);
  return rows;
}

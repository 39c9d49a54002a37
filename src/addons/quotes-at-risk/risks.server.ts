// The answers of QuoteRisks: finding quotes at risk, and what a person does about one, such as mail to its customer.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { forbidden, HttpError } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import { requireContract, requireContracts } from '#core/prices/contracts/sight/contract-sight.server.ts';
import { rightsOf } from '#core/quoting/quote-edit/view/load-quote.server.ts';
import { transitionOf } from '#core/quoting/quote-workflow/workflow.ts';
import { readQuoteState } from '#core/quoting/quote-workflow/workflow-facts.server.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { isOwnerSide, requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber, StatusId } from '#core/quoting/quotes/status.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { distinctAddresses } from '#platform/shared/mail-addresses.ts';
import { add, formatAmount, formatPrice } from '#platform/shared/money.ts';
import { hasRole, INTERNAL_ROLES } from '#platform/shared/roles.ts';
import type { QuoteRisk, QuoteRisks, RiskLine } from './risks.contract.ts';
import { searchRisks } from './search-risks.server.ts';

type Context = { db: Db; services: Services; user: Caller };

export const quoteRiskAnswers: Answers<typeof QuoteRisks> = {
  /** Answers 403 for accounts without the GPO Contracts tab, and 404 for a contract out of sight. */
  SearchRisks: async (context, criteria) => {
    if (criteria.contractId) await requireContract(context, criteria.contractId);
    else await requireContracts(context);
    return searchRisks(context.db, context.user, criteria);
  },

  GetQuoteRisk: async (context, { quoteId }) => {
    const day = await requireContracts(context);
    return quoteRisk(context, await requireQuote(context.db, context.user, quoteId), day);
  },

  /** Answers 409 for a quote that changed, that was not sent, or that is at no risk, and when the customer already knows. */
  TellCustomer: async (context, { quoteId, version, to: recipients, subject, body }) => {
    const to = distinctAddresses(recipients);
    const { db, services, user } = context;
    const day = await requireContracts(context);
    const quote = await requireQuote(db, user, quoteId, { lock: true });
    if (!mayTell(user, quote)) throw forbidden();
    if (quote.version !== version)
      throw new HttpError(409, 'The quote has changed meanwhile. Review it, then tell the customer.');
    const risk = await quoteRisk(context, quote, day);
    if (risk.tell) throw new HttpError(409, risk.tell);
    const marked = await db
      .insertInto('quote_risk_told')
      .values({ quote_id: quoteId, print: printOf(risk.lines), told_by: user.id, told_at: services.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (marked.numInsertedOrUpdatedRows === 0n)
      throw new HttpError(409, 'The customer has already been told about this.');
    await queueMail(db, services.jobs, { quoteId, to, subject, body });
    await recordEvent(db, {
      quoteId,
      userId: user.id,
      actor: user.fullName,
      action: 'TellPrices',
      revision: quote.revision,
      comment: `To ${to.join(', ')}: ${subject}`,
      changes: [
        { field: 'Prices', before: '', after: `${formatAmount(risk.difference, quote.currn_idx)} for the customer` },
      ],
    });
    return quoteRisk(context, quote, day);
  },

  /** Answers 409 for a quote that is not listed for credit and rebill. */
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

async function quoteRisk(context: Context, quote: QuoteRecord, day: IsoDate): Promise<QuoteRisk> {
  const { db, services, user } = context;
  const lines = await linesAtRisk(db, quote.id);
  const { facts } = await readQuoteState(db, services, user, quote);
  const revise = transitionOf('Revise', facts);
  const rights = rightsOf(user, { quote, facts });
  const told = await db
    .selectFrom('quote_risk_told')
    .select([whoDid('told_by').as('by'), 'told_at as at'])
    .where('quote_id', '=', quote.id)
    .where('print', '=', printOf(lines))
    .executeTakeFirst();
  const number = quoteNumber(quote.num, quote.revision);
  const isWon = lines.some(({ kind }) => kind === 'Rebill');
  return {
    lines,
    number,
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
    revise:
      'refused' in revise ? (revise.refused === 'forbidden' ? 'You may not revise this quote.' : revise.sentence) : '',
    extend: rights.commercial ? '' : rights.reason,
    tell: wontTell(user, quote, lines, told !== undefined),
    settle: !isWon
      ? 'This quote is not listed for credit and rebill.'
      : hasRole(user, ...SETTLERS)
        ? ''
        : 'The contract department says when it is credited.',
    told: told ?? null,
    mail: {
      to: quote.contact_email,
      ...riskMail({
        number,
        contactName: quote.contact_name,
        currnIdx: quote.currn_idx,
        sender: user.fullName,
        company: (await loadCompany(db)).name,
        today: day,
        lines,
      }),
    },
  };
}

const SETTLERS = ['csrep', 'insiderep', 'salesadmin', 'contractdept', 'systemadmin'] as const;

function mayTell(user: Caller, quote: QuoteRecord): boolean {
  return isOwnerSide(user, quote) || hasRole(user, ...INTERNAL_ROLES, 'salesQuoteManager');
}

function wontTell(user: Caller, quote: QuoteRecord, lines: readonly RiskLine[], told: boolean): string {
  if (!mayTell(user, quote)) return 'Whoever sells or processes this quote tells the customer.';
  if (quote.status_id !== 'SentToCustomer') return 'The customer does not have this quote: it is not sent.';
  if (lines.length === 0) return 'This quote is no longer at risk.';
  return told ? 'The customer has already been told about this.' : '';
}

/** The lines at risk that the quote still has. */
async function linesAtRisk(db: Db, quoteId: number): Promise<RiskLine[]> {
  const { rows } = await sql<RiskLine>`
    select r.line_id as "lineId", i.line_no as "lineNo", i.item_number as "itemNumber", i.description, r.kind, r.day, r.qty, r.unit,
           r.quoted, r.price, r.difference, r.counts, r.typed, r.was, r.now
      from quote_risk r join quote_item i on i.id = r.line_id
      where r.quote_id = ${quoteId} and r.settled_at is null order by i.line_no`.execute(db);
  return rows;
}

function printOf(lines: readonly RiskLine[]): string {
  const said = lines.map(({ lineId, kind, day, qty, quoted, price }) => [lineId, kind, day, qty, quoted, price]);
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

type MailFacts = {
  number: string;
  contactName: string;
  currnIdx: number;
  sender: string;
  company: string;
  today: IsoDate;
  lines: readonly RiskLine[];
};

/**
 * Writes the mail to a customer about changing prices, which the sender reviews. Names items, days and prices, but not where a price
 * came from. Leaves out typed prices, because they do not change.
 */
function riskMail({ number, contactName, currnIdx, sender, company, today, lines }: MailFacts): {
  subject: string;
  body: string;
} {
  const changes = lines
    .filter(({ typed }) => !typed)
    .map(({ itemNumber, description, unit, quoted, price, day }) => {
      const from = day <= today ? 'now' : `from ${formatDate(day)}`;
      const is =
        price === null ? 'no longer available at the quoted price' : `${formatPrice(price, currnIdx)} per ${unit}`;
      const was = quoted === null ? '' : ` (quoted: ${formatPrice(quoted, currnIdx)})`;
      return `- ${itemNumber} ${description}: ${from} ${is}${was}`;
    });
  return {
    subject: `Prices of quote ${number}`,
    body: [
      `Dear ${contactName || 'Customer'},`,
      `prices of our quote ${number} change:`,
      changes.join('\n'),
      'The quote you have stays as it is. To go ahead with the new prices, reply to this email and we will send you a new quote.',
      `${sender}\n${company}`,
    ].join('\n\n'),
  };
}

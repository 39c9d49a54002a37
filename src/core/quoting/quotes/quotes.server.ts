// Implements the QuoteSearch calls: lists of quotes, the approval queue, filter choices, the export.
import { Readable } from 'node:stream';
import { type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Answers } from '#platform/api/serve.server.ts';
import { countedPages } from '#platform/db/page.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import { Decision, FiredRule } from '#core/quoting/approvals/approval-shapes.ts';
import { approvalOf } from '#core/quoting/approvals/approval-view.server.ts';
import { awaitsDecisionOf, isDecider, readApprovers } from '#core/quoting/approvals/read-approvers.server.ts';
import { csvLine } from '#platform/shared/csv.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { currencyOf } from '#platform/shared/money.ts';
import { rememberCriteria, rememberedCriteria } from './list/criteria.server.ts';
import { companySetup, quoteLookups } from './list/filter-choices.server.ts';
import {
  countEach,
  type ExportedQuote,
  exportedQuotes,
  listQuotes,
  quotePage,
  quoteRows,
  quotesMatching,
} from './list/quote-list.server.ts';
import { type ApprovalRow, QuoteCriteria, type QuoteRow, type QuoteSearch, type WaitsFor } from './quotes.contract.ts';
import { EXPORTED_TEXTS, SHORT_LABELS } from './quote-fields.ts';
import { inSight, type Viewer } from './sight.server.ts';
import { quoteNumber, STATUS_LABELS } from './status.ts';

const EXPORT_LIMIT = 50_000;

/** All quotes that the user can see, newest first. */
const FIRST_CRITERIA: QuoteCriteria = {
  page: 1,
  pageSize: 20,
  sort: { field: 'quoteDate', dir: 'desc' },
  num: null,
  facilityAccountNo: null,
  facilityName: null,
  itemNum: null,
  comment: null,
  dateFrom: null,
  dateTo: null,
  regionId: null,
  territoryId: null,
  qtStatuses: [],
  salesRepId: null,
  csRepId: null,
};

const HomeFilter = z.object({
  salesRepId: z.number().int().nullable().catch(null),
  csRepId: z.number().int().nullable().catch(null),
});

export const quoteSearchAnswers: Answers<typeof QuoteSearch> = {
  /** Returns a page of the matching quotes that the user can see. Remembers the criteria for the user and the screen. */
  SearchQuotesForSalesRep: async ({ db, user, services }, { remember, ...criteria }) => {
    if (remember !== 'none')
      rememberCriteria(services, user.id, remember === 'home' ? 'home' : 'quote-search', criteria);
    const { records, total } = await quotePage(db, services, user, criteria);
    return { records, ...countedPages(total, criteria.pageSize) };
  },

  /** Returns the visible quotes with a pending request that has an undecided rule this user may decide. Longest waiting first, all on one page. */
  SearchQuotesForApproval: async ({ db, user, services }) => {
    const records = isDecider(user) ? await waitingFor(db, services, user) : [];
    return { records, pageCount: records.length > 0 ? 1 : 0, total: records.length };
  },

  CountWaiting: ({ db, user, services }) => {
    const matching = (waitsFor: WaitsFor) => quotesMatching(user, { waitsFor }, services.clock.now());
    return countEach(db, { question: matching('question'), expiry: matching('expiry') });
  },

  /** Returns the user's last criteria on Find Quote, without choices that no longer exist. Initially everything, newest first. */
  GetUserDefaultQuoteSearchCriteria: async ({ db, user, services }) => {
    const saved = await rememberedCriteria(services, user.id, 'quote-search', QuoteCriteria);
    if (!saved) return FIRST_CRITERIA;
    const lookups = await quoteLookups(db, user, today(services, await loadCompany(db)));
    return {
      ...FIRST_CRITERIA,
      ...saved,
      regionId: known(saved.regionId, lookups.regions),
      territoryId: known(saved.territoryId, lookups.territories),
      salesRepId: known(saved.salesRepId, lookups.salesReps),
      csRepId: known(saved.csRepId, lookups.csReps),
    };
  },

  /** Returns the choices of every filter, and the last filter of Open Quotes. */
  GetUserDefaultQuoteSearchLookups: async ({ db, user, services }) => {
    const lookups = await quoteLookups(db, user, today(services, await loadCompany(db)));
    const saved = await rememberedCriteria(services, user.id, 'home', HomeFilter);
    return {
      ...lookups,
      setup: await companySetup(db),
      home: { salesRepId: known(saved?.salesRepId, lookups.salesReps), csRepId: known(saved?.csRepId, lookups.csReps) },
    };
  },

  /** Exports all matches up to 50,000 rows, in the order of the list. */
  ExportQuotes: async ({ db, user, services }, { ids: chosen, ...criteria }) => {
    const date = today(services, await loadCompany(db));
    const result = quotesMatching(user, criteria, services.clock.now());
    const matching = chosen ? sql<SqlBool>`(${result}) and quote.id = any(${chosen}::int[])` : result;
    const ids = await listQuotes(db, matching, criteria.sort, {
      offset: 0,
      limit: EXPORT_LIMIT,
    });
    return { name: `quotes-${date}.csv`, bytes: Readable.from(csvOf(await exportedQuotes(db, ids, date))) };
  },
};

/** Returns the id if the choices still include it. Otherwise returns null, because an invisible filter would silently narrow the list. */
function known(id: number | null | undefined, choices: { id: number | null }[]): number | null {
  return choices.some((choice) => choice.id === id) ? (id ?? null) : null;
}

async function waitingFor(db: Db, services: Services, user: Viewer): Promise<ApprovalRow[]> {
  const waiting = await db
    .selectFrom('approval_request as request')
    .innerJoin('quote', 'quote.id', 'request.quote_id')
    .selectAll('request')
    .select([
      whoDid('request.requested_by').as('requestedBy'),
      'quote.region_id',
      'quote.owner_id',
      'quote.sales_rep_id',
    ])
    .where('request.state', '=', 'Pending')
    .where(inSight(user))
    .where(awaitsDecisionOf(user))
    .orderBy('request.requested_at')
    .orderBy('request.id')
    .execute();
  const rows = await quoteRows(
    db,
    waiting.map((request) => request.quote_id),
    today(services, await loadCompany(db)),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const approvers = waiting.length > 0 ? await readApprovers(db, services) : [];
  return waiting.flatMap((request) => {
    const row = byId.get(request.quote_id);
    const rules = z.array(FiredRule).parse(request.rules);
    const decisions = z.array(Decision).parse(request.decisions);
    const visible = approvalOf({ ...request, rules, decisions, decidedBy: null }, request, approvers, user);
    const approval = {
      requestedBy: visible.requestedBy,
      requestedAt: visible.requestedAt,
      reasons: rules.map((rule) => rule.text),
      rules: visible.rules,
    };
    return row ? [{ ...row, approval }] : [];
  });
}

export const CSV_HEADER = [
  '#',
  'Status',
  'Facility',
  'Quote Date',
  'Total Amt.',
  'Currency',
  'Acct. #',
  'Contact',
  'Phone',
  SHORT_LABELS.salesRepId,
  SHORT_LABELS.csRepId,
  SHORT_LABELS.isRepId,
];

/** Writes the CSV in portions, so that a long export does not delay other requests. The byte order mark lets spreadsheets recognize UTF-8. */
function* csvOf(rows: ExportedQuote[]): Generator<string> {
  yield `\uFEFF${csvLine([...CSV_HEADER, ...EXPORTED_TEXTS.map(({ label }) => label)])}`;
  for (let start = 0; start < rows.length; start += 500) {
    yield rows
      .slice(start, start + 500)
      .map((row) => csvLine([...csvCells(row), ...EXPORTED_TEXTS.map(({ name }) => row[name])]))
      .join('');
  }
}

/** The cells of a quote under `CSV_HEADER`. */
export function csvCells(row: QuoteRow): string[] {
  return [
    quoteNumber(row.num, row.revision),
    row.expired ? `${STATUS_LABELS[row.statusId]} (expired)` : STATUS_LABELS[row.statusId],
    row.facilityName,
    formatDate(row.quoteDate),
    row.totalAmount.toFixed(2),
    currencyOf(row.totalAmountCurrnIdx),
    row.facilityAcctNo,
    row.contactName,
    row.phone,
    row.salesRep.name,
    row.csRep.name,
    row.isRep.name,
  ];
}

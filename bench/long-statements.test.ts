// Tests that the longest statements read no large table from end to end, planned for 200,000 items and 500,000 quotes.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { allItems } from '#core/catalog/items/find-items.server.ts';
import { keepSuggestions } from '#core/catalog/products/mapping/suggestions.server.ts';
import { GposToChoose } from '#core/customers/facility-admin/gpos-to-choose/gpos-to-choose.contract.ts';
import { openStage, stageRows } from '#platform/data-import/running/merge-rows.server.ts';
import { wouldGet } from '#core/prices/contracts/import/prices-reached.server.ts';
import type { PricedItem } from '#core/prices/pricing/priced-item.server.ts';
import { loadPricedItems, loadPricedItemsOfMany, readIfMember } from '#core/prices/pricing/price-lines.server.ts';
import { contractFacts } from '#addons/eligibility/contract-facts.server.ts';
import { recallKnown } from '#core/quoting/quote-edit/view/board-cache.server.ts';
import { quoteFacts } from '#core/quoting/quote-edit/view/quote-facts.server.ts';
import { affectedLines, comingDays, readSources } from '#addons/quotes-at-risk/calculate/risk-lines.server.ts';
import { searchAnalysisRows } from '#addons/savings/analysis-rows.server.ts';
import { plan } from '#core/territories/zip-assignment-import/zip-assignment-plan.server.ts';
import { kindReport } from '#core/territories/zip-assignment-import/zip-assignment-report.server.ts';
import { tazRows } from '#core/territories/zip-assignment-import/zip-assignment-columns.server.ts';
import { quotesToMove } from '#core/territories/territory-admin/moving-quotes/moving-quotes.server.ts';
import { freshDatabase } from '#testing/base-database.server.ts';
import { explainedServer, type Planned, tablesOf, wholeTables } from '#testing/statement-plans.server.ts';
import { anEligibilityRequest } from '#testing/factories/contracts.server.ts';
import { aSavingsAnalysis } from '#testing/factories/savings.server.ts';
import type { TestServer } from '#testing/test-server.server.ts';
import { ADMINISTRATOR, fill, SCALES } from './volume.ts';

/** The planner sees this many times the rows of each table. */
const TIMES = 400;
const SCALE = {
  ...SCALES.tiny,
  facilities: 500,
  quotes: 1_250,
  territories: 64,
  zips: 100,
  contractLines: 300,
  products: 200,
  documents: 10,
  pictures: 10,
};
const LARGE = ['contract_line', 'contract_line_price', 'item', 'item_price', 'quote', 'quote_event', 'quote_item'];
const TODAY = new Date().toISOString().slice(0, 10);
const FACILITY = 30;
const OPEN_QUOTE = 11;
const ITEMS = [3, 17, 90];
const ASKED = { facilityId: FACILITY, day: TODAY, today: TODAY, itemIds: ITEMS };
const CONTEXT = { facilityId: FACILITY, currnIdx: 1007, priceDate: TODAY };
const ADMIN: Caller = {
  id: ADMINISTRATOR,
  userName: '',
  fullName: 'An administrator',
  roles: ['systemadmin'],
  sessionId: '',
  regionIds: [],
  supportedRepIds: [],
  deputyFor: [],
  mustChangePassword: false,
};
const REP: Caller = { ...ADMIN, id: 1, roles: ['salesrep'] };
const IMPORT = {
  importId: 1,
  willWrite: false,
  today: TODAY,
  later: false,
  options: {},
  comment: '',
  fields: new Set<string>(),
};

let server: TestServer;
let planned: Planned[];
let analysisId: number;
let changes: number[];

beforeAll(async () => {
  const filled = await freshDatabase();
  const { db } = filled;
  await fill(db, SCALE);
  await anEligibilityRequest(db, { contractId: 2, tierId: 3, facilityId: FACILITY, by: 1, quoteIds: [OPEN_QUOTE] });
  ({ id: analysisId } = await aSavingsAnalysis(db, { facility_id: FACILITY, owner_id: 1, rows: [{ item_id: 3 }] }));
  const changed = await db
    .insertInto('price_change')
    .values([
      { what: 'item', item_id: 3 },
      { what: 'contract', contract_id: 2 },
      { what: 'facility', facility_id: FACILITY },
      { what: 'quote', quote_id: OPEN_QUOTE },
    ])
    .returning('id')
    .execute();
  changes = changed.map(({ id }) => id);
  await sql`analyze`.execute(db);
  await sql`update pg_class set reltuples = reltuples * ${TIMES}::int
    where relnamespace = 'public'::regnamespace and reltuples > 50`.execute(db);
  ({ server, planned } = await explainedServer(filled));
}, 300_000);
afterAll(() => server.close());

type Run = (db: Db, services: Services) => Promise<unknown>;

/** The statements, and the large tables that each has to read whole, because any row of them may count. */
const STATEMENTS: Record<string, { run: Run; whole?: string[] }> = {
  'prices of items': { run: (db) => loadPricedItems(db, CONTEXT, ITEMS) },
  'prices of items of a quote with a request': {
    run: (db) => loadPricedItems(db, { ...CONTEXT, quoteId: OPEN_QUOTE }, ITEMS),
  },
  'prices of items of many quotes': {
    run: (db) => loadPricedItemsOfMany(db, [{ ...CONTEXT, quoteId: OPEN_QUOTE, itemIds: ITEMS }]),
  },
  'prices that a membership would give': {
    run: (db) => readIfMember(db, CONTEXT, new Map(ITEMS.map((id) => [id, {} as PricedItem]))),
  },
  'contracts with items, for an administrator': { run: (db) => contractFacts(db, { ...ASKED, user: ADMIN }) },
  'contracts with items, for a sales rep': { run: (db) => contractFacts(db, { ...ASKED, user: REP }) },
  'a quote as its board shows it': {
    run: (db, services) => quoteFacts({ db, services, user: ADMIN }, OPEN_QUOTE, false),
  },
  'what a board shows beside its quote': {
    run: (db, services) =>
      recallKnown({ db, services }, null, { personIds: [1, 2], itemIds: ITEMS, facilityIds: [FACILITY] }),
  },
  'lines that a change of prices concerns': { run: (db) => affectedLines(db, changes, TODAY) },
  'sources of quoted prices': { run: (db) => readSources(db, [1, 2, 3]) },
  'coming days of prices': { run: (db) => comingDays(db, TODAY, '2099-01-01'), whole: ['contract_line'] },
  'quotes of a territory to move': { run: (db, services) => quotesToMove(db, services, { territoryId: 3 }) },
  'report of a file of ZIPs': { run: zipFile },
  'rows of a savings analysis': {
    run: (db, services) =>
      searchAnalysisRows({ db, services, user: ADMIN }, { id: analysisId, show: 'all', page: 1, pageSize: 50 }),
  },
  'products that items may be': { run: (_, services) => keepSuggestions(services, ITEMS) },
  'facilities with several GPOs': {
    run: () => server.ok(GposToChoose.SearchGposToChoose, { page: 1, pageSize: 20 }, { as: ADMIN.id }),
  },
  'all items of a search': {
    run: (db) => allItems(db, { keyword: 'catheter', hasRecentSaleOnly: false }, new Date(), { limit: 50 }),
  },
};

it.each(Object.entries(STATEMENTS))('%s', async (_name, { run, whole = [] }) => {
  // A statement gets its lasting plan when a connection runs it for the sixth time.
  for (let n = 1; n <= 8; n++) {
    planned.length = 0;
    await run(server.db, server.services);
    expect(planned.length).toBeGreaterThan(0);
    expect([...new Set(planned.flatMap((entry) => wholeTables(entry.Plan, LARGE)))].toSorted()).toEqual(whole);
  }
});

// The planner knows the staged rows from before their ids were looked up, and would join them one by one.
it('what a contract file reaches is read by ids, never by a join with its staged rows', async () => {
  planned.length = 0;
  await inTransaction(server.db, async (trx) => {
    await sql`create temp table import_row on commit drop as
      select contract_id, item_id from contract_line limit 100`.execute(trx);
    const contracts = sql`select contract_id from import_row`;
    const facilities = sql`select facility_id from contract_roster where contract_id in (${contracts})`;
    await wouldGet(trx, TODAY, { contracts, items: sql`select item_id from import_row` });
    await wouldGet(trx, TODAY, { contracts, facilities });
  });
  const tables = planned.map(({ Plan }) => [...new Set(tablesOf(Plan))]);
  expect(tables.flat()).toEqual(expect.arrayContaining(['import_row', 'contract_line', 'contract_roster']));
  const joined = tables.filter((read) => read.includes('import_row') && read.includes('contract_line'));
  expect(joined).toEqual([]);
});

/** Plans an import that gives a ZIP to another territory. */
function zipFile(db: Db): Promise<void> {
  return inTransaction(db, async (trx) => {
    const run = { ...IMPORT, author: ADMIN, headingOf: (field: string) => field };
    await openStage(trx, tazRows);
    await stageRows(trx, tazRows, [{ row_no: 1, line: 2, zip5: '60601', territory: 'Union 2', action: 'assign' }]);
    await plan(trx, run);
    await kindReport(trx, run);
  });
}

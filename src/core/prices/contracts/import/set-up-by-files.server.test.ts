// Tests that files of contracts, prices and rosters set up an empty company: every line gets its price, and each import reports this.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DataImport, type ImportView } from '#platform/data-import/data-import.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { anImporter, figures, type Importer, refusals } from '#testing/an-importer.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

let server: TestServer;
let ada: Importer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-10-20T15:00:00Z');
  ada = await anImporter(server);
});
afterAll(() => server.close());

const FACILITIES = 12;
const ITEMS = 20;
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const file = (...rows: string[]) => rows.join('\n');
/** Tier 1 costs 8.01, 8.02 …, and tier 2 costs half a dollar less. Odd facilities are in tier 1. */
const tierOf = (facility: number) => (facility % 2 === 1 ? 1 : 2);
const priceOf = (item: number, tier: number) => Number((8 + item / 100 - (tier === 2 ? 0.5 : 0)).toFixed(2));

/** Imports a file, without a refused row. */
async function take(kind: string, text: string, options: Record<string, unknown> = {}): Promise<ImportView> {
  const checked = await ada.check(await ada.upload(kind, text), options);
  expect([kind, refusals(checked)]).toEqual([kind, []]);
  return ada.apply(checked);
}
const answers = ({ report }: ImportView) => report?.conclusion?.lists.flatMap(({ rows }) => rows) ?? [];

async function linesOf(acctNo: string, as: { id: number }) {
  const { id: facilityId } = await server.db
    .selectFrom('facility')
    .select('id')
    .where('acct_no', '=', acctNo)
    .executeTakeFirstOrThrow();
  const items = await server.db.selectFrom('item').select('id').orderBy('item_number').execute();
  const { items: lines } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId }, items: items.map(({ id: itemId }) => ({ itemId, qty: 2, unit: 'BX' })) },
    { as },
  );
  return lines;
}

test('240 of 240 lines come at the contract price, and the imports say so before the first quote', async () => {
  const cs = await aUser(server.db, { roles: ['csrep'] });
  await take('facilities', file('Account,Name', ...numbers(FACILITIES).map((n) => `H-${n},Hospital ${n}`)));
  await take(
    'items',
    file('Item,Description,Unit', ...numbers(ITEMS).map((n) => `I-${String(n).padStart(2, '0')},Item ${n},EA`)),
  );
  const itemNumber = (n: number) => `I-${String(n).padStart(2, '0')}`;
  await take('units', file('Item,Unit,Factor', ...numbers(ITEMS).map((n) => `${itemNumber(n)},BX,10`)));
  await take('prices', file('Item,Unit,Price', ...numbers(ITEMS).map((n) => `${itemNumber(n)},BX,12.00`)));

  const heads = await take(
    'contracts',
    file(
      'Contract #,GPO,Contract Title,Effective Date,Expiration Date,State,Tier,Tier Name',
      'MS-1,Vizient,Gloves,01/01/2026,12/31/2027,Active,1,Base',
      'MS-1,,,,,,2,Committed',
    ),
    { createGpos: true },
  );
  expect(heads.report?.conclusion).toEqual({ notes: ['MS-1 has no prices yet.'], lists: [] });
  const prices = await take(
    'contract-prices',
    file(
      'Contract No,Item No,UOM,Tier,Price,From,To',
      ...numbers(ITEMS).flatMap((n) =>
        [1, 2].map((tier) => `MS-1,${itemNumber(n)},BX,${tier},${priceOf(n, tier)},01/01/2026,`),
      ),
    ),
  );
  expect(prices.report?.conclusion).toEqual({ notes: ['MS-1 has no one on the roster yet.'], lists: [] });
  const roster = file(
    'Contract No,Account No,Tier,From',
    ...numbers(FACILITIES).map((n) => `MS-1,H-${n},${tierOf(n)},01/01/2026`),
  );
  const rosters = await take('rosters', roster);
  expect(rosters.report?.conclusion?.notes).toEqual([
    'Today 240 of 240 contract prices would price a line for 12 facilities on the rosters.',
  ]);
  expect(answers(rosters)).toEqual([['12', '240', 'Yes']]);

  let right = 0;
  for (const n of numbers(FACILITIES)) {
    const lines = await linesOf(`H-${n}`, cs);
    right += lines.filter(
      ({ unitPrice, priceSource }, at) => priceSource === 'Contract' && unitPrice === priceOf(at + 1, tierOf(n)),
    ).length;
  }
  expect(right).toBe(240);

  // Importing the same file again writes nothing and reports the same result.
  const again = await ada.check(await ada.upload('rosters', roster));
  expect([again.report?.writes, answers(again)]).toEqual([0, [['12', '240', 'Yes']]]);
});

test('a second GPO, a letter, another primary GPO and a draft are the reasons that say no, counted', async () => {
  const cs = await aUser(server.db, { roles: ['csrep'] });
  await take(
    'contracts',
    file(
      'Contract #,GPO,Contract Title,Effective Date,Expiration Date,State,Tier,Tier Name,LOC',
      'PP-1,Premier,Gowns,01/01/2026,12/31/2027,Active,1,Base,',
      'PP-1,,,,,,2,Committed,yes',
      'PP-2,Premier,Masks,01/01/2026,12/31/2027,Draft,1,Base,',
    ),
    { createGpos: true },
  );
  await take(
    'contract-prices',
    file(
      'Contract No,Item No,UOM,Tier,Price,From',
      'PP-1,I-01,BX,1,7.00,01/01/2026',
      'PP-1,I-01,BX,2,6.00,01/01/2026',
      'PP-1,I-02,BX,1,7.50,01/01/2026',
      'PP-2,I-03,BX,1,5.00,01/01/2026',
    ),
  );
  await take(
    'memberships',
    file(
      'Account,GPO,Primary,From',
      'H-2,Vizient,yes,01/01/2026',
      'H-3,Premier,yes,01/01/2026',
      'H-4,Premier,yes,01/01/2026',
    ),
  );
  const rosters = await take(
    'rosters',
    file(
      'Contract No,Account No,Tier,From',
      'PP-1,H-1,1,01/01/2026',
      'PP-1,H-2,1,01/01/2026',
      'PP-1,H-3,1,01/01/2026',
      'PP-1,H-4,2,01/01/2026',
      'PP-2,H-5,1,01/01/2026',
      'PP-1,H-6,1,12/01/2026',
    ),
  );
  expect(rosters.report?.conclusion?.notes).toEqual([
    'Today 2 of 11 contract prices would price a line for 6 facilities on the rosters.',
  ]);
  expect(answers(rosters)).toEqual([
    ['1', '2', 'Yes'],
    [
      '1',
      '2',
      'No: Two GPOs: choose. The rosters of Premier and Vizient name the facility, and none of them is its primary GPO',
    ],
    ['1', '2', 'No: Offered, not used: Premier is not the declared primary GPO'],
    ['1', '2', 'No: Tier 2 needs an approved letter of commitment (there is none)'],
    ['1', '2', 'No: The place on the roster begins later'],
    ['1', '1', 'No: The contract is a draft: activate it'],
  ]);
  const [first] = await linesOf('H-1', cs);
  expect(first).toMatchObject({ unitPrice: 12, priceSource: 'List' });
  expect(first?.priceChoice).toContain('Two GPOs: choose');
});

test('an excluded facility, and one without its letter, do not get the price of the contract', async () => {
  const cs = await aUser(server.db, { roles: ['csrep'] });
  const members = ['EX-1', 'EX-2', 'EX-3', 'EX-4', 'EX-5', 'EX-6', 'EX-7'];
  await take('facilities', file('Account,Name', ...members.map((account, at) => `${account},Clinic ${at}`)));
  await take('items', file('Item,Description,Unit', 'EX-9,Stapler,EA'));
  await take('prices', file('Item,Unit,Price', 'EX-9,EA,120'));
  await take(
    'contracts',
    file(
      'Contract #,Contract Title,Effective Date,Expiration Date,State,Tier,Tier Name,LOC Req.',
      'EX-C,Staplers,01/01/2026,12/31/2027,Active,1,Base,N',
      'EX-C,,,,,2,Committed,Y',
    ),
  );
  await take('contract-prices', file('Contract,Item,UOM,Level,Price', 'EX-C,EX-9,EA,1,99', 'EX-C,EX-9,EA,2,90'));
  const roster = file(
    'Contract,Account,Tier,Excluded,Participating,Approved,Opt Out',
    'EX-C,EX-1,1,N,Y,Yes,',
    'EX-C,EX-2,1,Y,Y,Yes,',
    'EX-C,EX-3,1,,N,Yes,',
    'EX-C,EX-4,1,,,No,',
    'EX-C,EX-5,2,,,,',
    'EX-C,EX-6,1,,,maybe,',
    'EX-C,EX-7,1,,,,Y',
  );
  const result = await ada.upload('rosters', roster);
  // Two columns exclude facilities, so the import asks about the second one.
  expect(result.missing).toBe(
    "Choose what this column is, or mark it as not used: 'Opt Out' may be whether the row counts.",
  );
  const decided = await server.ok(DataImport.MatchColumns, { id: result.id, unused: [6] }, { as: ada });
  const checked = await ada.check(decided);
  expect(refusals(checked)).toEqual(["7 Approved 'maybe' is neither yes nor no"]);
  expect(figures(checked)).toMatchObject({ New: 6, Excluded: 3 });
  await ada.apply(checked);
  const { id: itemId } = await server.db
    .selectFrom('item')
    .select('id')
    .where('item_number', '=', 'EX-9')
    .executeTakeFirstOrThrow();
  const prices = [];
  for (const account of members) {
    const { id: facilityId } = await server.db
      .selectFrom('facility')
      .select('id')
      .where('acct_no', '=', account)
      .executeTakeFirstOrThrow();
    const { items } = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { facilityId }, items: [{ itemId, qty: 1, unit: 'EA' }] },
      { as: cs },
    );
    prices.push(`${account} ${items[0]?.unitPrice} ${items[0]?.priceSource}`);
  }
  // EX-5 has no letter for tier 2, EX-6 was refused, and the column of EX-7 was marked as not used.
  expect(prices).toEqual([
    'EX-1 99 Contract',
    'EX-2 120 List',
    'EX-3 120 List',
    'EX-4 120 List',
    'EX-5 120 List',
    'EX-6 120 List',
    'EX-7 99 Contract',
  ]);
  // The next roster includes one facility again and excludes another one.
  await take(
    'rosters',
    file('Contract,Account,Tier,Excluded,From', 'EX-C,EX-2,1,N,11/01/2026', 'EX-C,EX-1,1,Excluded,11/01/2026'),
  );
  const rows = await server.db
    .selectFrom('contract_roster as r')
    .innerJoin('facility as f', 'f.id', 'r.facility_id')
    .select(['f.acct_no', 'r.excluded', 'r.tier_id', 'r.valid_to'])
    .where('f.acct_no', 'in', ['EX-1', 'EX-2'])
    .orderBy('f.acct_no')
    .orderBy('r.valid_from')
    .execute();
  expect(rows.map((row) => [row.acct_no, row.excluded, row.tier_id !== null, row.valid_to])).toEqual([
    ['EX-1', false, true, '2026-10-31'],
    ['EX-1', true, false, null],
    ['EX-2', true, false, '2026-10-31'],
    ['EX-2', false, true, null],
  ]);
});

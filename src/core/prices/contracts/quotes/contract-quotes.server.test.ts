// Tests a contract on very many quotes: pages in every order, and how many quotes each user sees.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Contract } from '../contracts.contract.ts';

/** More quotes than the query counts, with more lines than it reads line by line. */
const QUOTES = 1_010;
const LINES = 20;
const OWN = 30;

let server: TestServer;
let office: Awaited<ReturnType<typeof aSalesOffice>>;
let contractId: number;
beforeAll(async () => {
  server = await startTestServer();
  const { db } = server;
  office = await aSalesOffice(db);
  const item = await anItem(db);
  const lines = [{ itemId: item.id, price: 10 }];
  const contract = await aContract(db, { facilityIds: [office.facility.id], lines });
  contractId = contract.id;
  const plain = await aQuote(db, { facility: office.facility, ownerId: office.contracts.id });
  await sql`insert into quote (facility_id, facility_name, facility_acct_no, owner_id, quote_date, valid_until, status_id)
    select ${office.facility.id}, 'Hospital ' || n * 7 % 13,
      '', case when n <= ${OWN} then ${office.rep.id}::int else ${office.contracts.id} end,
      date '2026-01-01' + n * 11 % 97, date '2026-12-31', (array['Won', 'Editing', 'SentToCustomer'])[n % 3 + 1]
    from generate_series(1, ${QUOTES}::int) n`.execute(db);
  await sql`insert into quote_item (quote_id, line_no, item_id, qty, line_total, contract_line_id)
    select q.id, n, ${item.id}, 1, 2, ${contract.lineIds[0] ?? 0} from quote q, generate_series(1, ${LINES}) n
    where q.id <> ${plain.id}`.execute(db);
});
afterAll(() => server.close());

const page = (as: { id: number }, field: string, dir: 'asc' | 'desc', at = 1) =>
  server.ok(Contract.GetContractQuotes, { contractId, page: at, pageSize: OWN, sort: { field, dir } }, { as });

it('stops counting at 1,000 for people who see all quotes, and counts all quotes of a representative', async () => {
  expect(await page(office.contracts, 'quoteDate', 'desc')).toMatchObject({ total: 1000, more: true, pageCount: 34 });
  const own = await page(office.rep, 'quoteDate', 'desc');
  expect(own).toMatchObject({ total: OWN, pageCount: 1 });
  expect(own.more).toBeUndefined();
  expect(own.records).toHaveLength(OWN);
  expect(new Set(own.records.map(({ ownerName, amount }) => `${ownerName} ${amount}`))).toEqual(
    new Set([`${office.rep.fullName} ${2 * LINES}`]),
  );
});

it.each(['quoteDate', 'number', 'facilityName', 'statusId'] as const)('pages by %s, both ways', async (field) => {
  const all = await server.db
    .selectFrom('quote')
    .innerJoin('quote_item', 'quote_item.quote_id', 'quote.id')
    .distinct()
    .select(['quote.num', 'quote.quote_date as quoteDate', 'quote.facility_name as facilityName'])
    .select('quote.status_id as statusId')
    .execute();
  const keys = all.map((row) => (field === 'number' ? `${row.num}` : row[field])).toSorted();
  for (const dir of ['asc', 'desc'] as const) {
    const [first, two] = [await page(office.contracts, field, dir), await page(office.contracts, field, dir, 2)];
    const results = [...first.records, ...two.records];
    expect(new Set(results.map(({ id }) => id)).size).toBe(2 * OWN);
    expect(results.map((row) => row[field])).toEqual((dir === 'asc' ? keys : keys.toReversed()).slice(0, 2 * OWN));
  }
});

it('handles few quotes with very many lines, and adds only those that count', async () => {
  const { db } = server;
  const item = await anItem(db);
  const lines = [{ itemId: item.id, price: 10 }];
  const long = await aContract(db, { facilityIds: [office.facility.id], lines });
  const quote = await aQuote(db, { facility: office.facility, ownerId: office.contracts.id });
  await sql`insert into quote_item (quote_id, line_no, item_id, qty, line_total, contract_line_id)
    select ${quote.id}, n, ${item.id}, 1, 2, ${long.lineIds[0] ?? 0} from generate_series(1, 20001) n`.execute(db);
  await sql`insert into quote_item (quote_id, line_no, item_id, qty, line_total, contract_line_id, active, optional)
    select ${quote.id}, 20001 + n, ${item.id}, 1, 2, ${long.lineIds[0] ?? 0}, n = 1, n = 1 from generate_series(1, 2) n`.execute(
    db,
  );
  const result = await server.ok(Contract.GetContractQuotes, { contractId: long.id }, { as: office.contracts });
  expect(result).toMatchObject({ total: 1, records: [{ id: quote.id, amount: 40_002 }] });
});

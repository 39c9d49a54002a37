// Tests the use of contracts and items, and the sales of territories, against figures computed by hand.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StatusId } from '#core/quoting/quotes/status.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aFacility, aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Report } from '../reports.contract.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-21T15:00:00Z');
});
afterAll(() => server.close());

const YEAR = { from: '2026-01-01', to: '2026-12-31' };
type Facility = Awaited<ReturnType<typeof aFacility>>;

async function aLine(
  ownerId: number,
  overrides: {
    facility: Facility;
    statusId?: StatusId;
    quoteDate?: string;
    item: { id: number };
    unit: number;
    contract?: { lineId: number; tierId: number };
  },
) {
  const { facility, statusId = 'Editing', quoteDate = '2026-05-05', item, unit, contract } = overrides;
  const { id } = await aQuote(server.db, { ownerId, facility, statusId, quoteDate });
  const proof = contract
    ? [
        {
          step: 'Contract',
          source: '',
          ref: `contract_line ${contract.lineId} tier ${contract.tierId}`,
          amount: unit,
          note: '',
        },
      ]
    : [];
  await server.db
    .insertInto('quote_item')
    .values({
      quote_id: id,
      line_no: 1,
      item_id: item.id,
      qty: 2,
      unit: 'EA',
      list_price: 10,
      system_price: unit,
      unit_price: unit,
      line_total: unit * 2,
      contract_line_id: contract?.lineId ?? null,
      price_proof: JSON.stringify(proof),
    })
    .execute();
  return id;
}

test('contracts, their tiers, what ends under them, and who never bought', async () => {
  const rep = await aUser(server.db);
  const admin = await aUser(server.db, { roles: ['systemadmin'] });
  const item = await anItem(server.db);
  const [buyer, asker, silent] = [await aFacility(server.db), await aFacility(server.db), await aFacility(server.db)];
  const { id, number, tierId, lineIds } = await aContract(server.db, {
    to: '2027-01-15',
    facilityIds: [buyer.id, asker.id, silent.id],
    lines: [{ itemId: item.id, price: 9 }],
  });
  const contract = { lineId: lineIds[0] ?? 0, tierId };
  const line = { item, unit: 9, contract };
  await aLine(rep.id, { ...line, facility: buyer, statusId: 'Won' });
  await aLine(rep.id, { ...line, facility: asker, statusId: 'Lost' });
  await aLine(rep.id, { ...line, facility: asker });
  await aLine(rep.id, { ...line, facility: asker, statusId: 'Cancelled' });
  await aLine(rep.id, { item, unit: 5, facility: silent, statusId: 'Won' });
  const filters = { ...YEAR, contractId: id };

  const report = await server.ok(Report.GetContractUse, filters, { as: admin });
  const use = { quoted: 3, quotedAmount: 54, won: 1, wonAmount: 18 };
  expect(report.contracts).toMatchObject([
    { contractId: id, number, ...use, tiers: [{ tierId, name: 'Tier 1', ...use }] },
  ]);
  expect(report.neverBought).toMatchObject([{ contractId: id, entitled: 3, never: 2 }]);
  expect(report.neverBought[0]?.facilities.map((facility) => facility.id)).toEqual(
    expect.arrayContaining([asker.id, silent.id]),
  );
  expect(report.expiring).toMatchObject([{ contractId: id, endsOn: '2027-01-15', count: 1, amount: 18 }]);
  expect(report.mostQuoted).toMatchObject([
    { itemId: item.id, quoted: 3, quotedAmount: 54, won: 1, lost: 1, lostAmount: 18 },
  ]);

  // A rep who serves none of the facilities does not see which ones are on the roster.
  const own = await server.ok(Report.GetContractUse, filters, { as: rep });
  expect(own.contracts).toMatchObject([use]);
  expect(own.neverBought).toEqual([]);
});

test('the price of an item over facilities: each counts with its newest quote, in the usual unit', async () => {
  const rep = await aUser(server.db);
  const item = await anItem(server.db);
  const facilities = [await aFacility(server.db), await aFacility(server.db), await aFacility(server.db)];
  for (const [index, facility] of facilities.entries()) {
    await aLine(rep.id, { facility, item, unit: 1, quoteDate: '2026-02-02' });
    await aLine(rep.id, { facility, item, unit: 6 + index, quoteDate: '2026-03-03', statusId: 'Won' });
  }
  const { mostWon } = await server.ok(Report.GetContractUse, YEAR, { as: rep });
  expect(mostWon).toMatchObject([
    { itemId: item.id, won: 3, wonAmount: 42, price: { unit: 'EA', low: 6, median: 7, high: 8, facilities: 3 } },
  ]);
});

test('territories: won, open, and the same days a year before', async () => {
  const rep = await aUser(server.db);
  const region = await aRegion(server.db);
  const territory = await aTerritory(server.db, { regionId: region.id, zips: [], sales: rep.id });
  const decided = async (at: string, totalAmount: number, territoryId?: number) => {
    const input = { ownerId: rep.id, statusId: 'Won' as const, totalAmount, ...(territoryId ? { territoryId } : {}) };
    const { id } = await aQuote(server.db, input);
    await sql`insert into quote_event (quote_id, user_id, actor, action, from_status, to_status, revision, at)
      values (${id}, ${rep.id}, 'Rep', 'MarkWon', 'SentToCustomer', 'Won', 1, ${at}::timestamptz)`.execute(server.db);
  };
  await decided('2026-03-10T12:00:00Z', 150, territory.id);
  await decided('2025-03-10T12:00:00Z', 100, territory.id);
  await decided('2025-06-10T12:00:00Z', 999, territory.id);
  await decided('2026-03-11T12:00:00Z', 7);
  await aQuote(server.db, { ownerId: rep.id, territoryId: territory.id, totalAmount: 30 });
  const { territories } = await server.ok(
    Report.GetTerritorySales,
    { from: '2026-03-01', to: '2026-03-31' },
    { as: rep },
  );
  expect(territories).toMatchObject([
    {
      territoryId: territory.id,
      name: territory.name,
      regionId: region.id,
      won: 150,
      wonCount: 1,
      open: 30,
      openCount: 1,
      wonYearBefore: 100,
      changePct: 50,
    },
    { territoryId: null, name: 'No territory', won: 7, wonYearBefore: 0, changePct: null },
  ]);
});

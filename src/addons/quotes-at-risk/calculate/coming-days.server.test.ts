// Tests that quotes at risk are found on any coming day on which their prices change, compared with pricing every line on every day.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { addDays, type IsoDate } from '#platform/shared/dates.ts';
import { seeded } from '#demo/random.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import {
  aContract,
  aContractPrice,
  aGpo,
  aLetter,
  aMembership,
  anAccountPrice,
  aRosterRow,
  aTier,
} from '#testing/factories/contracts.server.ts';
import { aFacility, aSalesOffice } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { differs } from './judge-line.server.ts';
import { readLines } from './risk-lines.server.ts';
import { lastDay, pricesOn, risksOf, termsOn } from './work-out.server.ts';

const TODAY = '2026-10-20';
const PLACES = 4;

let server: TestServer;
let office: Awaited<ReturnType<typeof aSalesOffice>>;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow(`${TODAY}T15:00:00Z`);
  office = await aSalesOffice(server.db);
});
afterAll(() => server.close());

const quoteOf = async (facilityId: number, itemIds: readonly number[], validUntil: IsoDate) => {
  const input = { quote: { facilityId, validUntil }, items: itemIds.map((itemId) => ({ itemId, qty: 5 })) };
  return (await server.ok(QuoteEdit.SaveSalesRepQuote, input, { as: office.inside })).quote.id;
};

/** The first day from today on which each line differs, by id: as the job finds it, and by pricing it on every day. */
async function firstDays(quoteIds: readonly number[]) {
  return server.db.transaction().execute(async (trx) => {
    const risks = await risksOf(trx, { quoteIds }, await termsOn(trx, TODAY, PLACES));
    const lines = await readLines(trx, { quoteIds }, TODAY);
    const every = lines.flatMap((line) => {
      const days: { line: typeof line; day: IsoDate }[] = [];
      for (let day: IsoDate = TODAY; day <= lastDay(line, TODAY); day = addDays(day, 1)) days.push({ line, day });
      return days;
    });
    const prices = await pricesOn(trx, every, PLACES);
    const expected = new Map<number, IsoDate>();
    every.forEach(({ line, day }, at) => {
      const then = prices[at];
      if (then && !expected.has(line.id) && differs(line, then)) expected.set(line.id, day);
    });
    return { found: new Map(risks.map(({ line, day }) => [line.id, day])), expected };
  });
}

test('many agreed prices of other items, and of its own, hide no later one', async () => {
  const facility = await aFacility(server.db);
  const [own, ...others] = await Promise.all(Array.from({ length: 9 }, () => anItem(server.db, { price: 10 })));
  if (!own) throw new Error('nine items');
  await anAccountPrice(server.db, { facilityId: facility.id, itemId: own.id, price: 8 });
  const quoteId = await quoteOf(facility.id, [own.id], '2027-01-10');
  for (const [at, item] of others.entries())
    await anAccountPrice(server.db, {
      facilityId: facility.id,
      itemId: item.id,
      price: 7,
      from: addDays(TODAY, at + 1),
    });
  // Eight contract prices of the item, for another facility.
  const elsewhere = await aFacility(server.db);
  const contract = await aContract(server.db, {
    facilityIds: [elsewhere.id],
    lines: [{ itemId: own.id, price: 9, to: '2026-10-31' }],
  });
  for (let at = 0; at < 8; at += 1)
    await aContractPrice(server.db, {
      lineId: contract.lineIds[0] ?? 0,
      tierId: contract.tierId,
      price: 9,
      from: addDays('2026-11-01', at),
      to: addDays('2026-11-01', at),
    });
  await anAccountPrice(server.db, { facilityId: facility.id, itemId: own.id, price: 54.5, from: '2026-12-01' });
  const { found, expected } = await firstDays([quoteId]);
  expect([...found.values()]).toEqual(['2026-12-01']);
  expect(found).toEqual(expected);
});

test('the end of a letter for a tier without a price is such a day: the tier below has one', async () => {
  const facility = await aFacility(server.db);
  const item = await anItem(server.db, { price: 10 });
  const { id: contractId, tierId } = await aContract(server.db, { lines: [{ itemId: item.id, price: 6 }] });
  const second = await aTier(server.db, { contractId, no: 2, needsLoc: true, fallbackId: tierId });
  const place = { contractId, tierId: second.id, facilityId: facility.id };
  await aRosterRow(server.db, place);
  await aLetter(server.db, { ...place, to: '2026-11-07' });
  const { found, expected } = await firstDays([await quoteOf(facility.id, [item.id], '2026-11-20')]);
  expect([...found.values()]).toEqual(['2026-11-08']);
  expect(found).toEqual(expected);
});

test('a typed price hides no end of the system price beside it', async () => {
  const facility = await aFacility(server.db);
  const item = await anItem(server.db, { price: 10 });
  await anAccountPrice(server.db, { facilityId: facility.id, itemId: item.id, price: 8, to: '2026-11-10' });
  const input = {
    quote: { facilityId: facility.id, validUntil: '2026-11-20' },
    items: [{ itemId: item.id, qty: 5, unitPrice: 7.5, priceReason: 'Agreed' }],
  };
  const { quote } = await server.ok(QuoteEdit.SaveSalesRepQuote, input, { as: office.inside });
  const { found, expected } = await firstDays([quote.id]);
  expect([...found.values()]).toEqual(['2026-11-11']);
  expect(found).toEqual(expected);
});

test('what ends today counts tomorrow', async () => {
  const facility = await aFacility(server.db);
  const item = await anItem(server.db, { price: 10 });
  const gpo = await aGpo(server.db);
  await aMembership(server.db, { facilityId: facility.id, gpoId: gpo.id });
  const { id: contractId } = await aContract(server.db, {
    gpoId: gpo.id,
    openTo: 'members',
    lines: [{ itemId: item.id, price: 6 }],
  });
  await aRosterRow(server.db, { contractId, facilityId: facility.id, tierId: null, to: TODAY });
  const { found, expected } = await firstDays([await quoteOf(facility.id, [item.id], '2026-11-20')]);
  expect([...found.values()]).toEqual([addDays(TODAY, 1)]);
  expect(found).toEqual(expected);
});

test.each([1, 2, 3])('a random company, %d: each line on the first day on which it differs', async (seed) => {
  const random = seeded(seed);
  const { db } = server;
  const someDay = () => addDays(TODAY, random.int(1, 80));
  const days = () => {
    const from = random.chance(0.5) ? addDays(TODAY, -random.int(1, 200)) : someDay();
    return { from, to: random.chance(0.5) ? addDays(from > TODAY ? from : TODAY, random.int(0, 40)) : null };
  };
  const parent = await aFacility(db);
  const facilities = [parent, await aFacility(db, { parentId: parent.id }), await aFacility(db)];
  const items = await Promise.all(Array.from({ length: 6 }, () => anItem(db, { price: 10 })));
  for (const { id: itemId } of items) {
    for (const { id: facilityId } of facilities)
      for (let left = random.int(0, 3); left > 0; left -= 1)
        await anAccountPrice(db, { facilityId, itemId, price: random.int(8, 10), ...days() });
    if (random.chance(0.5))
      await db
        .insertInto('item_price')
        .values({ item_id: itemId, unit: 'EA', price: random.int(9, 11), valid_from: someDay() })
        .execute();
  }
  for (let left = 3; left > 0; left -= 1) {
    const { from, to } = days();
    const lines = items.flatMap(({ id: itemId }) => (random.chance(0.5) ? [{ itemId, price: random.int(7, 10) }] : []));
    const contract = await aContract(db, { from, ...(to === null ? {} : { to }), lines });
    const second = await aTier(db, { contractId: contract.id, no: 2, needsLoc: true, fallbackId: contract.tierId });
    for (const lineId of contract.lineIds)
      if (random.chance(0.6))
        await aContractPrice(db, { lineId, tierId: second.id, price: random.int(6, 9), ...days() });
    for (const { id: facilityId } of facilities) {
      const tierId = random.chance(0.2) ? null : random.chance(0.5) ? second.id : contract.tierId;
      const place = { contractId: contract.id, facilityId, coversChildren: random.chance(0.5) };
      if (random.chance(0.6)) await aRosterRow(db, { ...place, tierId, ...days() });
      if (random.chance(0.6)) await aLetter(db, { ...place, tierId: second.id, ...days() });
    }
  }
  const quoteIds: number[] = [];
  for (const { id: facilityId } of facilities) {
    const typed = () => (random.chance(0.3) ? { unitPrice: 9.5, priceReason: 'Agreed' } : {});
    const input = {
      quote: { facilityId, validUntil: addDays(TODAY, random.int(20, 85)) },
      items: items.map(({ id }) => ({ itemId: id, qty: 5, ...typed() })),
    };
    quoteIds.push((await server.ok(QuoteEdit.SaveSalesRepQuote, input, { as: office.inside })).quote.id);
  }
  const { found, expected } = await firstDays(quoteIds);
  expect(expected.size).toBeGreaterThan(5);
  expect(found).toEqual(expected);
});

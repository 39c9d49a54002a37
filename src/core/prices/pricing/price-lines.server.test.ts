// Tests prices of many lines from the database: which row each line gets, and the number of queries.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#platform/db/database.server.ts';
import { promotionsFor } from '#core/prices/promotions/promotions.server.ts';
import { freshDatabase } from '#testing/base-database.server.ts';
import { anItem, aPromotion } from '#testing/factories/catalog.server.ts';
import { aContract, aGpo, aMembership, anAccountPrice } from '#testing/factories/contracts.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';
import { resolvePrices } from './price-lines.server.ts';

const priceDate = '2026-11-21';
let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

const usd = (facilityId: number | null) => ({ facilityId, currnIdx: 1007, priceDate, places: 4 as const });

test('prices lines in their order: list, account, the parent’s account, contract', async () => {
  const { db } = database;
  const parent = await aFacility(db);
  const facility = await aFacility(db, { parentId: parent.id });
  const units = { EA: 1, BX: 50 };
  const [listed, own, parents, contracted, unpriced] = await Promise.all([
    anItem(db, { units, price: 0.2 }),
    anItem(db, { units, price: 0.2 }),
    anItem(db, { units, price: 0.2 }),
    anItem(db, { units, price: 0.2 }),
    anItem(db, { units, prices: [] }),
  ]);
  for (const itemId of [own.id, contracted.id]) {
    await anAccountPrice(db, { facilityId: facility.id, itemId, unit: 'BX', price: 9, reference: 'Letter 7' });
  }
  await anAccountPrice(db, { facilityId: parent.id, itemId: parents.id, price: 0.19 });
  await anAccountPrice(db, { facilityId: parent.id, itemId: own.id, price: 0.01 });
  const gpo = await aGpo(db);
  await aMembership(db, { facilityId: facility.id, gpoId: gpo.id });
  const contract = await aContract(db, {
    gpoId: gpo.id,
    to: '2026-10-31',
    extendedTo: '2026-12-31',
    facilityIds: [facility.id],
    lines: [{ itemId: contracted.id, price: 9.5, unit: 'BX' }],
  });

  const line = (item: { id: number }, unit = 'BX') => ({ itemId: item.id, unit, qty: 3 });
  const prices = await resolvePrices(db, usd(facility.id), [
    line(contracted),
    line(listed),
    line(own),
    line(parents),
    line(unpriced),
    line(listed, ''),
    { itemId: 2_000_000_000, unit: 'EA', qty: 1 },
  ]);
  expect(prices.map(({ systemPrice, priceSource }) => [systemPrice, priceSource])).toEqual([
    [9.5, 'Contract'],
    [10, 'List'],
    [9, 'Account'],
    [9.5, 'Account'],
    [null, ''],
    [0.2, 'List'],
    [null, ''],
  ]);
  expect(prices[0]).toMatchObject({
    listPrice: 10,
    accountPrice: 9,
    contractAboveAccount: true,
    contractLineId: contract.lineIds[0],
    priceEnds: '2026-12-31',
  });
  expect(prices[4]?.problem).toContain(unpriced.itemNumber);

  const without = await resolvePrices(db, usd(null), [line(contracted), line(own)]);
  expect(without.map(({ systemPrice }) => systemPrice)).toEqual([10, 10]);
});

test('a local agreement comes before the primary GPO; other memberships and missing letters only appear in the proof', async () => {
  const { db } = database;
  const facility = await aFacility(db);
  const item = await anItem(db, { price: 10 });
  const [primary, other] = [await aGpo(db), await aGpo(db)];
  await aMembership(db, { facilityId: facility.id, gpoId: primary.id });
  await aMembership(db, { facilityId: facility.id, gpoId: other.id, primary: false });
  const common = { facilityIds: [facility.id] };
  const priceNow = async () => {
    const [price] = await resolvePrices(db, usd(facility.id), [{ itemId: item.id, unit: 'EA', qty: 1 }]);
    return price;
  };
  await aContract(db, { ...common, gpoId: other.id, lines: [{ itemId: item.id, price: 1 }] });
  await aContract(db, {
    ...common,
    gpoId: primary.id,
    needsLoc: true,
    locState: 'Sent',
    lines: [{ itemId: item.id, price: 2 }],
  });
  expect(await priceNow()).toMatchObject({ systemPrice: 10, priceSource: 'List' });

  await aContract(db, {
    ...common,
    gpoId: primary.id,
    needsLoc: true,
    locState: 'Approved',
    lines: [{ itemId: item.id, price: 7 }],
  });
  expect(await priceNow()).toMatchObject({ systemPrice: 7, priceSource: 'Contract' });

  await aContract(db, { ...common, gpoId: null, lines: [{ itemId: item.id, price: 8 }] });
  const price = await priceNow();
  expect(price).toMatchObject({ systemPrice: 8, priceSource: 'Contract' });
  expect(price?.proof.filter(({ step }) => step === 'Contract')).toHaveLength(4);
});

test('a thousand lines take one query, as one line does', async () => {
  const { db } = database;
  const facility = await aFacility(db);
  const item = await anItem(db, { price: 10 });
  const lines = Array.from({ length: 1000 }, (_, index) => ({
    itemId: item.id + (index % 3),
    unit: 'EA',
    qty: index + 1,
  }));
  const count = async (input: typeof lines) => {
    let queries = 0;
    const client = database.pool;
    const listener = () => void queries++;
    client.on('acquire', listener);
    await resolvePrices(db, usd(facility.id), input);
    client.off('acquire', listener);
    return queries;
  };
  expect(await count(lines.slice(0, 1))).toBe(1);
  expect(await count(lines)).toBe(1);
});

test('finds running, active promotions of items, and a fixed price only in its currency', async () => {
  const { db } = database;
  const [item, other] = [await anItem(db), await anItem(db)];
  const percent = await aPromotion(db, { itemId: item.id });
  const free = await aPromotion(db, { itemId: item.id, type: 'BuyXGetYFree', buy: 10, get: 1, to: priceDate });
  const fixed = await aPromotion(db, { itemId: item.id, type: 'Price', amount: 8 });
  const euros = await aPromotion(db, { itemId: item.id, type: 'Price', amount: 7, currnIdx: 1009 });
  await aPromotion(db, { itemId: item.id, to: '2026-11-20' });
  await aPromotion(db, { itemId: item.id, from: '2026-11-22' });
  await aPromotion(db, { itemId: item.id, active: false });
  const ids = async (currnIdx: number) =>
    (await promotionsFor(db, [item.id, other.id, item.id], { currnIdx, date: priceDate }))
      .get(item.id)
      ?.map(({ id }) => id);
  expect(await ids(1007)).toEqual([percent.id, free.id, fixed.id]);
  expect(await ids(1)).toEqual([percent.id, free.id, fixed.id]);
  expect(await ids(1009)).toEqual([percent.id, free.id, euros.id]);
  const result = await promotionsFor(db, [item.id, other.id], { currnIdx: 1007, date: priceDate });
  expect(result.has(other.id)).toBe(false);
  expect(result.get(item.id)?.[1]).toMatchObject({
    promotionType: 'BuyXGetYFree',
    itemNumber: item.itemNumber,
    buyXGetYFreeBuyQty: 10,
    buyXGetYFreeGetQty: 1,
    validTo: priceDate,
  });
  expect(await promotionsFor(db, [], { currnIdx: 1007, date: priceDate })).toEqual(new Map());
});

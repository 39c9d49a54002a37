// Tests how cross-references affect searches and pastes: for whom they apply, which one is nearest, and when the user must choose.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ItemSearch } from '#core/catalog/items/items.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract, aGpo, aMembership, aTier } from '#testing/factories/contracts.server.ts';
import { aCrossReference } from '#testing/factories/cross-references.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';

const { server, office, aDraft } = await startOffice();
const { db } = server;
afterAll(() => server.close());

type Row = { itemNumber: string; qty?: number; unit?: string };
const paste = async (quoteId: number | null, rows: Row[]) =>
  server.ok(
    QuoteEdit.ResolvePastedItems,
    { quoteId, rows: rows.map((row) => ({ qty: 1, ...row })) },
    { as: office.inside },
  );
const find = (number: string, facilityId: number | null) =>
  server.ok(ItemSearch.SearchItemByNumber, { number, hasRecentSaleOnly: false, facilityId }, { as: office.inside });

describe('for whom a reference counts', () => {
  const items: Record<string, { id: number; itemNumber: string }> = {};
  const at: Record<string, number> = {};

  beforeAll(async () => {
    for (const scope of ['Facility', 'Parent', 'GPO', 'Everybody'])
      items[scope] = await anItem(db, { number: `OF-${scope}` });
    const idOf = (scope: string) => items[scope]?.id ?? 0;
    const gpo = await aGpo(db);
    const parent = await aFacility(db);
    at['parent'] = parent.id;
    at['child'] = (await aFacility(db, { parentId: parent.id })).id;
    at['sister'] = (await aFacility(db, { parentId: parent.id })).id;
    at['member'] = (await aFacility(db)).id;
    at['former'] = (await aFacility(db)).id;
    at['other'] = (await aFacility(db)).id;
    for (const facilityId of [parent.id, at['member']]) await aMembership(db, { facilityId, gpoId: gpo.id });
    await aMembership(db, { facilityId: at['former'], gpoId: gpo.id, to: '2021-12-31' });
    const number = 'CUST 4471-B';
    await aCrossReference(db, { number, item_id: idOf('Facility'), scope: 'Facility', facility_id: at['child'] });
    await aCrossReference(db, { number, item_id: idOf('Parent'), scope: 'Parent', facility_id: parent.id });
    await aCrossReference(db, { number, item_id: idOf('GPO'), scope: 'GPO', gpo_id: gpo.id });
    await aCrossReference(db, { number, item_id: idOf('Everybody') });
  });

  test.each([
    ['child', 'OF-Facility', 'Your reference: CUST 4471-B = our OF-Facility'],
    ['sister', 'OF-Parent', 'Reference of the parent: CUST 4471-B = our OF-Parent'],
    ['parent', 'OF-Parent', 'Reference of the parent: CUST 4471-B = our OF-Parent'],
    ['member', 'OF-GPO', 'Reference of the GPO: CUST 4471-B = our OF-GPO'],
    ['former', 'OF-Everybody', 'Reference: CUST 4471-B = our OF-Everybody'],
    ['other', 'OF-Everybody', 'Reference: CUST 4471-B = our OF-Everybody'],
  ])('%s finds %s, the nearest', async (who, itemNumber, foundBy) => {
    for (const typed of ['CUST 4471-B', 'cust4471b']) {
      const hits = await find(typed, at[who] ?? 0);
      expect(hits.map((hit) => [hit.itemNumber, hit.foundBy, hit.isMeant])).toEqual([[itemNumber, foundBy, true]]);
    }
    const { records } = await server.ok(
      ItemSearch.SearchItemAdvanced,
      { keyword: 'CUST 4471-B', hasRecentSaleOnly: false, facilityId: at[who] ?? 0 },
      { as: office.inside },
    );
    expect(records).toMatchObject([{ itemNumber, foundBy }]);
  });

  test('without a facility only what counts for everybody is found', async () => {
    expect(await find('CUST 4471-B', null)).toMatchObject([{ itemNumber: 'OF-Everybody', isMeant: true }]);
  });

  test('a roster of a contract in effect makes a member, and so its reference counts', async () => {
    const gpo = await aGpo(db);
    const item = await anItem(db);
    await aCrossReference(db, { number: 'ROST-5', item_id: item.id, scope: 'GPO', gpo_id: gpo.id });
    const facility = await aFacility(db);
    expect(await find('ROST-5', facility.id)).toEqual([]);
    const contract = await aContract(db, { gpoId: gpo.id });
    const tier = await aTier(db, { contractId: contract.id, no: 2 });
    await db
      .insertInto('contract_roster')
      .values({ contract_id: contract.id, facility_id: facility.id, tier_id: tier.id, valid_from: '2020-01-01' })
      .execute();
    expect(await find('ROST-5', facility.id)).toMatchObject([{ itemNumber: item.itemNumber, isMeant: true }]);
  });
});

test('an equivalent and a substitute are always asked of a person; an ended one finds nothing', async () => {
  const draft = await aDraft();
  const [glove, pad, gone] = [await anItem(db, { number: '10023' }), await anItem(db), await anItem(db)];
  const own = { scope: 'Facility', facility_id: office.facility.id } as const;
  await aCrossReference(db, { ...own, maker: 'Medline', number: 'MDS1234', item_id: glove.id, kind: 'Equivalent' });
  await aCrossReference(db, { number: 'SUB-7', item_id: pad.id, kind: 'Substitute' });
  await aCrossReference(db, { number: 'OLD-1', item_id: gone.id, ended: true });
  const rows = await paste(draft.quote.id, [
    { itemNumber: 'mds 1234' },
    { itemNumber: 'SUB7' },
    { itemNumber: 'OLD-1' },
  ]);
  expect(rows.map(({ state, problem, candidates }) => [state, problem, candidates[0]?.itemId])).toEqual([
    ['ambiguous', 'Did you mean 10023? Your reference: Medline MDS1234 = our 10023, equivalent.', glove.id],
    ['ambiguous', `Did you mean ${pad.itemNumber}? Reference: SUB-7 = our ${pad.itemNumber}, substitute.`, pad.id],
    ['notFound', 'Item OLD-1 does not exist.', undefined],
  ]);
  expect(await find('MDS1234', office.facility.id)).toMatchObject([
    { isMeant: false, mustChoose: true, foundBy: 'Your reference: Medline MDS1234 = our 10023, equivalent' },
  ]);
  const price = { itemNumber: 'MDS1234', facilityId: office.facility.id };
  expect((await server.call(ItemSearch.SearchItemPrices, price, { as: office.inside })).status).toBe(422);
});

test('zeros at the beginning are kept apart: without them a person is asked', async () => {
  const draft = await aDraft();
  const [long, short] = [await anItem(db), await anItem(db)];
  await aCrossReference(db, { number: '00815', item_id: long.id });
  const ask = () => paste(draft.quote.id, [{ itemNumber: '0-0815' }, { itemNumber: '815' }]);
  expect((await ask()).map(({ state, candidates }) => [state, candidates.length])).toEqual([
    ['found', 1],
    ['ambiguous', 1],
  ]);
  await aCrossReference(db, { number: '815', item_id: short.id });
  expect((await ask()).map(({ state, candidates: [first] }) => [state, first?.itemId])).toEqual([
    ['found', long.id],
    ['found', short.id],
  ]);
});

test('our very number and a near reference to another item: a person decides; a reference for everybody gives way', async () => {
  const draft = await aDraft();
  const [ours, theirs] = [await anItem(db, { number: '77810' }), await anItem(db)];
  await aCrossReference(db, { number: '77810', item_id: theirs.id });
  expect((await paste(draft.quote.id, [{ itemNumber: '77810' }]))[0]).toMatchObject({
    state: 'found',
    candidates: [{ itemId: ours.id, reference: '' }],
  });
  const own = { scope: 'Facility', facility_id: office.facility.id } as const;
  await aCrossReference(db, { ...own, number: '77810', item_id: theirs.id });
  expect((await paste(draft.quote.id, [{ itemNumber: '77810' }]))[0]).toMatchObject({
    state: 'ambiguous',
    candidates: [{ itemId: theirs.id }, { itemId: ours.id }],
  });
  // For another customer's quote it is our number.
  expect((await paste(null, [{ itemNumber: '77810' }]))[0]).toMatchObject({ candidates: [{ itemId: ours.id }] });
});

test('two entries of one scope that contradict each other are both offered', async () => {
  const [a, b] = [await anItem(db), await anItem(db)];
  for (const item of [a, b]) await aCrossReference(db, { maker: 'Acme', number: 'TWICE', item_id: item.id });
  expect((await paste(null, [{ itemNumber: 'TWICE' }]))[0]).toMatchObject({
    state: 'ambiguous',
    candidates: [{ itemId: a.id }, { itemId: b.id }],
  });
});

test('a row without a unit gets the unit of the reference, and a row with another unit gets a message', async () => {
  const draft = await aDraft();
  const item = await anItem(db, { number: 'UN-1', units: { EA: 1, BX: 10, CS: 100 } });
  await aCrossReference(db, { number: 'PER-BX', item_id: item.id, unit: 'BX' });
  await aCrossReference(db, { number: 'PER-PL', item_id: item.id, unit: 'PL' });
  await aCrossReference(db, { number: 'BOTH', item_id: item.id, unit: 'BX' });
  await aCrossReference(db, { number: 'BOTH', item_id: item.id, unit: 'CS', maker: 'Acme' });
  const rows = await paste(draft.quote.id, [
    { itemNumber: 'PER-BX' },
    { itemNumber: 'PER-BX', unit: 'box' },
    { itemNumber: 'PER-BX', unit: 'CS' },
    { itemNumber: 'PER-PL' },
    { itemNumber: 'BOTH' },
    { itemNumber: 'BOTH', unit: 'CS' },
  ]);
  expect(rows.map(({ problem, candidates: [first] }) => [first?.unit, problem])).toEqual([
    ['BX', ''],
    ['BX', ''],
    ['', 'The row says CS, the reference BX. Choose the unit.'],
    ['', 'The reference says PL, but UN-1 is not sold by it. Choose the unit.'],
    ['', 'Two references for this number use different units. Choose the unit.'],
    ['CS', ''],
  ]);
});

test('rows whose number no item has get items by their words, and nothing by a single one of many', async () => {
  const [good, better] = [
    await anItem(db, { description: 'Glove exam nitrile blue', sellingRank: '' }),
    await anItem(db, { description: 'Glove exam nitrile large' }),
  ];
  const propose = (...words: string[]) =>
    server.ok(
      QuoteEdit.ProposePastedItems,
      { rows: words.map((text) => ({ words: text, unit: 'EA' })) },
      { as: office.inside },
    );
  const results = await propose(
    'Gloves exam nitrile large 100/bx',
    'gloves exam vinyl',
    'zeppelin',
    'glove zeppelin mast',
    '',
  );
  expect(results.map((all) => all.map(({ itemId }) => itemId))).toEqual([
    [better.id],
    [good.id, better.id],
    [],
    [],
    [],
  ]);
  expect(results[0]?.[0]).toMatchObject({ unit: 'EA', reference: '' });
});

// Tests the lookup of pasted rows over HTTP: every row gets a result, in order, and nothing is guessed.
import { afterAll, expect, test } from 'vitest';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aCrossReference } from '#testing/factories/cross-references.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { QuoteEdit } from '../quote-edit.contract.ts';

const { server, office } = await startOffice();
afterAll(() => server.close());

test('pasted rows: found, ambiguous, not found; every row answers, in order, nothing dropped', async () => {
  const item = await anItem(server.db, { number: 'ZX-5520', units: { EA: 1, BX: 50 } });
  await anItem(server.db, { number: 'ZX-5520-L' });
  await anItem(server.db, { number: '100%_SURE' });
  const gone = await anItem(server.db, { number: 'ZX-9', status: 'Discontinued' });
  const maker = await anItem(server.db);
  await server.db.updateTable('item').set({ manufacturer_no: 'MF-77' }).where('id', '=', maker.id).execute();
  const rows = [
    { itemNumber: 'zx-5520', qty: 4, unit: 'bx' },
    { itemNumber: 'ZX-5520', qty: 1, unit: 'CS' },
    { itemNumber: 'ZX-5520' },
    { itemNumber: 'ZX-55', qty: 1 },
    { itemNumber: 'ZX-5520-', qty: 1 },
    { itemNumber: 'mf-77', qty: 2 },
    { itemNumber: 'nothing', qty: 2 },
    { itemNumber: '100%', qty: 1 },
    { itemNumber: gone.itemNumber, qty: 1 },
    { itemNumber: '', qty: 1 },
    { itemNumber: 'ZX-5520', qty: -2 },
  ];
  const results = await server.ok(QuoteEdit.ResolvePastedItems, { rows }, { as: office.rep });
  expect(results.map(({ itemNumber }) => itemNumber)).toEqual(rows.map(({ itemNumber }) => itemNumber));
  expect(results.map(({ state, candidates, problem }) => [state, candidates.length, problem])).toEqual([
    ['found', 1, ''],
    ['found', 1, 'ZX-5520 is not sold by CS. Its units: EA, BX (50 EA).'],
    ['found', 1, 'This row has no quantity.'],
    ['ambiguous', 2, '2 items match. Choose one.'],
    ['ambiguous', 1, 'Did you mean ZX-5520-L?'],
    ['found', 1, ''],
    ['notFound', 0, 'Item nothing does not exist.'],
    ['ambiguous', 1, 'Did you mean 100%_SURE?'],
    ['found', 1, 'ZX-9 is discontinued and cannot be added.'],
    ['notFound', 0, 'This row has no item number.'],
    ['found', 1, 'The quantity must be above 0.'],
  ]);
  expect(results[0]?.candidates[0]).toEqual({
    itemId: item.id,
    itemNumber: 'ZX-5520',
    description: item.description,
    unit: 'BX',
    units: [
      { unit: 'EA', factor: 1 },
      { unit: 'BX', factor: 50 },
    ],
    gone: false,
    reference: '',
    problem: '',
  });
  expect(results[1]?.candidates[0]).toMatchObject({ unit: '', problem: results[1]?.problem });
  expect(results[8]?.candidates[0]?.gone).toBe(true);
  const quote = { facilityId: office.facility.id };
  const draft = await server.ok(QuoteEdit.SaveSalesRepQuote, { quote }, { as: office.inside });
  const stranger = await aUser(server.db, { roles: ['salesrep'] });
  const input = { quoteId: draft.quote.id, rows };
  expect((await server.call(QuoteEdit.ResolvePastedItems, input, { as: stranger })).status).toBe(404);
  expect((await server.call(QuoteEdit.ResolvePastedItems, { rows: [] }, { as: office.rep })).status).toBe(422);
});

test('more matches than are offered are not counted as all', async () => {
  for (const end of '123456789') await anItem(server.db, { number: `MANY-${end}` });
  const rows = [
    { itemNumber: 'MANY-', qty: 1 },
    { itemNumber: 'MANY', qty: 1 },
  ];
  const ask = () => server.ok(QuoteEdit.ResolvePastedItems, { rows }, { as: office.rep });
  const [result] = await ask();
  expect([result?.candidates.length, result?.problem]).toEqual([
    8,
    'More than 8 items match. Type more of the number.',
  ]);
  await server.db.updateTable('item').set({ item_number: 'OTHER-9' }).where('item_number', '=', 'MANY-9').execute();
  expect((await ask())[1]).toMatchObject({ state: 'ambiguous', problem: '8 items match. Choose one.' });
});

test('a pasted unit is one of the matching item, or the user must choose it', async () => {
  const [pad, glove] = [
    await anItem(server.db, { number: '551029', units: { EA: 1, CS: 10 } }),
    await anItem(server.db, { number: '551044', units: { EA: 1, BX: 100, CS: 1000 } }),
  ];
  const rows = [
    [pad, 'CARTON', '', '551029 is not sold by CARTON. Its units: EA, CS (10 EA).'],
    [pad, 'Case', 'CS', ''],
    [pad, 'CS of 10', 'CS', ''],
    [pad, 'Case of 10 EA', 'CS', ''],
    [pad, 'CASE12', '', "'CASE12' says CS of 12, but 551029 has CS (10 EA): choose the unit."],
    [glove, 'BX/100', 'BX', ''],
    [
      glove,
      'Box of 50 pieces',
      '',
      "'Box of 50 pieces' says BX of 50 EA, but 551044 has BX (100 EA): choose the unit.",
    ],
    [glove, '100 EA/BX', '', "'100 EA/BX' can mean BX (100 EA) or EA: choose the unit."],
    [glove, 'EA/100', '', "'EA/100' says EA of 100, but 551044 has EA: choose the unit."],
    [glove, 'PALLET', '', '551044 is not sold by PALLET. Its units: EA, BX (100 EA), CS (1,000 EA).'],
    [glove, '', 'EA', ''],
  ] as const;
  const results = await server.ok(
    QuoteEdit.ResolvePastedItems,
    { rows: rows.map(([item, unit]) => ({ itemNumber: item.itemNumber, qty: 3, unit })) },
    { as: office.rep },
  );
  expect(results.map(({ candidates: [first], problem }) => [first?.unit, problem])).toEqual(
    rows.map(([, , unit, problem]) => [unit, problem]),
  );
});

test('numbers of the facility count before there is a quote, also behind a word such as CUST', async () => {
  const item = await anItem(server.db, { number: 'CU-4471' });
  const { id: facilityId } = office.facility;
  await aCrossReference(server.db, { number: '4471-B', item_id: item.id, scope: 'Facility', facility_id: facilityId });
  const rows = ['4471-B', 'CUST 4471-B', 'Item # 4471-B', 'CUST 9999-X'].map((itemNumber) => ({ itemNumber, qty: 1 }));
  const statesOf = async (overrides: { facilityId?: number }) =>
    (await server.ok(QuoteEdit.ResolvePastedItems, { rows, ...overrides }, { as: office.rep })).map(
      ({ state }) => state,
    );
  expect(await statesOf({ facilityId })).toEqual(['found', 'found', 'found', 'notFound']);
  expect(await statesOf({})).toEqual(['notFound', 'notFound', 'notFound', 'notFound']);
});

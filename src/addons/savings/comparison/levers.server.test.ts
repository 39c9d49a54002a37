// Tests the results of a comparison besides its prices over HTTP: approvals, another tier, split rows, another day.
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { CrossReference } from '#core/catalog/cross-references/cross-references.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract, aContractPrice, anAccountPrice, aTier } from '#testing/factories/contracts.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { startSavings } from '#testing/start-savings.server.ts';
import { Savings } from '../savings.contract.ts';

const { server, db, office, stranger, glove, gauze, mask, upload, rowsOf } = await startSavings();
afterAll(() => server.close());

it('says before the quote is made which approval rules would fire, and for whom', async () => {
  const buyer = await aSalesOffice(db);
  const filters = { facilityIds: [buyer.facility.id] };
  const rule = await db
    .insertInto('approval_rule')
    .values({
      name: 'Deep discount',
      metric: 'discountPct',
      operator: '>',
      threshold: 10,
      role: 'salesQuoteManager',
      filters: JSON.stringify(filters),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const id = await upload(
    ['V1,Acme,ACM-2210,GLOVE NITRILE,CS,1000,10,140', 'V2,Bexton,00381,CATHETER IV,BX,50,10,90'].join('\n'),
    { as: buyer.rep, facilityId: buyer.facility.id },
  );
  const preview = async (as = buyer.inside) =>
    (await server.ok(Savings.PreviewQuotes, { id, quantities: 'year' }, { as })).quotes;
  const numbers = () => sql<{ n: number }>`select last_value::int as n from quote_num`.execute(db);
  const { rows: before } = await numbers();
  expect(await preview()).toMatchObject([{ lines: 2, totalAmount: 1900, rules: [] }]);
  const [gloves, caths] = await rowsOf(id, buyer.inside);
  const type = (row: typeof gloves, typedPrice: number) =>
    server.ok(
      Savings.SetRows,
      { id, rows: [{ id: row?.id ?? 0, version: row?.version ?? 0, typedPrice, priceReason: 'Match' }] },
      { as: buyer.inside },
    );
  expect((await type(gloves, 89)).rows).toMatchObject([{ approvals: [] }]);
  expect((await type(caths, 80)).rows[0]?.approvals).toContain('Deep discount → Sales quote manager');
  const [ahead] = await preview();
  expect(ahead).toMatchObject({ lines: 2, totalAmount: 1690 });
  // The lines are numbered as on the quote, with a section before each class.
  expect(ahead?.rules.find(({ ruleId }) => ruleId === rule.id)).toMatchObject({
    figure: 20,
    lines: [4],
    decides: buyer.manager.fullName,
  });
  expect((await numbers()).rows).toEqual(before);
  const { quotes } = await server.ok(Savings.MakeQuotes, { id, quantities: 'year' }, { as: buyer.inside });
  const board = await server.ok(
    QuoteEdit.PopulateQuoteEditDataForInternalRep,
    { id: quotes[0]?.id ?? 0 },
    { as: buyer.inside },
  );
  expect(board.approvalNeeded).toEqual(ahead?.rules.map(({ decides: _decides, ...fired }) => fired));
  expect([board.quote.totalAmount, board.quote.validUntil]).toEqual([ahead?.totalAmount, ahead?.validUntil]);
  expect((await server.call(Savings.PreviewQuotes, { id, quantities: 'year' }, { as: stranger.rep })).status).toBe(404);
});

it('says what another tier of a contract would save in a year', async () => {
  const buyer = await aSalesOffice(db);
  const contract = await aContract(db, {
    facilityIds: [buyer.facility.id],
    lines: [
      { itemId: glove.id, price: 85, unit: 'CS' },
      { itemId: gauze.id, price: 19, unit: 'BX' },
    ],
  });
  const [gloveLine = 0, gauzeLine = 0] = contract.lineIds;
  const second = await aTier(db, { contractId: contract.id, no: 2, needsLoc: true, name: 'Commitment 80%' });
  const third = await aTier(db, { contractId: contract.id, no: 3 });
  await aContractPrice(db, { lineId: gloveLine, tierId: second.id, price: 80 });
  await aContractPrice(db, { lineId: gauzeLine, tierId: second.id, price: 19 });
  // More expensive than the list price, so it saves nothing.
  await aContractPrice(db, { lineId: gloveLine, tierId: third.id, price: 99 });
  const id = await upload(
    ['T1,Acme,ACM-2210,GLOVE NITRILE,CS,1000,120,140', 'T2,Bexton,00381,CATHETER IV,BX,50,10,90'].join('\n'),
    { as: buyer.rep, facilityId: buyer.facility.id },
  );
  const tiers = () => server.ok(Savings.GetTierSavings, { id }, { as: buyer.rep });
  const [gloves] = await rowsOf(id, buyer.rep);
  expect(gloves).toMatchObject({ ourPrice: 85, priceSource: 'Contract', ourYear: 10_200 });
  expect(await tiers()).toEqual([
    {
      contractId: contract.id,
      number: contract.number,
      rows: 1,
      ours: 10_200,
      now: [{ tierNo: 1, tierName: expect.any(String) }],
      tiers: [
        {
          tierId: second.id,
          tierNo: 2,
          tierName: 'Commitment 80%',
          requirement: '',
          needsLoc: true,
          rows: 1,
          saving: 600,
        },
      ],
    },
  ]);
  const set = (row: object) => server.ok(Savings.SetRows, { id, rows: [row as never] }, { as: buyer.rep });
  const typed = await set({ id: gloves?.id, version: gloves?.version, typedPrice: 79, priceReason: 'Match' });
  expect(await tiers()).toEqual([]);
  const back = await set({ id: gloves?.id, version: typed.rows[0]?.version, typedPrice: null });
  expect((await tiers()).map(({ tiers: [tier] }) => tier?.saving)).toEqual([600]);
  await set({ id: gloves?.id, version: back.rows[0]?.version, included: false });
  expect(await tiers()).toEqual([]);
  expect((await server.call(Savings.GetTierSavings, { id }, { as: stranger.rep })).status).toBe(404);
  await db.updateTable('app_user').set({ gpo_tab_hidden: true }).where('id', '=', buyer.inside.id).execute();
  expect((await server.call(Savings.GetTierSavings, { id }, { as: buyer.inside })).status).toBe(403);
});

it('splits a row that is two items, and joins it again', async () => {
  const id = await upload('X1,Nobody,XS-9,ZZQ SPLIT THING,BX,50,30,25\nX1,Nobody,XS-9,ZZQ SPLIT THING,BX,50,5,25');
  const [row] = await rowsOf(id);
  const read = ({ id: rowId, version }: { id: number; version: number }) => ({ id: rowId, version });
  if (!row) throw new Error('a row');
  const accept = (rows: { id: number; version: number }[], itemId: number, sameNumber = false) =>
    server.ok(
      Savings.DecideRows,
      { id, rows: rows.map(read), decision: 'accept', itemId, unit: 'BX', sameNumber },
      { as: office.rep },
    );
  const split = (qtyPerYear: number, target = row, as = office.rep) =>
    server.call(Savings.SplitRow, { id, row: read(target), qtyPerYear }, { as });
  expect((await split(30)).status).toBe(422);
  expect((await split(10, row, stranger.rep)).status).toBe(404);
  expect((await split(10, { ...row, version: row.version + 1 })).status).toBe(409);
  const { rows: parts } = await server.ok(
    Savings.SplitRow,
    { id, row: read(row), qtyPerYear: 10.5 },
    { as: office.rep },
  );
  const [first, second] = parts;
  if (!first || !second) throw new Error('two parts');
  expect(parts).toMatchObject([
    { id: row.id, rowNo: 2, part: 1, qtyPerYear: 19.5, taken: false },
    { rowNo: 2, part: 2, qtyPerYear: 10.5, taken: false, doubts: [expect.stringContaining('part of a split row')] },
  ]);
  expect((await rowsOf(id)).map(({ rowNo, part }) => [rowNo, part])).toEqual([
    [2, 1],
    [2, 2],
    [3, 0],
  ]);
  // A decision for the number applies to the first part and the other row. The second part is decided separately.
  const decided = await accept([first], mask.id, true);
  expect(decided.rows.map(({ rowNo, part }) => [rowNo, part])).toEqual([
    [2, 1],
    [3, 0],
  ]);
  const { rows: other, analysis } = await accept([second], gauze.id);
  expect(other).toMatchObject([{ match: { itemId: gauze.id }, theirYear: 262.5, ourYear: 210 }]);
  expect(analysis.totals).toMatchObject({ rows: 3, theirs: 875, ours: 19.5 * 5 + 210 + 25 });
  // The number means both items, so the split row is not remembered. The whole row is.
  const admin = await aUser(db, { roles: ['salesadmin'] });
  const known = await server.ok(CrossReference.SearchCrossReferences, { keyword: 'XS-9' }, { as: admin });
  expect(known.records.map(({ item }) => item.id)).toEqual([mask.id]);
  const join = (target: { id: number; version: number }, as = office.rep) =>
    server.call(Savings.JoinRow, { id, row: read(target) }, { as });
  const [now, part] = await rowsOf(id);
  if (!now || !part) throw new Error('two parts');
  expect((await join(now)).status).toBe(409);
  expect((await join(part, stranger.rep)).status).toBe(404);
  const joined = await server.ok(Savings.JoinRow, { id, row: read(part) }, { as: office.rep });
  expect(joined).toMatchObject({
    rows: [{ id: row.id, part: 0, qtyPerYear: 30, match: { itemId: mask.id }, ourYear: 150 }],
    analysis: { counts: { all: 2 }, totals: { rows: 2, theirs: 875, ours: 175 } },
  });
  const history = await server.ok(Savings.GetAnalysisHistory, { id }, { as: office.rep });
  const events = history.records.filter(({ action }) => action === 'Split row' || action === 'Join row');
  expect(events.flatMap(({ changes }) => changes)).toEqual([
    { field: 'Row 2, quantity per year', before: '19.5 and 10.5', after: '30' },
    { field: 'Row 2, quantity per year', before: '30', after: '19.5 and 10.5' },
  ]);
  const unknown = await upload('X2,Nobody,XS-8,ZZQ,BX,50,,25');
  const [none] = await rowsOf(unknown);
  const input = { id: unknown, row: read(none ?? row), qtyPerYear: 1 };
  expect((await server.call(Savings.SplitRow, input, { as: office.rep })).status).toBe(422);
});

it('prices the rows again on another day, and says what changed', async () => {
  const item = await anItem(db, {
    number: 'RP-1',
    description: 'Wound drain silicone',
    units: { EA: 1, BX: 10 },
    prices: [{ unit: 'BX', price: 40 }],
  });
  const id = await upload('P1,,,WOUND DRAIN SILICONE,BX,10,12,45\nP2,Acme,ACM-2210,GLOVE NITRILE,CS,1000,10,140', {
    name: 'again.csv',
  });
  const [drain] = await rowsOf(id);
  const accepted = await server.ok(
    Savings.DecideRows,
    {
      id,
      rows: [{ id: drain?.id ?? 0, version: drain?.version ?? 0 }],
      decision: 'accept',
      itemId: item.id,
      unit: 'BX',
    },
    { as: office.rep },
  );
  expect(accepted.rows).toMatchObject([{ ourPrice: 40, priceSource: 'List', ourYear: 480 }]);
  const changes = (as = office.rep) => server.ok(Savings.GetPriceChanges, { id }, { as });
  expect(await changes()).toEqual({ earlier: [], changed: 0, yearChange: 0, turnedDearer: 0, rows: [] });
  const { version, priceDate, totals } = accepted.analysis;
  await anAccountPrice(db, { facilityId: office.facility.id, itemId: item.id, unit: 'BX', price: 50 });
  server.setNow('2026-11-25T15:00:00Z');
  const reprice = (read: number, as = office.rep) =>
    server.call(Savings.RepriceAnalysis, { id, version: read }, { as });
  expect((await reprice(version - 1)).status).toBe(409);
  expect((await reprice(version, stranger.rep)).status).toBe(404);
  const after = await server.ok(Savings.RepriceAnalysis, { id, version }, { as: office.rep });
  expect(after).toMatchObject({ priceDate: '2026-11-25', totals: { rows: 2, ours: totals.ours + 120, dearerRows: 1 } });
  expect(await changes()).toMatchObject({
    earlier: [{ priceDate, rows: 2, theirs: totals.theirs, ours: totals.ours, difference: totals.difference }],
    changed: 1,
    yearChange: 120,
    turnedDearer: 1,
    rows: [
      {
        rowId: drain?.id,
        itemNumber: 'RP-1',
        priceBefore: 40,
        priceNow: 50,
        sourceBefore: 'List',
        sourceNow: 'Account',
        yearChange: 120,
        turnedDearer: true,
        typed: false,
      },
    ],
  });
  // A second repricing on the same day changes nothing, and the earlier changes stay visible.
  await server.ok(Savings.RepriceAnalysis, { id, version: after.version }, { as: office.rep });
  expect(await changes()).toMatchObject({ earlier: [{ priceDate }], changed: 1 });
  // The earlier price of another item is not an earlier price of this one.
  const [now] = await rowsOf(id);
  const read = [{ id: now?.id ?? 0, version: now?.version ?? 0 }];
  await server.ok(Savings.DecideRows, { id, rows: read, decision: 'accept', itemId: mask.id }, { as: office.rep });
  expect(await changes()).toMatchObject({ earlier: [{ priceDate }], changed: 0, rows: [] });
  expect((await server.call(Savings.GetPriceChanges, { id }, { as: stranger.rep })).status).toBe(404);
  server.setNow('2026-11-21T15:00:00Z');
});

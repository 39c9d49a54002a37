// Tests savings analyses over HTTP: from a file to matched and compared rows, remembered decisions, sheets and quotes.
import ExcelJS from 'exceljs';
import { afterAll, expect, it } from 'vitest';
import { CrossReference } from '#core/catalog/cross-references/cross-references.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aCrossReference } from '#testing/factories/cross-references.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startSavings } from '#testing/start-savings.server.ts';
import { Savings } from './savings.contract.ts';

const { server, db, office, stranger, glove, cath, gauze, mask, upload, get, rowsOf } = await startSavings();
afterAll(() => server.close());

it('reads, matches and compares a file; the prices are those of a new quote line', async () => {
  const id = await upload(
    [
      'H100,ACME,acm2210,GLOVE EXAM NITRILE MED PF,CS,1000,120,140.00',
      'H101,Bexton,381,CATH IV 18GA 1.25IN,BX,50,24,90',
      'H102,Other,ZZ-9,SPONGE GAUZE 4X4 12PLY STERILE,BX,50,100,25',
      'H103,,,WHEELCHAIR RAMP,EA,,2,500',
    ].join('\n'),
  );
  const analysis = await get(id);
  expect(analysis).toMatchObject({ state: 'to-match', rowCount: 4, problem: '', priceDate: expect.any(String) });
  expect(analysis.columns.map(({ field }) => field)).toEqual([
    'itemNo',
    'maker',
    'makerNo',
    'description',
    'unit',
    'eachesPerUnit',
    'qtyPerYear',
    'price',
  ]);
  const [gloves, caths, sponges, ramp] = await rowsOf(id);
  expect(gloves).toMatchObject({
    match: { confidence: 'certain', itemId: glove.id, unit: 'CS', eachesPerUnit: 1000 },
    taken: true,
    ourPrice: 90,
    theirPerEach: 0.14,
    ourPerEach: 0.09,
    theirYear: 16_800,
    ourYear: 10_800,
    difference: 6000,
    differencePct: 35.71,
  });
  // '381' lost its zeros, but the descriptions agree.
  expect(caths).toMatchObject({ match: { confidence: 'certain', itemId: cath.id, unit: 'BX' }, difference: -240 });
  expect(sponges).toMatchObject({ match: { itemId: gauze.id }, taken: false, decision: 'open' });
  expect(['likely', 'possible']).toContain(sponges?.match.confidence);
  expect(ramp).toMatchObject({ match: { confidence: 'none', itemId: null } });
  expect(analysis.counts).toMatchObject({ all: 4, certain: 2, taken: 2, toLookAt: 1, noMatch: 1, noBid: 0 });
  expect(analysis.totals).toMatchObject({ rows: 2, theirs: 18_960, ours: 13_200, difference: 5760, dearerRows: 1 });
  expect(analysis.byClass.map(({ name, difference }) => [name, difference])).toEqual([
    ['Gloves', 6000],
    ['Other', -240],
  ]);
  const { items } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { facilityId: office.facility.id },
      items: [
        { id: 0, itemId: glove.id, unit: 'CS', qty: 10 },
        { id: 0, itemId: cath.id, unit: 'BX', qty: 2 },
      ],
    },
    { as: office.rep },
  );
  expect(items.map(({ unitPrice }) => unitPrice)).toEqual([gloves?.ourPrice, caths?.ourPrice]);
});

it('a unit that disagrees is never certain, whatever the number', async () => {
  const id = await upload(
    [
      'U1,Acme,ACM-2210,GLOVE NITRILE,CS,500,10,50', // our case has 1,000
      'U2,Acme,ACM-2210,GLOVE NITRILE,PK,,10,50', // no unit of ours
      'U3,Acme,ACM-2210,GLOVE NITRILE,,,10,50', // none at all
      'U4,Acme,ACM-2210,GLOVE NITRILE,PK,100,10,9.9', // another name, the same content
      'U5,Acme,ACM-2210,GLOVE NITRILE,BX (100 EA),50,10,9.9', // two sizes
      'U6,Acme,ACM-2210,GLOVE NITRILE,EA,100,10,9.9', // an each of 100
    ].join('\n'),
  );
  const rows = await rowsOf(id);
  expect(rows.map(({ itemNo, match, taken }) => [itemNo, match.confidence === 'certain', taken])).toEqual([
    ['U1', false, false],
    ['U2', false, false],
    ['U3', false, false],
    ['U4', true, true],
    ['U5', false, false],
    ['U6', false, false],
  ]);
  expect(rows[0]?.match.reasons.join(' ')).toContain('Their CS holds 500');
  expect(rows[2]?.doubts.join(' ')).toContain('The row has no unit');
  expect(rows[4]?.doubts.join(' ')).toMatch(/50 eaches.*100|100.*50 eaches/);
});

it('what contradicts the number is looked at by a person', async () => {
  await aCrossReference(db, { number: 'EQ-1', item_id: gauze.id, kind: 'Equivalent' });
  await aCrossReference(db, { number: 'SM-1', item_id: gauze.id, maker: 'Medley' });
  const id = await upload(
    [
      'C1,Bexton,00381,IV CATHETER 20G,BX,50,1,90', // another gauge
      'C2,Someone,ACM-2210,GLOVE NITRILE,BX,100,1,9', // another manufacturer
      'C3,Medley,EQ-1,GAUZE,BX,50,1,9', // an equivalent
      'C4,Medley,SM-1,GAUZE,BX,50,1,9',
      'GL-2210,,,STAPLER PAPER OFFICE,BX,100,1,9', // the customer's own number happens to be ours
      'C6,Acme,ACM-2210,GLOVE NITRILE,BX,100,1,950', // the price of a hundred boxes
    ].join('\n'),
  );
  const rows = await rowsOf(id);
  expect(rows.map(({ match }) => match.confidence)).toEqual([
    'likely',
    'likely',
    'likely',
    'certain',
    'likely',
    'certain',
  ]);
  expect(rows[0]?.match.reasons.join(' ')).toContain('Their gauge is 20, but ours is 18');
  expect(rows[5]).toMatchObject({ taken: false });
  expect(rows[5]?.doubts.join(' ')).toContain('far apart');
});

it('the number of a sibling is looked at by a person when the words are those of another item', async () => {
  const itemFields = { units: { EA: 1, BX: 50 }, manufacturer: 'Corvane' };
  await anItem(db, { ...itemFields, number: 'SY-1', description: 'Syringe 3 mL luer lock', manufacturerNo: 'CV-301' });
  const slip = await anItem(db, {
    ...itemFields,
    number: 'SY-2',
    description: 'Syringe 3 mL slip tip',
    manufacturerNo: 'CV-302',
  });
  const id = await upload(
    [
      'N1,Corvane,CV-301,SYR 3ML SLIP TIP,BX,50,1,9',
      'N2,Corvane,CV-302,SYR 3ML SLIP TIP,BX,50,1,9',
      'N3,Corvane,CV-301,SYRNG 3CC LUER LCK,BX,50,1,9',
    ].join('\n'),
  );
  const rows = await rowsOf(id);
  expect(rows.map(({ match }) => match.confidence)).toEqual(['likely', 'certain', 'certain']);
  expect(rows[0]?.match.reasons.join(' ')).toContain(
    'A similar item fits the description better because of: slip, tip',
  );
  const answer = await server.ok(Savings.GetRowCandidates, { id, rowId: rows[0]?.id ?? 0 }, { as: office.rep });
  expect(JSON.stringify(answer)).toContain(`"itemId":${slip.id}`);
});

it('decisions are written, remembered for the facility, and taken back', async () => {
  const id = await upload('D7,Nobody,NB-77,ZZQ THING,PK,50,12,30\nD7,Nobody,NB-77,ZZQ THING,PK,50,24,30');
  const [first, second] = await rowsOf(id);
  if (!first || !second) throw new Error('two rows');
  expect(first.match.confidence).toBe('none');
  const decide = (input: object, as = office.rep) =>
    server.call(Savings.DecideRows, { id, rows: [{ id: first.id, version: first.version }], ...input }, { as });
  expect((await decide({ decision: 'accept' })).status).toBe(422);
  expect((await decide({ decision: 'no-bid' })).status).toBe(422);
  expect((await decide({ decision: 'accept', itemId: mask.id, unit: 'CS' })).status).toBe(422);
  expect((await decide({ decision: 'accept', itemId: mask.id }, stranger.rep)).status).toBe(404);
  const everybody = { decision: 'accept', itemId: mask.id, remember: 'Everybody' };
  expect((await decide(everybody)).status).toBe(403);
  const accepted = await server.ok(
    Savings.DecideRows,
    { id, rows: [{ id: first.id, version: first.version }], decision: 'accept', itemId: mask.id, sameNumber: true },
    { as: office.rep },
  );
  expect(
    accepted.rows.map(({ decision, match, ourPrice, decidedBy }) => [
      decision,
      match.itemId,
      match.unit,
      ourPrice,
      decidedBy,
    ]),
  ).toEqual([
    ['accepted', mask.id, 'BX', 5, expect.any(String)],
    ['accepted', mask.id, 'BX', 5, expect.any(String)],
  ]);
  expect(accepted.analysis).toMatchObject({ state: 'ready', totals: { rows: 2, theirs: 1080, ours: 180 } });
  // A stale version is reported.
  expect((await decide({ decision: 'no-bid', reason: 'Not sold' })).status).toBe(409);
  const admin = await aUser(db, { roles: ['salesadmin'] });
  const known = await server.ok(CrossReference.SearchCrossReferences, { keyword: 'NB-77' }, { as: admin });
  expect(known.records).toMatchObject([
    { maker: 'Nobody', scope: 'Facility', item: { id: mask.id }, facility: { id: office.facility.id } },
  ]);

  const again = await upload('D7,Nobody,NB-77,ZZQ THING,PK,50,12,30');
  expect(await rowsOf(again)).toMatchObject([
    { match: { confidence: 'certain', itemId: mask.id, unit: 'BX' }, taken: true },
  ]);
  const elsewhere = await upload('D7,Nobody,NB-77,ZZQ THING,PK,50,12,30', {
    as: stranger.rep,
    facilityId: stranger.facility.id,
  });
  expect((await rowsOf(elsewhere, stranger.rep))[0]?.match.confidence).toBe('none');

  // A unit that we do not use becomes certain once a user has decided what it means, but only that unit.
  const cans = await upload('D8,Nobody,NB-78,ZZQ OTHER,CAN,,12,30\nD9,Nobody,NB-78,ZZQ OTHER,DRUM,,12,30');
  const [can] = await rowsOf(cans);
  const entry = { id: cans, rows: [{ id: can?.id ?? 0, version: can?.version ?? 0 }], decision: 'accept' as const };
  expect((await server.call(Savings.DecideRows, { ...entry, itemId: mask.id }, { as: office.rep })).status).toBe(422);
  await server.ok(Savings.DecideRows, { ...entry, itemId: mask.id, unit: 'BX' }, { as: office.rep });
  const next = await upload('D8,Nobody,NB-78,ZZQ OTHER,CAN,,12,30\nD9,Nobody,NB-78,ZZQ OTHER,DRUM,,12,30');
  expect((await rowsOf(next)).map(({ match, eachesPerUnit }) => [match.confidence, match.unit, eachesPerUnit])).toEqual(
    [
      ['certain', 'BX', 50],
      ['likely', '', null],
    ],
  );

  const [now] = accepted.rows;
  const open = await server.ok(
    Savings.DecideRows,
    { id, rows: [{ id: first.id, version: now?.version ?? 0 }], decision: 'open' },
    { as: office.rep },
  );
  expect(open).toMatchObject({
    rows: [{ decision: 'open', match: { itemId: null }, ourYear: null }],
    analysis: { state: 'to-match' },
  });
  const { records: events } = await server.ok(Savings.GetAnalysisHistory, { id }, { as: office.rep });
  expect(events.map(({ action, changes }) => [action, changes])).toEqual([
    ['Decide rows', [{ field: 'Row 2', before: 'accepted as MK-1 BX', after: 'open' }]],
    [
      'Decide rows',
      [
        { field: 'Row 2', before: 'open', after: 'accepted as MK-1 BX' },
        { field: 'Row 3', before: 'open', after: 'accepted as MK-1 BX' },
      ],
    ],
    ['Create', [{ field: 'File', before: '', after: 'usage.csv' }]],
  ]);
});

it('drops a typed price with the item or unit that it was typed for, from all figures', async () => {
  const id = await upload('L1,Acme,ACM-2210,GLOVE NITRILE,BX,100,10,14');
  const read = async () => {
    const [row] = await rowsOf(id);
    if (!row) throw new Error('a row');
    return row;
  };
  const { id: rowId, version } = await read();
  const typed = { id: rowId, version, typedPrice: 2, priceReason: 'Match' };
  await server.ok(Savings.SetRows, { id, rows: [typed] }, { as: office.rep });
  expect(await read()).toMatchObject({ typedPrice: 2, ourYear: 20 });
  const as = async (itemId: number, unit: string) => {
    const { version: now } = await read();
    const rows = [{ id: rowId, version: now }];
    await server.ok(Savings.DecideRows, { id, rows, decision: 'accept', itemId, unit }, { as: office.rep });
    return read();
  };
  expect(await as(glove.id, 'BX')).toMatchObject({ typedPrice: 2, ourYear: 20 });
  expect(await as(glove.id, 'CS')).toMatchObject({ typedPrice: null, ourPrice: 90, ourYear: 90 });
});

it('leaves rows out, matches prices, and sets a minimum saving', async () => {
  const id = await upload(
    ['L1,Acme,ACM-2210,GLOVE NITRILE,CS,1000,10,140', 'L2,Bexton,00381,CATHETER IV,BX,50,10,90'].join('\n'),
  );
  const [gloves, caths] = await rowsOf(id);
  if (!gloves || !caths) throw new Error('two rows');
  const set = (input: object) => server.ok(Savings.SetRows, { id, ...input }, { as: office.rep });
  expect((await set({ dearer: 'leave-out' })).analysis).toMatchObject({
    totals: { rows: 1, difference: 500 },
    counts: { leftOut: 1 },
  });
  expect((await set({ dearer: 'take-in' })).analysis.totals).toMatchObject({ rows: 2, difference: 400 });
  expect((await set({ minimumSavingPct: 10 })).analysis.totals).toMatchObject({ rows: 1 });
  expect((await set({ minimumSavingPct: null })).analysis.totals).toMatchObject({ rows: 2 });
  const { version } = (await rowsOf(id))[1] ?? { version: 0 };
  const row = { id: caths.id, version, typedPrice: 80 };
  expect((await server.call(Savings.SetRows, { id, rows: [row] }, { as: office.rep })).status).toBe(422);
  const matched = await set({ rows: [{ ...row, priceReason: 'Match' }] });
  expect(matched.rows).toMatchObject([{ typedPrice: 80, ourPrice: 100, ourYear: 800, difference: 100 }]);
  expect((await server.call(Savings.SetRows, { id, rows: [row] }, { as: office.rep })).status).toBe(409);
  const { quotes } = await server.ok(
    Savings.MakeQuotes,
    { id, quantities: 'year', clientKey: 'k1' },
    { as: office.rep },
  );
  const sent = await server.ok(Savings.MakeQuotes, { id, quantities: 'year', clientKey: 'k1' }, { as: office.rep });
  expect(sent.quotes.map((quote) => quote.id)).toEqual(quotes.map((quote) => quote.id));
  for (const other of [{ quantities: 'month' as const }, { quantities: 'year' as const, rows: [2_000_000_000] }]) {
    const refused = await server.call(Savings.MakeQuotes, { id, clientKey: 'k1', ...other }, { as: office.rep });
    expect(refused.status).toBe(409);
  }
  const board = await server.ok(
    QuoteEdit.PopulateQuoteEditDataForSalesRep,
    { id: quotes[0]?.id ?? 0 },
    { as: office.rep },
  );
  expect(
    board.items.map(({ type, description, customerItemNumber, qty, unit, unitPrice }) => [
      type,
      type === 'section' ? description : customerItemNumber,
      qty,
      unit,
      unitPrice,
    ]),
  ).toEqual([
    ['section', 'Gloves', 0, '', null],
    ['item', 'L1', 10, 'CS', 90],
    ['section', 'Other', 0, '', null],
    ['item', 'L2', 10, 'BX', 80],
  ]);
  expect(board.quote.facilityId).toBe(office.facility.id);
  expect((await get(id)).state).toBe('quoted');
  const quoteId = quotes[0]?.id ?? 0;
  const makeQuotes = () => server.ok(Savings.GetQuotesMade, { id }, { as: office.rep });
  const promised = { id: quoteId, quantities: 'year', rows: 2, promised: 600 };
  expect(await makeQuotes()).toMatchObject([{ ...promised, statusId: 'Editing', totalAmount: 1700, saving: 600 }]);
  // A discount on the quote saves more than promised. A removed line saves nothing.
  const saved = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { id: quoteId, version: board.quote.version, discountPct: 10, discountReason: 'Year' },
      items: board.items.flatMap(({ id: lineId, version: read, customerItemNumber }) =>
        customerItemNumber === 'L2' ? [{ id: lineId, version: read, remove: true }] : [],
      ),
    },
    { as: office.rep },
  );
  await db.updateTable('quote').set({ status_id: 'Won' }).where('id', '=', quoteId).execute();
  expect(await makeQuotes()).toMatchObject([
    { ...promised, statusId: 'Won', totalAmount: saved.quote.totalAmount, saving: 590 },
  ]);
  expect(saved.quote.totalAmount).toBe(810);
  expect((await server.call(Savings.GetQuotesMade, { id }, { as: stranger.rep })).status).toBe(404);
  // The history, newest first. Sending the quote again and refused calls add no events.
  const history = await server.ok(Savings.GetAnalysisHistory, { id }, { as: office.inside });
  expect(history.records.map(({ actor, action }) => [actor, action])).toEqual([
    [office.rep.fullName, 'Make quote'],
    ...Array.from({ length: 5 }, () => [office.rep.fullName, 'Edit']),
    [office.rep.fullName, 'Create'],
  ]);
  expect(history.records.flatMap(({ changes }) => changes)).toEqual([
    { field: 'Quote', before: '', after: `${quotes[0]?.number}, 2 lines` },
    { field: 'Row 3, price to match', before: '', after: '$80.00 (Match)' },
    { field: 'Minimum savings', before: '10%', after: 'none' },
    { field: 'Minimum savings', before: 'none', after: '10%' },
    { field: '1 row where we cost more', before: 'left out', after: 'included' },
    { field: '1 row where we cost more', before: 'included', after: 'left out' },
    { field: 'File', before: '', after: 'usage.csv' },
  ]);
  expect((await server.call(Savings.GetAnalysisHistory, { id }, { as: stranger.rep })).status).toBe(404);
});

it('cost and margin are only for those who may see them', async () => {
  const id = await upload('S1,Acme,ACM-2210,GLOVE NITRILE,CS,1000,10,140');
  const analysis = await get(id);
  expect(analysis.mayReadInternal).toBe(false);
  expect(JSON.stringify([analysis, await rowsOf(id)])).not.toMatch(/"(?:cost|marginPct)"/);
  const inner = await get(id, office.inside);
  expect(inner).toMatchObject({ mayReadInternal: true, totals: { marginPct: 55.56 } });
  expect(await rowsOf(id, office.inside)).toMatchObject([{ cost: 40, marginPct: 55.56 }]);
  const sheet = (format: 'pdf' | 'xlsx', audience: 'customer' | 'internal', as = office.rep) =>
    server.call(Savings.GetSavingsSheet, { id, format, audience }, { as });
  expect((await sheet('xlsx', 'internal')).status).toBe(403);
  expect((await sheet('xlsx', 'customer', stranger.rep)).status).toBe(404);
  await db.updateTable('facility').set({ freight_terms: 'Collect' }).where('id', '=', office.facility.id).execute();
  expect((await get(id)).freightTerms).toBe('Collect');
  const book = new ExcelJS.Workbook();
  await book.xlsx.load((await sheet('xlsx', 'customer')).bytes as never);
  const cells = [1, 2, 3, 4, 5].map((row) => book.worksheets[0]?.getCell(`A${row}`).value);
  expect(cells).toContain('Freight terms: Collect. Freight is not included.');
  const pdf = await sheet('pdf', 'customer');
  expect([pdf.status, pdf.bytes.toString('latin1', 0, 5)]).toEqual([200, '%PDF-']);
  expect((await sheet('pdf', 'internal', office.inside)).status).toBe(200);
});

it('analyses are listed, seen and deleted by those who sell to the facility', async () => {
  const id = await upload('Q1,Acme,ACM-2210,GLOVE NITRILE,CS,1000,10,140', { name: 'Only this one.csv' });
  const find = async (as: { id: number }) =>
    (await server.ok(Savings.SearchAnalyses, { keyword: 'only this' }, { as })).records.map((record) => record.id);
  expect(await find(office.rep)).toEqual([id]);
  expect(await find(office.inside)).toEqual([id]);
  expect(await find(stranger.rep)).toEqual([]);
  expect((await server.call(Savings.GetAnalysis, { id }, { as: stranger.rep })).status).toBe(404);
  expect((await server.call(Savings.GetAnalysis, { id })).status).toBe(401);
  const contracts = await aUser(db, { roles: ['contractdept'] });
  expect((await server.call(Savings.GetAnalysis, { id }, { as: contracts })).status).toBe(403);
  const { version } = await get(id);
  expect((await server.call(Savings.DeleteAnalysis, { id, version: version - 1 }, { as: office.rep })).status).toBe(
    409,
  );
  expect((await server.call(Savings.DeleteAnalysis, { id, version }, { as: stranger.rep })).status).toBe(404);
  await server.ok(Savings.DeleteAnalysis, { id, version }, { as: office.rep });
  expect(await find(office.rep)).toEqual([]);
});

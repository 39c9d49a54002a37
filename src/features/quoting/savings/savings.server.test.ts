// Tests savings analyses over HTTP: from a file to matched and compared rows, decisions that are remembered, levers, sheets and quotes.
import ExcelJS from 'exceljs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CrossReference } from '#features/catalogue/cross-references/cross-references.contract.ts';
import { QuoteEdit } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { aPdf, type Placed } from '#testing/a-pdf.server.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem, anItemClass } from '#testing/factories/catalogue.server.ts';
import { aCrossReference } from '#testing/factories/cross-references.server.ts';
import { aContract, aContractPrice, anAccountPrice, aTier } from '#testing/factories/contracts.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { Savings } from './savings.contract.ts';

const { server, office } = await startOffice();
const { db } = server;
afterAll(() => server.close());

let glove: { id: number };
let cath: { id: number };
let gauze: { id: number };
let mask: { id: number };
let stranger: Awaited<ReturnType<typeof aSalesOffice>>;
beforeAll(async () => {
  const classId = (await anItemClass(db, { name: 'Gloves' })).id;
  glove = await anItem(db, {
    number: 'GL-2210',
    description: 'Exam glove nitrile powder free medium',
    classId,
    cost: 0.04,
    units: { EA: 1, BX: 100, CS: 1000 },
    prices: [
      { unit: 'BX', price: 9.5 },
      { unit: 'CS', price: 90 },
    ],
    manufacturer: 'Acme Medical',
    manufacturerNo: 'ACM-2210',
  });
  cath = await anItem(db, {
    number: 'IV-18',
    description: 'IV catheter 18G x 1.25 in straight',
    units: { EA: 1, BX: 50 },
    prices: [{ unit: 'BX', price: 100 }],
    manufacturer: 'Bexton',
    manufacturerNo: '00381',
  });
  await anItem(db, { number: 'IV-20', description: 'IV catheter 20G x 1.25 in straight', units: { EA: 1, BX: 50 } });
  gauze = await anItem(db, {
    number: 'GZ-44',
    description: 'Gauze sponge 4x4 12 ply sterile',
    units: { EA: 1, BX: 50 },
    prices: [{ unit: 'BX', price: 20 }],
  });
  mask = await anItem(db, {
    number: 'MK-1',
    description: 'Surgical mask ear loop blue',
    units: { EA: 1, BX: 50 },
    prices: [{ unit: 'BX', price: 5 }],
  });
  stranger = await aSalesOffice(db);
});

const HEAD = 'Item No,Mfr,Mfr #,Description,UOM,Each per unit,Annual Qty,Unit Price\n';
async function upload(
  rows: string,
  given: { head?: string; as?: { id: number }; facilityId?: number; name?: string } = {},
) {
  const { head = HEAD, as = office.rep, facilityId = office.facility.id, name = 'usage.csv' } = given;
  const made = await server.ok(
    Savings.UploadUsageFile,
    { facilityId, months: 12 },
    { as, file: { name, bytes: Buffer.from(head + rows) } },
  );
  await server.drain();
  return made.id;
}
const get = (id: number, as = office.rep) => server.ok(Savings.GetAnalysis, { id }, { as });
const rowsOf = async (id: number, as = office.rep) =>
  (await server.ok(Savings.SearchAnalysisRows, { id, pageSize: 200 }, { as })).records;

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
  // '381' lost its zeros; the descriptions agree.
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
  expect(rows[2]?.doubts.join(' ')).toContain('There is no unit');
  expect(rows[4]?.doubts.join(' ')).toMatch(/50 eaches.*100|100.*50 eaches/);
});

it('what contradicts the number is looked at by a person', async () => {
  await aCrossReference(db, { number: 'EQ-1', item_id: gauze.id, kind: 'Equivalent' });
  await aCrossReference(db, { number: 'SM-1', item_id: gauze.id, maker: 'Medley' });
  const id = await upload(
    [
      'C1,Bexton,00381,IV CATHETER 20G,BX,50,1,90', // another gauge
      'C2,Someone,ACM-2210,GLOVE NITRILE,BX,100,1,9', // another maker
      'C3,Medley,EQ-1,GAUZE,BX,50,1,9', // an equivalent
      'C4,Medley,SM-1,GAUZE,BX,50,1,9',
      'GL-2210,,,STAPLER PAPER OFFICE,BX,100,1,9', // their own number happens to be ours
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
  expect(rows[0]?.match.reasons.join(' ')).toContain('Their gauge is 20, ours 18');
  expect(rows[5]).toMatchObject({ taken: false });
  expect(rows[5]?.doubts.join(' ')).toContain('far apart');
});

it('the number of a sibling is looked at by a person when the words are those of another item', async () => {
  const made = { units: { EA: 1, BX: 50 }, manufacturer: 'Corvane' };
  await anItem(db, { ...made, number: 'SY-1', description: 'Syringe 3 mL luer lock', manufacturerNo: 'CV-301' });
  const slip = await anItem(db, {
    ...made,
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
  expect(rows[0]?.match.reasons.join(' ')).toContain('a sibling of this item has what it lacks: slip, tip');
  const said = await server.ok(Savings.GetRowCandidates, { id, rowId: rows[0]?.id ?? 0 }, { as: office.rep });
  expect(JSON.stringify(said)).toContain(`"itemId":${slip.id}`);
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
  // A stale version says so.
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

  // A unit that we do not use is certain once a person has decided what it is, and only that unit.
  const cans = await upload('D8,Nobody,NB-78,ZZQ OTHER,CAN,,12,30\nD9,Nobody,NB-78,ZZQ OTHER,DRUM,,12,30');
  const [can] = await rowsOf(cans);
  const one = { id: cans, rows: [{ id: can?.id ?? 0, version: can?.version ?? 0 }], decision: 'accept' as const };
  expect((await server.call(Savings.DecideRows, { ...one, itemId: mask.id }, { as: office.rep })).status).toBe(422);
  await server.ok(Savings.DecideRows, { ...one, itemId: mask.id, unit: 'BX' }, { as: office.rep });
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
  const { records: told } = await server.ok(Savings.GetAnalysisHistory, { id }, { as: office.rep });
  expect(told.map(({ action, changes }) => [action, changes])).toEqual([
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
  const made = () => server.ok(Savings.GetQuotesMade, { id }, { as: office.rep });
  const promised = { id: quoteId, quantities: 'year', rows: 2, promised: 600 };
  expect(await made()).toMatchObject([{ ...promised, statusId: 'Editing', totalAmount: 1700, saving: 600 }]);
  // A discount on the quote saves more than was promised; a line that is taken off saves nothing.
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
  expect(await made()).toMatchObject([
    { ...promised, statusId: 'Won', totalAmount: saved.quote.totalAmount, saving: 590 },
  ]);
  expect(saved.quote.totalAmount).toBe(810);
  expect((await server.call(Savings.GetQuotesMade, { id }, { as: stranger.rep })).status).toBe(404);
  // Who did what: the newest first. Sending the quote again, and refused calls, are no events.
  const history = await server.ok(Savings.GetAnalysisHistory, { id }, { as: office.inside });
  expect(history.records.map(({ actor, action }) => [actor, action])).toEqual([
    [office.rep.fullName, 'Make quote'],
    ...Array.from({ length: 5 }, () => [office.rep.fullName, 'Edit']),
    [office.rep.fullName, 'Create'],
  ]);
  expect(history.records.flatMap(({ changes }) => changes)).toEqual([
    { field: 'Quote', before: '', after: `${quotes[0]?.number}, 2 lines` },
    { field: 'Row 3, price to match', before: '', after: '$80.00 (Match)' },
    { field: 'Minimum saving', before: '10 %', after: 'none' },
    { field: 'Minimum saving', before: 'none', after: '10 %' },
    { field: '1 row in which we cost more', before: 'left out', after: 'counted' },
    { field: '1 row in which we cost more', before: 'counted', after: 'left out' },
    { field: 'File', before: '', after: 'usage.csv' },
  ]);
  expect((await server.call(Savings.GetAnalysisHistory, { id }, { as: stranger.rep })).status).toBe(404);
});

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
  const second = await aTier(db, { contractId: contract.id, no: 2, needsLoc: true, name: 'Commitment 80 %' });
  const third = await aTier(db, { contractId: contract.id, no: 3 });
  await aContractPrice(db, { lineId: gloveLine, tierId: second.id, price: 80 });
  await aContractPrice(db, { lineId: gauzeLine, tierId: second.id, price: 19 });
  // Dearer than the list, so it saves nothing.
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
          tierName: 'Commitment 80 %',
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
  const split = (qtyPerYear: number, of = row, as = office.rep) =>
    server.call(Savings.SplitRow, { id, row: read(of), qtyPerYear }, { as });
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
  // A decision for the number takes the first part and the other row, and the second part is decided by itself.
  const decided = await accept([first], mask.id, true);
  expect(decided.rows.map(({ rowNo, part }) => [rowNo, part])).toEqual([
    [2, 1],
    [3, 0],
  ]);
  const { rows: other, analysis } = await accept([second], gauze.id);
  expect(other).toMatchObject([{ match: { itemId: gauze.id }, theirYear: 262.5, ourYear: 210 }]);
  expect(analysis.totals).toMatchObject({ rows: 3, theirs: 875, ours: 19.5 * 5 + 210 + 25 });
  // The number means both, so the split row teaches nothing; the whole one does.
  const admin = await aUser(db, { roles: ['salesadmin'] });
  const known = await server.ok(CrossReference.SearchCrossReferences, { keyword: 'XS-9' }, { as: admin });
  expect(known.records.map(({ item }) => item.id)).toEqual([mask.id]);
  const join = (of: { id: number; version: number }, as = office.rep) =>
    server.call(Savings.JoinRow, { id, row: read(of) }, { as });
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
  const told = history.records.filter(({ action }) => action === 'Split row' || action === 'Join row');
  expect(told.flatMap(({ changes }) => changes)).toEqual([
    { field: 'Row 2, quantity a year', before: '19.5 and 10.5', after: '30' },
    { field: 'Row 2, quantity a year', before: '30', after: '19.5 and 10.5' },
  ]);
  const unknown = await upload('X2,Nobody,XS-8,ZZQ,BX,50,,25');
  const [none] = await rowsOf(unknown);
  const asked = { id: unknown, row: read(none ?? row), qtyPerYear: 1 };
  expect((await server.call(Savings.SplitRow, asked, { as: office.rep })).status).toBe(422);
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
  // Once more on the same day, nothing has changed, and what changed before stays to be seen.
  await server.ok(Savings.RepriceAnalysis, { id, version: after.version }, { as: office.rep });
  expect(await changes()).toMatchObject({ earlier: [{ priceDate }], changed: 1 });
  // The earlier price of another item is no earlier price of this one.
  const [now] = await rowsOf(id);
  const read = [{ id: now?.id ?? 0, version: now?.version ?? 0 }];
  await server.ok(Savings.DecideRows, { id, rows: read, decision: 'accept', itemId: mask.id }, { as: office.rep });
  expect(await changes()).toMatchObject({ earlier: [{ priceDate }], changed: 0, rows: [] });
  expect((await server.call(Savings.GetPriceChanges, { id }, { as: stranger.rep })).status).toBe(404);
  server.setNow('2026-11-21T15:00:00Z');
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
  const said = [1, 2, 3, 4, 5].map((row) => book.worksheets[0]?.getCell(`A${row}`).value);
  expect(said).toContain('Freight terms: Collect. Freight is not in these figures.');
  const pdf = await sheet('pdf', 'customer');
  expect([pdf.status, pdf.bytes.toString('latin1', 0, 5)]).toEqual([200, '%PDF-']);
  expect((await sheet('pdf', 'internal', office.inside)).status).toBe(200);
});

it('analyses are listed, seen and deleted by those who sell to the facility', async () => {
  const id = await upload('Q1,Acme,ACM-2210,GLOVE NITRILE,CS,1000,10,140', { name: 'Only this one.csv' });
  const find = async (as: { id: number }) =>
    (await server.ok(Savings.SearchAnalyses, { keyword: 'only this' }, { as })).records.map((one) => one.id);
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

it('refuses in words what it cannot read, and asks for columns that it does not know', async () => {
  const send = (file: { name: string; bytes: Buffer; type?: string }) =>
    server.call(Savings.UploadUsageFile, { facilityId: office.facility.id, months: 12 }, { as: office.rep, file });
  const old = await send({ name: 'old.xls', bytes: Buffer.from('d0cf11e0a1b11ae1', 'hex') });
  expect([old.status, JSON.stringify(old.body)]).toEqual([422, expect.stringContaining('old Excel file')]);
  const pdf = await send({ name: 'scan.pdf', bytes: aPdf([[]]), type: 'application/pdf' });
  expect([pdf.status, JSON.stringify(pdf.body)]).toEqual([422, expect.stringContaining('it is a scan')]);
  const none = await server.call(
    Savings.UploadUsageFile,
    { facilityId: office.facility.id, months: 12 },
    { as: office.rep },
  );
  expect(none.status).toBe(422);
  const id = await upload('MDX,GL-2210,BX,5,9.9\n', { head: 'Alpha,Beta,Gamma,Delta,Epsilon\n' });
  const asked = await get(id);
  expect(asked).toMatchObject({ state: 'columns', rowCount: 0 });
  expect(asked.problem).not.toBe('');
  const said = { id, version: asked.version, fields: ['maker', 'catalogNo', 'unit', 'qtyPerYear', 'price'] as never };
  expect(
    (
      await server.call(
        Savings.SetUsageColumns,
        { ...said, fields: ['maker', null, null, null, null] as never },
        { as: office.rep },
      )
    ).status,
  ).toBe(422);
  expect((await server.call(Savings.SetUsageColumns, { ...said, version: 99 }, { as: office.rep })).status).toBe(409);
  expect((await server.ok(Savings.SetUsageColumns, said, { as: office.rep })).state).toBe('reading');
  await server.drain();
  expect(await rowsOf(id)).toMatchObject([
    { match: { confidence: 'certain', itemId: glove.id, unit: 'BX' }, qtyPerYear: 5, price: 9.9 },
  ]);
});

it('reads the table of a PDF, and reads it again with other columns', async () => {
  const line = (y: number, ...cells: string[]) => cells.map((text, at): Placed => [40 + 85 * at, y, text]);
  const list = aPdf([
    [
      ...line(60, 'Mfr #', 'Description', 'UOM', 'Annual Qty', 'Unit Price'),
      ...line(80, 'ACM-2210', 'Glove nitrile', 'BX', '1,200', '9.90'),
    ],
    [],
  ]);
  const { id } = await server.ok(
    Savings.UploadUsageFile,
    { facilityId: office.facility.id, months: 12 },
    { as: office.rep, file: { name: 'Usage 2025.pdf', bytes: list } },
  );
  await server.drain();
  const analysis = await get(id);
  expect(analysis).toMatchObject({
    name: 'Usage 2025',
    fileName: 'Usage 2025.pdf',
    state: 'ready',
    notes: ['Page 2 has no text and is not read.'],
  });
  const read = { match: { confidence: 'certain', itemId: glove.id, unit: 'BX' }, price: 9.9 };
  expect(await rowsOf(id)).toMatchObject([{ ...read, description: 'Glove nitrile', qtyPerYear: 1200 }]);
  await server.ok(
    Savings.SetUsageColumns,
    { id, version: analysis.version, fields: ['makerNo', null, 'unit', 'qtyPerYear', 'price'] },
    { as: office.rep },
  );
  await server.drain();
  expect(await rowsOf(id)).toMatchObject([{ ...read, description: '', qtyPerYear: 1200 }]);
});

it('takes pasted text', async () => {
  const text = 'Mfr #\tDescription\tUOM\tAnnual Qty\tUnit Price\nACM-2210\tGlove nitrile\tBX\t5\t9.9\n';
  const { id } = await server.ok(
    Savings.UploadUsageFile,
    { facilityId: office.facility.id, months: 12, name: 'From an email', text },
    { as: office.rep },
  );
  await server.drain();
  expect(await get(id)).toMatchObject({ name: 'From an email', state: 'ready', counts: { taken: 1 } });
});

it('says what stands above the headings of a file', async () => {
  const id = await upload('H100,ACME,acm2210,GLOVE,CS,1000,120,140.00', {
    head: `Usage January to June 2026\nAll amounts in EUR\n${HEAD}`,
  });
  expect((await get(id)).notes).toEqual([
    "Above the headings, and not read: 'Usage January to June 2026', 'All amounts in EUR'.",
  ]);
});

it('takes the words of an email', async () => {
  const text = 'Hi Bob,\n20 bx nitrile gloves (ACM-2210), 2 bx/50 MK-1\ncatheter straps\n\nThanks,\nAnna';
  const { id } = await server.ok(
    Savings.UploadUsageFile,
    { facilityId: office.facility.id, months: 12, text },
    { as: office.rep },
  );
  await server.drain();
  expect((await get(id)).notes).toEqual([
    'Read as the text of an email: 3 rows, 1 of them without a quantity.',
    "Not read as rows: 'Hi Bob,', 'Thanks,', 'Anna'.",
  ]);
  expect(await rowsOf(id)).toMatchObject([
    { itemNo: 'ACM-2210', unit: 'bx', qtyPerYear: 20, match: { itemId: glove.id } },
    { itemNo: '', unit: 'bx/50', qtyPerYear: 2, description: 'MK-1', taken: false },
    { description: 'catheter straps', qtyPerYear: null, taken: false },
  ]);
});

// Tests what the palette finds for each user: each kind by the rules of its list, in the promised order, for any text.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { paths } from '#platform/shared/paths.ts';
import { anItem, anItemClass } from '#testing/factories/catalog.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aFacility, aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { HOSTILE_STRINGS } from '#testing/hostile-strings.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { type FoundKind, Palette } from './palette.contract.ts';

type Who = { id: number };
let server: TestServer;
let office: Awaited<ReturnType<typeof aSalesOffice>>;
let other: Awaited<ReturnType<typeof aSalesOffice>>;
beforeAll(async () => {
  server = await startTestServer();
  office = await aSalesOffice(server.db);
  other = await aSalesOffice(server.db);
});
afterAll(() => server.close());

const find = (text: string, as: Who = office.admin) => server.ok(Palette.FindAnything, { text }, { as });
const titles = async (kind: FoundKind, text: string, as?: Who) =>
  (await find(text, as)).filter((result) => result.kind === kind).map(({ title }) => title);
const setPo = (id: number, poNumber: string) =>
  server.db.updateTable('quote').set({ po_number: poNumber }).where('id', '=', id).execute();

it('finds each kind by its words, with a line of detail and its place', async () => {
  const { db } = server;
  const facility = await aFacility(db, { name: 'Xylo General Hospital', acctNo: '770011', zip: office.zip });
  const quote = await aQuote(db, { facility, statusId: 'Won', salesRepId: office.rep.id });
  await setPo(quote.id, 'PO-77');
  const item = await anItem(db, { number: 'XYLO-1', description: 'Xylo mallet' });
  const contract = await aContract(db, { number: 'XYLO-2026', facilityIds: [facility.id] });
  const person = await aUser(db, { fullName: 'Xylo Person', userName: 'xylo@example.com', active: false });
  expect(await find('xylo')).toEqual([
    {
      kind: 'quote',
      title: String(quote.num),
      detail: 'Xylo General Hospital · Won · PO-77',
      place: paths.internalBoard(quote.id),
    },
    expect.objectContaining({ kind: 'facility', title: 'Xylo General Hospital', place: paths.facility(facility.id) }),
    { kind: 'item', title: 'XYLO-1', detail: 'Xylo mallet', place: paths.foundItem('XYLO-1', item.id) },
    {
      kind: 'contract',
      title: 'XYLO-2026',
      detail: 'Contract XYLO-2026 · Local · Active',
      place: paths.contract(contract.id),
    },
    { kind: 'person', title: 'Xylo Person', detail: 'xylo@example.com · Inactive', place: paths.editUser(person.id) },
  ]);
  const own = await find('xylo', office.rep);
  expect(own.map(({ kind }) => kind)).toEqual(['quote', 'facility', 'item', 'contract']);
  expect(own[0]?.place).toBe(paths.publicBoard(quote.id));
  expect((await find('xylo', other.rep)).map(({ kind }) => kind)).toEqual(['facility', 'item']);
});

it('finds quotes by number and revision, PO number, and the name or account number of the facility', async () => {
  const { db } = server;
  const facility = await aFacility(db, { name: 'Ypsilon Clinic', acctNo: '66-5544' });
  const older = await aQuote(db, { facility, quoteDate: '2026-01-05', revision: 3 });
  const newer = await aQuote(db, { facility, quoteDate: '2026-02-05' });
  await setPo(older.id, 'yps/4711-A');
  const [first, second] = [`${older.num}-R3`, String(newer.num)];
  for (const [text, result] of [
    [String(older.num), [first]],
    [`#${older.num}`, [first]],
    [`${older.num}-R3`, [first]],
    [String(newer.num), [second]],
    ['yps/4711', [first]],
    ['4711 a', [first]],
    ['YPS/4711-a', [first]],
    ['ypsilon', [second, first]],
    ['clinic  YPSIL', [second, first]],
    ['66-5544', [second, first]],
    ['ypsilon 9', []],
    ['y%silon', []],
    ['ypsilo_', []],
    ['yps\\', []],
  ] as const)
    expect([text, await titles('quote', text)]).toEqual([text, result]);
});

it('finds the quotes of nobody else', async () => {
  const { db } = server;
  const facility = await aFacility(db, { name: 'Omikron Ward', zip: office.zip });
  const { rep, region } = office;
  const { id, num } = await aQuote(db, { facility, salesRepId: rep.id, ownerId: rep.id, regionId: region.id });
  await setPo(id, 'OMI-PO-1');
  for (const text of [String(num), 'omikron', 'omi-po']) {
    for (const user of [rep, office.support, office.manager, office.cs, office.contracts])
      expect([text, await titles('quote', text, user)]).toEqual([text, [String(num)]]);
    for (const user of [other.rep, other.support, other.manager])
      expect([text, await titles('quote', text, user)]).toEqual([text, []]);
  }
});

it('finds the newest quotes when very many facilities have the word', async () => {
  const { db } = server;
  const ids = await db
    .insertInto('quote')
    .values(
      Array.from({ length: 250 }, (_, n) => ({
        facility_name: `Commonword ${n} Hospital`,
        facility_acct_no: `CW${n}`,
        owner_id: office.rep.id,
        sales_rep_id: n < 3 ? other.rep.id : office.rep.id,
        quote_date: new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10),
        valid_until: '2027-01-01',
      })),
    )
    .returning('num')
    .execute();
  const newest = ids.map(({ num }) => String(num)).toReversed();
  expect(await titles('quote', 'commonword')).toEqual(newest.slice(0, 6));
  expect(await titles('quote', 'commonword', other.rep)).toEqual(newest.slice(-3));
});

it('finds no inactive facility, no hidden or discontinued item, no draft contract and no people without the right', async () => {
  const { db } = server;
  await aFacility(db, { name: 'Kappaclosed', active: false });
  const hidden = await anItemClass(db, { hidden: true });
  await anItem(db, { number: 'KAPPA-H', classId: hidden.id });
  await anItem(db, { number: 'KAPPA-D', status: 'Discontinued' });
  const facility = await aFacility(db, { name: 'Lambda House', zip: office.zip });
  await aContract(db, { number: 'KAPPA-DRAFT', state: 'Draft', facilityIds: [facility.id] });
  await aUser(db, { fullName: 'Kappa Person' });
  expect(await find('kappa', office.rep)).toEqual([]);
  for (const user of [office.salesAdmin, office.contracts, office.cs, office.manager])
    expect(await titles('person', 'kappa', user)).toEqual([]);
  expect(await titles('person', 'kappa')).toEqual(['Kappa Person']);
  expect(await titles('contract', 'kappa')).toEqual(['KAPPA-DRAFT']);
  await db.updateTable('app_user').set({ gpo_tab_hidden: true }).where('id', '=', other.contracts.id).execute();
  expect(await titles('contract', 'kappa', other.contracts)).toEqual([]);
});

it('answers at most 6 of a kind, and nothing for a text without meaning', async () => {
  const { db } = server;
  for (let n = 0; n < 8; n++) {
    await aFacility(db, { name: `Psi ${n} House` });
    await anItem(db, { number: `PSI-${n}` });
  }
  expect(await titles('facility', 'psi')).toHaveLength(6);
  expect(await titles('item', 'psi')).toHaveLength(6);
  for (const text of ['', ' ', 'p', '\u0000 \u0007', 'zzzzqqqq']) expect([text, await find(text)]).toEqual([text, []]);
});

it('takes any text, up to 500 characters', async () => {
  for (const text of HOSTILE_STRINGS.filter((hostileString) => hostileString.length <= 500)) {
    const { status } = await server.call(Palette.FindAnything, { text }, { as: office.admin });
    expect([text, status === 200 || status === 422]).toEqual([text, true]);
  }
  for (const text of ['x'.repeat(500), '%_\\'.repeat(166), 'a b '.repeat(125), '1'.repeat(500), '%%%', '\\\\\\'])
    await find(text);
  expect((await server.call(Palette.FindAnything, { text: 'x'.repeat(501) }, { as: office.admin })).status).toBe(422);
  expect((await server.call(Palette.FindAnything, { text: 'xylo' })).status).toBe(401);
});

it('finds the contracts in sight behind many that are not', async () => {
  const { db } = server;
  for (let n = 10; n < 34; n++) await aContract(db, { number: `LAMBDA-${n}`, facilityIds: [other.facility.id] });
  for (let n = 40; n < 48; n++) await aContract(db, { number: `LAMBDA-${n}`, facilityIds: [office.facility.id] });
  expect(await titles('contract', 'lambda', office.rep)).toEqual([40, 41, 42, 43, 44, 45].map((n) => `LAMBDA-${n}`));
});

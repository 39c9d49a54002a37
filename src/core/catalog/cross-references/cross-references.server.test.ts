// Tests the CrossReference calls over HTTP: the list, conflicts, error messages, decisions, and numbers remembered from a quote.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FacilityDuplicates } from '#addons/facility-duplicates/facility-duplicates.contract.ts';
import { History } from '#platform/history/history.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aGpo } from '#testing/factories/contracts.server.ts';
import { aCrossReference } from '#testing/factories/cross-references.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { CrossReference } from './cross-references.contract.ts';

const { server, office, aDraft } = await startOffice();
const { db } = server;
let admin: { id: number };
beforeAll(async () => {
  admin = await aUser(db, { roles: ['salesadmin'] });
});
afterAll(() => server.close());

const search = (criteria: object) => server.ok(CrossReference.SearchCrossReferences, criteria, { as: admin });
const save = (input: object) => server.call(CrossReference.SaveCrossReference, input as never, { as: admin });
const errorsOf = (answer: { body: unknown }) =>
  (answer.body as { errors: { path: string; message: string }[] }).errors.map(
    ({ path, message }) => `${path}: ${message}`,
  );

it('adds, changes and ends a reference, over the version that was read, with a history', async () => {
  const [item, other] = [
    await anItem(db, { number: 'XR-1', units: { EA: 1, BX: 10 } }),
    await anItem(db, { number: 'XR-2' }),
  ];
  const blank = await server.ok(CrossReference.PopulateCrossReferenceEditModel, {}, { as: admin });
  expect(blank).toMatchObject({
    reference: { id: 0, kind: 'Same', scope: 'Everybody' },
    row: null,
    contradictions: [],
  });
  const created = await server.ok(
    CrossReference.SaveCrossReference,
    {
      maker: 'Medline',
      number: 'MDS 1234',
      itemNumber: 'XR-1',
      unit: 'BX',
      kind: 'Equivalent',
      scope: 'Facility',
      facilityId: office.facility.id,
    },
    { as: admin },
  );
  const { id } = created;
  expect(created).toMatchObject({
    itemNumber: 'XR-1',
    unit: 'BX',
    facilityId: office.facility.id,
    gpoId: null,
    version: 1,
  });
  for (const keyword of ['mds-1234', 'medline mds', 'XR-1'])
    expect(await search({ keyword })).toMatchObject({
      total: 1,
      records: [{ id, item: { id: item.id }, facility: { id: office.facility.id }, ended: false, contradictions: 0 }],
    });
  // Omitted fields stay unchanged. Fields that the new scope does not need are cleared.
  const changed = await server.ok(
    CrossReference.SaveCrossReference,
    { id, number: 'MDS 1234', itemNumber: 'XR-2', unit: '', scope: 'Everybody', version: 1 },
    { as: admin },
  );
  expect(changed).toMatchObject({
    maker: 'Medline',
    itemNumber: other.itemNumber,
    facilityId: null,
    kind: 'Equivalent',
    version: 2,
  });
  const stale = await save({ id, number: 'MDS 1234', itemNumber: 'XR-1', version: 1 });
  expect([stale.status, JSON.stringify(stale.body)]).toEqual([409, expect.stringContaining('cross-reference')]);
  expect((await save({ id, number: 'MDS 1234', itemNumber: 'XR-1' })).status).toBe(422);
  await server.ok(
    CrossReference.SaveCrossReference,
    { id, number: 'MDS 1234', itemNumber: 'XR-2', ended: true, version: 2 },
    { as: admin },
  );
  expect(await search({ keyword: 'MDS1234', state: 'Active' })).toMatchObject({ total: 0 });
  expect(await search({ keyword: 'MDS1234', state: 'Ended', kind: 'Equivalent', scope: 'Everybody' })).toMatchObject({
    total: 1,
  });
  const history = await server.ok(History.GetHistory, { type: 'crossReference', id }, { as: admin });
  expect(history.map(({ action }) => action)).toEqual(['End', 'Edit', 'Create']);
  expect(history[1]?.changes).toEqual(
    expect.arrayContaining([{ field: 'For', before: office.facility.name, after: 'Everyone' }]),
  );
});

it('refuses in words what cannot be', async () => {
  const item = await anItem(db, { number: 'XR-3', units: { EA: 1, CS: 5 } });
  await aCrossReference(db, { number: 'A-1', item_id: item.id });
  const base = { number: 'Q-1', itemNumber: 'XR-3' };
  const cases: [object, string][] = [
    [{ ...base, itemNumber: 'nothing' }, 'itemNumber: No item has exactly this number.'],
    [{ ...base, unit: 'BX' }, 'unit: The item is not sold by BX. Its units: EA, CS.'],
    [{ ...base, number: '--' }, 'number: A number must have at least one letter or digit.'],
    [{ ...base, scope: 'Facility' }, 'facilityId: Choose the facility.'],
    [{ ...base, scope: 'Parent', facilityId: 999_999 }, 'facilityId: Choose the facility.'],
    [{ ...base, scope: 'GPO', gpoId: 999_999 }, 'gpoId: Choose the GPO.'],
    [
      { ...base, number: 'a 1' },
      'number: This number is already a cross-reference to this item for the same customers.',
    ],
  ];
  for (const [input, message] of cases) {
    const answer = await save(input);
    expect([answer.status, errorsOf(answer)]).toEqual([422, [message]]);
  }
  // Leading zeros make a different number.
  expect((await save({ ...base, number: '0A1' })).status).toBe(200);
});

it('only administrators keep references; who quotes may remember, for the facility of a quote in sight', async () => {
  const item = await anItem(db);
  const quote = (await aDraft()).quote.id;
  const numbers = [
    { number: 'REP-1', itemId: item.id, remember: { kind: 'Same' as const, scope: 'Facility' as const } },
  ];
  for (const call of [CrossReference.SearchCrossReferences, CrossReference.ExportCrossReferences])
    expect((await server.call(call, {}, { as: office.rep })).status).toBe(403);
  expect(
    (await server.call(CrossReference.SaveCrossReference, { number: 'a', itemNumber: 'b' }, { as: office.rep })).status,
  ).toBe(403);
  expect((await server.call(CrossReference.SearchCrossReferences, {})).status).toBe(401);
  const stranger = await aUser(db, { roles: ['salesrep'] });
  expect(
    (await server.call(CrossReference.RememberNumbers, { quoteId: quote, numbers }, { as: stranger })).status,
  ).toBe(404);
  const contract = await aUser(db, { roles: ['contractdept'] });
  expect(
    (await server.call(CrossReference.RememberNumbers, { quoteId: quote, numbers }, { as: contract })).status,
  ).toBe(403);
  const forAll = numbers.map((number) => ({
    ...number,
    remember: { kind: 'Same' as const, scope: 'Everybody' as const },
  }));
  expect(
    (await server.call(CrossReference.RememberNumbers, { quoteId: quote, numbers: forAll }, { as: office.rep })).status,
  ).toBe(403);
  expect(
    await server.ok(CrossReference.RememberNumbers, { quoteId: quote, numbers: forAll }, { as: { id: admin.id } }),
  ).toEqual({ added: 1 });
});

it('a number that a person decided is found by the next paste of the same facility, and by nobody else', async () => {
  const item = await anItem(db, { units: { EA: 1, CS: 12 } });
  const draft = await aDraft();
  const paste = async (quoteId: number | null) =>
    (
      await server.ok(
        QuoteEdit.ResolvePastedItems,
        { quoteId, rows: [{ itemNumber: 'CUST 4471-B', qty: 2 }] },
        { as: office.rep },
      )
    )[0];
  expect(await paste(draft.quote.id)).toMatchObject({ state: 'notFound' });
  const numbers = [
    {
      number: 'CUST 4471-B',
      itemId: item.id,
      unit: 'CS',
      remember: { kind: 'Same' as const, scope: 'Facility' as const },
    },
  ];
  const remember = () =>
    server.ok(CrossReference.RememberNumbers, { quoteId: draft.quote.id, numbers }, { as: office.rep });
  expect(await remember()).toEqual({ added: 1 });
  // A retry after a lost response does not add it twice.
  expect(await remember()).toEqual({ added: 0 });
  expect(await paste(draft.quote.id)).toMatchObject({
    state: 'found',
    problem: '',
    candidates: [{ itemId: item.id, unit: 'CS' }],
  });
  expect(await paste(null)).toMatchObject({ state: 'notFound' });
  const { records } = await search({ keyword: 'CUST 4471-B' });
  expect(records).toMatchObject([
    {
      scope: 'Facility',
      facility: { id: office.facility.id },
      madeBy: office.rep.fullName,
      source: `Quote ${draft.quote.num}`,
      confirmed: 1,
      refused: 0,
    },
  ]);
  // Choosing another item for the number is recorded against the reference that was offered.
  const other = await anItem(db);
  await server.ok(
    CrossReference.RememberNumbers,
    { quoteId: draft.quote.id, numbers: [{ number: 'cust4471b', itemId: other.id }] },
    { as: office.rep },
  );
  expect((await search({ keyword: 'CUST 4471-B' })).records).toMatchObject([{ confirmed: 1, refused: 1 }]);
  const history = await server.ok(
    History.GetHistory,
    { type: 'crossReference', id: records[0]?.id ?? 0 },
    { as: admin },
  );
  expect(history).toMatchObject([{ action: 'Create', comment: `From Quote ${draft.quote.num}.` }]);
});

it('entries that contradict each other stand together, and a person decides', async () => {
  const [a, b, c] = [await anItem(db), await anItem(db), await anItem(db)];
  const gpo = await aGpo(db);
  const first = await aCrossReference(db, { maker: 'Acme', number: 'CON-1', item_id: a.id });
  const second = await aCrossReference(db, { maker: 'ACME', number: 'con1', item_id: b.id });
  const ofAny = await aCrossReference(db, { number: 'CON 1', item_id: c.id });
  // None of these contradicts: another manufacturer, another scope, an ended one, the same item.
  await aCrossReference(db, { maker: 'Other', number: 'CON-1', item_id: c.id });
  await aCrossReference(db, { number: 'CON-1', item_id: b.id, scope: 'GPO', gpo_id: gpo.id });
  await aCrossReference(db, { maker: 'Acme', number: 'CON-1', item_id: c.id, ended: true });
  const result = await search({ keyword: 'CON-1', state: 'Contradicting' });
  expect(new Set(result.records.map(({ id }) => id))).toEqual(new Set([first.id, second.id, ofAny.id]));
  const edit = await server.ok(CrossReference.PopulateCrossReferenceEditModel, { id: first.id }, { as: admin });
  expect(edit.contradictions.map(({ id }) => id).toSorted((x, y) => x - y)).toEqual([second.id, ofAny.id]);
  const decide = (others: { id: number; version: number }[]) =>
    server.call(CrossReference.KeepCrossReference, { ...first, others }, { as: admin });
  expect((await decide([{ ...second, version: 9 }])).status).toBe(409);
  const stranger = await aCrossReference(db, { number: 'CON-2', item_id: c.id });
  expect((await decide([second, stranger])).status).toBe(422);
  expect((await decide([second, ofAny])).body).toEqual({ ended: 2 });
  expect(await search({ keyword: 'CON-1', state: 'Contradicting' })).toMatchObject({ total: 0 });
  const history = await server.ok(History.GetHistory, { type: 'crossReference', id: second.id }, { as: admin });
  expect(history).toMatchObject([{ action: 'End', comment: `${a.itemNumber} was chosen for Acme CON-1.` }]);
});

it('refuses a reference that another user adds at the same time', async () => {
  const item = await anItem(db);
  const input = { number: 'RACE-1', itemNumber: item.itemNumber };
  const answers = await Promise.all([save(input), save(input), save(input)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
});

it('the references of a merged facility move to the one that remains', async () => {
  const [stored, merged, item] = [await aFacility(db), await aFacility(db), await anItem(db)];
  const own = { item_id: item.id, scope: 'Facility' };
  const moves = await aCrossReference(db, { ...own, number: 'MERGE-1', facility_id: merged.id });
  const stays = await aCrossReference(db, { ...own, number: 'MERGE-2', facility_id: merged.id });
  await aCrossReference(db, { ...own, number: 'merge2', facility_id: stored.id });
  const root = await aUser(db, { roles: ['systemadmin'] });
  const read = ({ id }: { id: number }) => ({ id, version: 1 });
  await server.ok(FacilityDuplicates.MergeFacilities, { kept: read(stored), merged: read(merged) }, { as: root });
  const places = await db
    .selectFrom('cross_reference')
    .select(['id', 'facility_id'])
    .where('id', 'in', [moves.id, stays.id])
    .orderBy('id')
    .execute();
  expect(places).toEqual([
    { id: moves.id, facility_id: stored.id },
    { id: stays.id, facility_id: merged.id },
  ]);
});

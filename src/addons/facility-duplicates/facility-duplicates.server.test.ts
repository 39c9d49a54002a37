// Tests duplicate facilities over HTTP: pairs, merging, undo, marking as not the same, and imports with merged facilities.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FacilityAdmin } from '#core/customers/facility-admin/facility-admin.contract.ts';
import { FacilitySearch } from '#core/customers/facilities/facilities.contract.ts';
import { FacilityList } from '#core/customers/facilities/facility-list.contract.ts';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { contentHash } from '#core/quoting/approvals/content-hash.server.ts';
import { loadLines } from '#core/quoting/quote-edit/lines/quote-lines.server.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { anImporter, figures, type Importer } from '#testing/an-importer.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract, aGpo } from '#testing/factories/contracts.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { FacilityDuplicates } from './facility-duplicates.contract.ts';

let server: TestServer;
let ada: Importer;
let sal: { id: number; fullName: string };
beforeAll(async () => {
  server = await startTestServer();
  ada = await anImporter(server);
  sal = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Sal Admin' });
});
afterAll(() => server.close());

const readOf = async (id: number) => ({
  id,
  version: (await server.db.selectFrom('facility').select('version').where('id', '=', id).executeTakeFirstOrThrow())
    .version,
});
const pairs = async (keyword: string) =>
  (
    await server.ok(FacilityDuplicates.SearchAlikeFacilities, { page: 1, pageSize: 50, keyword }, { as: sal })
  ).records.map(({ first, second, why }) => `${first.acctNo} + ${second.acctNo}: ${why}`);
const merge = async (keptId: number, mergedId: number) =>
  server.call(
    FacilityDuplicates.MergeFacilities,
    { kept: await readOf(keptId), merged: await readOf(mergedId) },
    { as: sal },
  );
const eventsOf = async (id: number) =>
  (
    await server.db
      .selectFrom('record_event')
      .select(['action', 'actor'])
      .where('record_type', '=', 'facility')
      .where('record_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ action, actor }) => `${actor}: ${action}`);

async function street(id: number, line1: string, zip = '60601') {
  await server.db
    .updateTable('facility')
    .set({ ship_to_line1: line1, ship_to_zip: zip })
    .where('id', '=', id)
    .execute();
}

test('pairs have the same name and ZIP or street, or one street and names alike', async () => {
  const make = async (acctNo: string, name: string, line1: string, zip: string) => {
    const { id } = await aFacility(server.db, { acctNo, name });
    await street(id, line1, zip);
    return id;
  };
  await make('AL-1', 'The Alder Hospital, Inc.', '12 North Street', '10001');
  await make('AL-2', 'Alder Hospital', '99 Other Road', '10001-1234');
  await make('AL-3', 'ALDER HOSPITAL', '12 North St., Suite 4', '20002');
  await make('AL-4', 'Alder Hospital Pharmacy', '12 north street', '10001');
  await make('AL-5', 'Alder Clinic of Law', '12 North Street', '10001');
  await make('AL-6', 'Alder Hospital', '1 Elm Drive', '30003');
  const off = await make('AL-7', 'Alder Hospital', '1 Oak Drive', '30003');
  expect(await pairs('alder')).toEqual([
    'AL-6 + AL-7: Same name and ZIP',
    'AL-1 + AL-2: Same name and ZIP',
    'AL-1 + AL-3: Same name and street',
    'AL-1 + AL-4: Same street and ZIP, names alike',
  ]);
  await server.db.updateTable('facility').set({ active: false }).where('name', '=', 'Alder Hospital').execute();
  expect(await pairs('alder')).not.toContain('AL-6 + AL-7: Same name and ZIP');
  await server.db.updateTable('facility').set({ active: true }).where('id', '=', off).execute();
  expect(await pairs('alder')).toContain('AL-6 + AL-7: Same name and ZIP');
});

describe('a merge', () => {
  async function twins(name: string) {
    const { db } = server;
    const survivor = await aFacility(db, { name, acctNo: `${name}-1` });
    const merged = await aFacility(db, { name, acctNo: `0${name}-2` });
    const [item, other] = [await anItem(db), await anItem(db)];
    const gpo = await aGpo(db);
    const price = { currn_idx: 1007, unit: 'EA', min_qty: 1 };
    await db
      .insertInto('account_price')
      .values([
        { ...price, facility_id: survivor.id, item_id: item.id, price: 5 },
        { ...price, facility_id: merged.id, item_id: item.id, price: 6, valid_from: '2025-01-01' },
        { ...price, facility_id: merged.id, item_id: other.id, price: 7 },
      ])
      .execute();
    await db
      .insertInto('gpo_membership')
      .values([
        { facility_id: survivor.id, gpo_id: gpo.id, is_primary: true, valid_from: '2020-01-01' },
        {
          facility_id: merged.id,
          gpo_id: (await aGpo(db)).id,
          is_primary: true,
          valid_from: '2021-01-01',
          member_id: 'M-9',
        },
        { facility_id: merged.id, gpo_id: gpo.id, valid_from: '2022-01-01' },
      ])
      .execute();
    await db
      .insertInto('facility_identifier')
      .values({ facility_id: merged.id, kind: 'GLN', value: `G${name}` })
      .execute();
    const child = await aFacility(db, { parentId: merged.id });
    const quote = await aQuoteOf(merged.id);
    return { kept: survivor, merged, item, other, child, quote };
  }

  async function aQuoteOf(facilityId: number) {
    const { db } = server;
    const { id } = await db
      .insertInto('quote')
      .values({
        facility_id: facilityId,
        facility_name: 'As it was',
        owner_id: sal.id,
        quote_date: '2026-01-05',
        valid_until: '2026-12-31',
        status_id: 'DiscountApproved',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const quote = await db.selectFrom('quote').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    await db
      .insertInto('approval_request')
      .values({
        quote_id: id,
        revision: 1,
        state: 'Approved',
        requested_by: sal.id,
        content_hash: contentHash(quote, await loadLines(db, id)),
        rules: '[]',
        figures: '{}',
        decisions: '[]',
      })
      .execute();
    return id;
  }

  const facilityOf = async (table: string, id: number) => {
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from ${sql.table(table)} where facility_id = ${id}`.execute(server.db);
    return rows[0]?.n ?? -1;
  };

  test('moves what belongs to one facility to the other; both numbers find it; taking it back restores both', async () => {
    const { db } = server;
    const { kept, merged, item, other, child, quote } = await twins('TWA');
    const preview = await server.ok(
      FacilityDuplicates.GetFacilityMergePreview,
      { keptId: kept.id, mergedId: merged.id },
      { as: sal },
    );
    expect(preview.parts).toEqual([
      { what: '1 quote', moved: 1, left: 0 },
      { what: '2 account prices', moved: 1, left: 1 },
      { what: '2 GPO memberships', moved: 1, left: 1 },
      { what: '1 contact', moved: 1, left: 0 },
      { what: '1 identifier', moved: 1, left: 0 },
      { what: '1 member', moved: 1, left: 0 },
    ]);
    const answer = await merge(kept.id, merged.id);
    expect([answer.status, answer.body.parts]).toEqual([200, preview.parts]);

    const prices = await db
      .selectFrom('account_price')
      .select(['item_id', 'price'])
      .where('facility_id', '=', kept.id)
      .orderBy('price')
      .execute();
    expect(prices).toEqual([
      { item_id: item.id, price: 5 },
      { item_id: other.id, price: 7 },
    ]);
    const primaries = await db
      .selectFrom('gpo_membership')
      .select(['member_id', 'is_primary'])
      .where('facility_id', '=', kept.id)
      .orderBy('id')
      .execute();
    expect(primaries).toEqual([
      { member_id: '', is_primary: true },
      { member_id: 'M-9', is_primary: false },
    ]);
    expect([await facilityOf('contact', kept.id), await facilityOf('facility_identifier', kept.id)]).toEqual([2, 1]);
    const parent = await db
      .selectFrom('facility')
      .select('parent_id')
      .where('id', '=', child.id)
      .executeTakeFirstOrThrow();
    expect(parent.parent_id).toBe(kept.id);

    // The quote is the same deal for the same customer, so its texts and its approval stay.
    const moved = await db.selectFrom('quote').selectAll().where('id', '=', quote).executeTakeFirstOrThrow();
    expect(moved).toMatchObject({ facility_id: kept.id, facility_name: 'As it was', version: 2 });
    const approval = () =>
      db
        .selectFrom('approval_request')
        .select(['state', 'content_hash'])
        .where('quote_id', '=', quote)
        .executeTakeFirstOrThrow();
    expect(await approval()).toEqual({
      state: 'Approved',
      content_hash: contentHash(moved, await loadLines(db, quote)),
    });
    const events = await db
      .selectFrom('quote_event')
      .select(['action', 'comment'])
      .where('quote_id', '=', quote)
      .execute();
    expect(events).toEqual([
      { action: 'MoveFacility', comment: `${merged.acctNo} and ${kept.acctNo} are the same customer` },
    ]);

    for (const keyword of [kept.acctNo, merged.acctNo]) {
      const results = await server.ok(FacilitySearch.GetFacilitiesByKeyWord, { keyword }, { as: sal });
      expect(results.map(({ id }) => id)).toEqual([kept.id]);
    }
    const listed = await server.ok(
      FacilityList.GetAllFacilities,
      { keyword: 'TWA', page: 1, pageSize: 20 },
      { as: sal },
    );
    expect(listed.records.map(({ id }) => id)).toEqual([kept.id]);
    expect((await server.ok(FacilitySearch.GetFacilityDataById, { id: merged.id }, { as: sal })).id).toBe(kept.id);
    const record = await server.ok(FacilityAdmin.GetFacilityRecord, { id: kept.id }, { as: sal });
    expect(record.otherAccounts).toEqual([{ acctNo: merged.acctNo, name: merged.name }]);
    const save = await server.call(
      FacilityAdmin.SaveFacility,
      { ...(await readOf(merged.id)), acctNo: 'X', name: 'X' },
      { as: sal },
    );
    expect(save.status).toBe(409);
    expect(await eventsOf(merged.id)).toEqual(['Sal Admin: Merge']);
    expect(await eventsOf(kept.id)).toEqual(['Sal Admin: Take over']);

    const { merge: created } = answer.body;
    const stale = { id: created.id, version: created.version + 1 };
    expect((await server.call(FacilityDuplicates.UndoFacilityMerge, stale, { as: sal })).status).toBe(409);
    const undo = { id: created.id, version: created.version };
    const undone = await server.ok(FacilityDuplicates.UndoFacilityMerge, undo, { as: sal });
    expect(undone).toMatchObject({ undoneBy: 'Sal Admin', notUndoable: 'This merge has already been undone.' });
    expect((await server.call(FacilityDuplicates.UndoFacilityMerge, undo, { as: sal })).status).toBe(409);
    const back = await db.selectFrom('facility').selectAll().where('id', '=', merged.id).executeTakeFirstOrThrow();
    expect(back).toMatchObject({ active: true, merged_into: null });
    expect([await facilityOf('account_price', merged.id), await facilityOf('gpo_membership', merged.id)]).toEqual([
      2, 2,
    ]);
    expect([await facilityOf('contact', merged.id), await facilityOf('facility_identifier', merged.id)]).toEqual([
      1, 1,
    ]);
    const again = await db.selectFrom('quote').selectAll().where('id', '=', quote).executeTakeFirstOrThrow();
    expect(again.facility_id).toBe(merged.id);
    expect((await approval()).content_hash).toBe(contentHash(again, await loadLines(db, quote)));
    const primary = await db.selectFrom('gpo_membership').select('is_primary').where('member_id', '=', 'M-9').execute();
    expect(primary).toEqual([{ is_primary: true }]);
    const matches = await server.ok(FacilitySearch.GetFacilitiesByKeyWord, { keyword: merged.acctNo }, { as: sal });
    expect(matches.map(({ id }) => id)).toEqual([merged.id]);
    expect(await eventsOf(merged.id)).toEqual(['Sal Admin: Merge', 'Sal Admin: Undo merge']);
  });

  test('is refused over a change, for a merged facility, for itself, and for one above the other', async () => {
    const { db } = server;
    const [a, b, c] = [await aFacility(db), await aFacility(db), await aFacility(db)];
    const stale = { kept: { id: a.id, version: 99 }, merged: await readOf(b.id) };
    expect((await server.call(FacilityDuplicates.MergeFacilities, stale, { as: sal })).status).toBe(409);
    expect((await merge(a.id, a.id)).status).toBe(422);
    expect((await merge(a.id, b.id)).status).toBe(200);
    expect((await merge(c.id, b.id)).status).toBe(409);
    const between = await aFacility(db, { parentId: c.id });
    const below = await aFacility(db, { parentId: between.id });
    expect((await merge(below.id, c.id)).status).toBe(422);
    // A direct parent may be merged into its child, which then has no parent.
    expect((await merge(between.id, c.id)).status).toBe(200);
    const now = await db
      .selectFrom('facility')
      .select('parent_id')
      .where('id', '=', between.id)
      .executeTakeFirstOrThrow();
    expect(now.parent_id).toBeNull();
    const rep = await aUser(db, { roles: ['salesrep'] });
    const input = { kept: await readOf(a.id), merged: await readOf(c.id) };
    expect((await server.call(FacilityDuplicates.MergeFacilities, input, { as: rep })).status).toBe(403);
    expect(
      (
        await server.call(
          FacilityDuplicates.MergeFacilities,
          { kept: input.kept, merged: { id: 2_000_000_000, version: 1 } },
          { as: sal },
        )
      ).status,
    ).toBe(404);
  });

  test('of merged facilities goes on to the last one, and is taken back in the other order', async () => {
    const { db } = server;
    const [a, b, c] = [await aFacility(db), await aFacility(db), await aFacility(db)];
    const first = (await merge(b.id, a.id)).body.merge;
    const second = (await merge(c.id, b.id)).body.merge;
    expect((await server.ok(FacilitySearch.GetFacilityDataById, { id: a.id }, { as: sal })).id).toBe(c.id);
    const { records } = await server.ok(
      FacilityDuplicates.SearchFacilityMerges,
      { page: 1, pageSize: 50 },
      { as: sal },
    );
    expect(records.find(({ id }) => id === first.id)?.notUndoable).toContain('was itself merged into another facility');
    const undo = (target: { id: number; version: number }) =>
      server.call(FacilityDuplicates.UndoFacilityMerge, { id: target.id, version: target.version }, { as: sal });
    expect((await undo(first)).status).toBe(409);
    expect((await undo(second)).status).toBe(200);
    expect((await server.ok(FacilitySearch.GetFacilityDataById, { id: a.id }, { as: sal })).id).toBe(b.id);
    expect((await undo(first)).status).toBe(200);
  });
});

test('a pair marked as not the same is remembered until somebody removes the mark', async () => {
  const { db } = server;
  const [a, b] = [await aFacility(db, { name: 'Apart House' }), await aFacility(db, { name: 'Apart House' })];
  expect(await pairs('apart house')).toHaveLength(1);
  const input = { first: await readOf(b.id), second: await readOf(a.id) };
  const stale = { first: input.first, second: { id: a.id, version: 99 } };
  expect((await server.call(FacilityDuplicates.TellFacilitiesApart, stale, { as: sal })).status).toBe(409);
  expect(
    (
      await server.call(
        FacilityDuplicates.TellFacilitiesApart,
        { first: input.first, second: input.first },
        { as: sal },
      )
    ).status,
  ).toBe(422);
  const pair = await server.ok(FacilityDuplicates.TellFacilitiesApart, input, { as: sal });
  expect(await server.ok(FacilityDuplicates.TellFacilitiesApart, input, { as: sal })).toEqual(pair);
  expect(await pairs('apart house')).toEqual([]);
  expect(await eventsOf(a.id)).toEqual(['Sal Admin: Tell apart']);
  const { records } = await server.ok(FacilityDuplicates.SearchFacilitiesApart, { page: 1, pageSize: 20 }, { as: sal });
  expect(records).toMatchObject([{ id: pair.id, by: 'Sal Admin' }]);
  const forget = (version: number) =>
    server.call(FacilityDuplicates.ForgetFacilitiesApart, { id: pair.id, version }, { as: sal });
  expect((await forget(pair.version + 1)).status).toBe(409);
  expect((await forget(pair.version)).status).toBe(200);
  expect((await forget(pair.version)).status).toBe(404);
  expect(await pairs('apart house')).toHaveLength(1);
});

describe('files', () => {
  test('say which new facilities look the same as others, and leave merged ones alone', async () => {
    const { db } = server;
    const stored = await aFacility(db, { acctNo: 'FL-1', name: 'Fern Hospital', zip: '70701' });
    const merged = await aFacility(db, { acctNo: 'FL-2', name: 'Fern Hospital', zip: '70701' });
    await merge(stored.id, merged.id);
    const text = [
      'Account Number,Name,Address,City,State,ZIP',
      'FL-2,Fern Renamed,1 Way,Fernley,NV,70701',
      'FL-3,Fern Hospital Inc,5 Way,Fernley,NV,70701',
      'FL-4,Quite Another,6 Way,Fernley,NV,70702',
      'FL-5,Moss House,7 Way,Fernley,NV,70703',
      'FL-6,Moss House LLC,8 Way,Fernley,NV,70703',
    ].join('\n');
    const view = await ada.check(await ada.upload('facilities', text));
    expect(figures(view)).toMatchObject({ New: 4, Same: 1, Changed: 0 });
    expect(view.report?.notes).toEqual([
      '2 new facilities look the same as another one: FL-3 Fern Hospital Inc beside FL-1 (same name and zip), FL-6 Moss House LLC beside FL-5 (same name and zip). After the import, Settings, Duplicate Facilities lists them. Merge them there, or mark them as not duplicates.',
      '1 row is of an account that was merged into another one, and is left as it is.',
    ]);
    await ada.apply(view);
    const name = await db.selectFrom('facility').select('name').where('id', '=', merged.id).executeTakeFirstOrThrow();
    expect(name.name).toBe('Fern Hospital');
    expect(await pairs('fern hospital')).toEqual(['FL-1 + FL-3: Same name and ZIP']);
  });

  test('find the one that remains by either number, and ask when a number fits two facilities', async () => {
    const { db } = server;
    const [saved, merged] = [await aFacility(db, { acctNo: 'PR-10' }), await aFacility(db, { acctNo: 'PR-20' })];
    await merge(saved.id, merged.id);
    const [dashed, plain] = [
      await aFacility(db, { acctNo: '00-77123' }),
      await aFacility(db, { acctNo: '0077-123', name: 'Other' }),
    ];
    const item = await anItem(db);
    const text = [
      'Account,Item,Unit,Price',
      `pr20,${item.itemNumber},EA,11`,
      `77123,${item.itemNumber},EA,12`,
      `NONE,${item.itemNumber},EA,13`,
    ].join('\n');
    const view = await ada.check(await ada.upload('account-prices', text));
    expect(figures(view)).toMatchObject({ New: 1, Held: 1, Refused: 1 });
    expect(view.report?.notes).toEqual([
      `1 row names its facility by another number or spelling: pr20 is PR-10 ${saved.name}.`,
    ]);
    const { records } = await server.ok(DataImport.GetHeldRows, { id: view.id }, { as: ada });
    expect(records).toMatchObject([{ line: 3, now: '77123', hint: 'The account number fits 2 facilities.' }]);
    const way = records[0]?.ways.find(({ label }) => label === '0077-123 Other')?.value ?? '';
    await server.ok(DataImport.DecideHeldRows, { id: view.id, lines: [3], decision: 'accepted', way }, { as: ada });
    expect((await ada.apply(view)).report).toMatchObject({ writes: 2, held: 0 });
    const stored = await db
      .selectFrom('account_price')
      .select(['facility_id', 'price'])
      .where('item_id', '=', item.id)
      .orderBy('price')
      .execute();
    expect(stored).toEqual([
      { facility_id: saved.id, price: 11 },
      { facility_id: plain.id, price: 12 },
    ]);
    expect(dashed.id).not.toBe(plain.id);
  });
});

test('a quote warns that prices of an alike facility do not count, until the pair is marked as not the same', async () => {
  const [listed, twin] = [
    await aFacility(server.db, { name: 'Warned Hospital', acctNo: 'WARN-1' }),
    await aFacility(server.db, { name: 'The Warned Hospital', acctNo: 'WARN-2' }),
  ];
  await street(listed.id, '7 Warned Street');
  await street(twin.id, '7 Warned St.');
  const inside = await aUser(server.db, { roles: ['insiderep'] });
  const warningsFor = async (facilityId: number) => {
    const { quote, warnings } = await server.ok(QuoteEdit.SaveSalesRepQuote, { quote: { facilityId } }, { as: inside });
    const read = await server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id: quote.id }, { as: inside });
    const { warning } = await server.ok(QuoteEdit.PopulateQuoteEditLookups, { facilityId }, { as: inside });
    expect([read.warnings, [warning].filter(Boolean)]).toEqual([warnings, warnings]);
    return warnings;
  };
  expect(await warningsFor(twin.id)).toEqual([]);
  await aContract(server.db, { facilityIds: [listed.id] });
  expect(await warningsFor(twin.id)).toEqual([
    'WARN-1 Warned Hospital looks the same, and its prices do not apply here. If it is the same customer, use that account, or have them merged.',
  ]);
  expect(await warningsFor(listed.id)).toEqual([]);
  await server.ok(
    FacilityDuplicates.TellFacilitiesApart,
    { first: await readOf(listed.id), second: await readOf(twin.id) },
    { as: sal },
  );
  expect(await warningsFor(twin.id)).toEqual([]);
});

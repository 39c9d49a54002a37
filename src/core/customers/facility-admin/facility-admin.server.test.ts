// Tests editing facilities over HTTP: permissions, refusals, two administrators at once, history, and what quotes keep.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { FacilitySearch } from '#core/customers/facilities/facilities.contract.ts';
import { History } from '#platform/history/history.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { TerritoryAdmin } from '#core/territories/territory-admin/territory-admin.contract.ts';
import { addDays } from '#platform/shared/dates.ts';
import { aGpo, aMembership } from '#testing/factories/contracts.server.ts';
import { aFacility, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { FacilityAdmin } from './facility-admin.contract.ts';

let server: TestServer;
let admin: { id: number };
let other: { id: number };
let day: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
  other = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Bea Boss' });
  day = today(server.services, await loadCompany(server.db));
});
afterAll(() => server.close());

const in_ = (days: number) => addDays(day, days);
type Refused = { status: number; detail: string; errors: { path: string; message: string }[] };
async function refused(answer: Promise<{ status: number; body: unknown }>): Promise<Refused> {
  const { status, body } = await answer;
  expect(status).toBeGreaterThanOrEqual(400);
  return { ...(body as Refused), status };
}
const read = async (id: number) =>
  (await server.ok(FacilityAdmin.PopulateFacilityEditModel, { id }, { as: admin })).facility;
const record = (id: number) => server.ok(FacilityAdmin.GetFacilityRecord, { id }, { as: admin });
const data = (id: number) => server.ok(FacilitySearch.GetFacilityDataById, { id }, { as: admin });
const history = (id: number) => server.ok(History.GetHistory, { type: 'facility', id }, { as: admin });
const save = (input: object, as = admin) =>
  server.call(FacilityAdmin.SaveFacility, { acctNo: 'X', name: 'X', ...input }, { as });

describe('a facility', () => {
  it('can be added, read by everybody and changed; its history names the person and the change', async () => {
    const parent = await aFacility(server.db, { name: 'The System' });
    const blank = await server.ok(FacilityAdmin.PopulateFacilityEditModel, {}, { as: admin });
    expect(blank).toMatchObject({ facility: { id: 0, paymentTerms: 'Net 30', currnIdx: 1007 }, active: true });
    const created = await server.ok(
      FacilityAdmin.SaveFacility,
      {
        ...blank.facility,
        acctNo: ' 00770 ',
        name: 'Mercy West',
        phone: '(312) 555-0100',
        shipTo: { line1: '1 Dock Road', line2: '', city: 'Chicago', state: 'IL', zip: '60601-1234' },
        parent: { id: parent.id },
        classOfTrade: 'Acute care',
        currnIdx: 1009,
        taxExempt: true,
        taxCertificate: 'E-9912-3456',
        taxRate: 6.25,
        paymentTerms: 'Net 45',
      },
      { as: admin },
    );
    expect(created).toMatchObject({ acctNo: '00770', parent: { id: parent.id, name: 'The System' }, version: 1 });
    const rep = await aUser(server.db);
    expect(await server.ok(FacilitySearch.GetFacilityDataById, { id: created.id }, { as: rep })).toMatchObject({
      acctNo: '00770',
      shipTo: { zip: '60601-1234' },
      currnIdx: 1009,
      taxExempt: true,
      taxRate: 6.25,
      paymentTerms: 'Net 45',
      active: true,
    });
    const asRep = await server.ok(FacilityAdmin.GetFacilityRecord, { id: created.id }, { as: rep });
    expect(asRep).toMatchObject({ taxCertificate: 'E-9912-3456', memberships: [], overrides: [], version: 1 });

    // Omitted fields keep their value.
    const changed = await server.ok(
      FacilityAdmin.SaveFacility,
      { id: created.id, acctNo: '00770', name: 'Mercy Far West', taxRate: 7, parent: null, version: 1 },
      { as: other },
    );
    expect(changed).toEqual({ ...created, name: 'Mercy Far West', taxRate: 7, parent: null, version: 2 });
    const [edit, create] = await history(created.id);
    expect(edit).toMatchObject({
      actor: 'Bea Boss',
      action: 'Edit',
      changes: [
        { field: 'Name', before: 'Mercy West', after: 'Mercy Far West' },
        { field: 'Parent', before: 'The System', after: '' },
        { field: 'Tax rate', before: '6.25%', after: '7%' },
      ],
    });
    expect(create).toMatchObject({ actor: 'Ada Admin', action: 'Create' });
    expect(create?.changes).toContainEqual({
      field: 'Ship to',
      before: '',
      after: '1 Dock Road, Chicago, IL 60601-1234',
    });
    const results = await server.ok(FacilitySearch.GetFacilitiesByKeyWord, { keyword: 'mercy far' }, { as: rep });
    expect(results).toMatchObject([{ id: created.id, acctNo: '00770' }]);
  });

  it('refuses, under its field, a taken account number, a bad ZIP, state, rate or currency, and a circular parent', async () => {
    const { db } = server;
    const top = await aFacility(db, { name: 'Top of All', acctNo: 'TOP-1' });
    const middle = await aFacility(db, { name: 'Middle', parentId: top.id });
    const low = await aFacility(db, { name: 'Low', parentId: middle.id });
    const closed = await aFacility(db, { name: 'Closed House', active: false });
    const base = { id: top.id, acctNo: 'TOP-1', name: 'Top of All', version: 1 };
    const whole = { line1: '', line2: '', city: '', state: 'IL', zip: '60601' };
    const errors = async (input: object) => {
      const { status, errors: results } = await refused(save({ ...base, ...input }));
      return [status, ...results.map(({ path, message }) => `${path}: ${message}`)];
    };
    expect(await errors({ id: 0, acctNo: 'top-1' })).toEqual([
      422,
      'acctNo: Top of All already has the account number top-1.',
    ]);
    expect(await errors({ name: ' ' })).toEqual([422, 'name: This field is required']);
    expect(await errors({ shipTo: { ...whole, zip: '606' } })).toEqual([
      422,
      'shipTo.zip: Enter a 5-digit ZIP or ZIP+4',
    ]);
    expect(await errors({ billTo: { ...whole, state: 'XX' } })).toEqual([422, 'billTo.state: Choose the state']);
    expect(await errors({ taxRate: 101 })).toEqual([422, 'taxRate: Between 0 and 100']);
    expect(await errors({ currnIdx: 1234 })).toEqual([422, 'currnIdx: Choose US dollar or euro.']);
    expect(await errors({ parent: { id: top.id } })).toEqual([422, 'parent: A facility cannot be its own parent.']);
    expect(await errors({ parent: { id: low.id } })).toEqual([
      422,
      'parent: Low is below this facility, so it cannot be its parent.',
    ]);
    expect(await errors({ parent: { id: closed.id } })).toEqual([422, 'parent: Closed House is no longer active.']);
    expect(await errors({ parent: { id: 999_999 } })).toEqual([422, 'parent: This facility does not exist.']);
    expect((await read(top.id)).version).toBe(1);
  });

  it('tells the second of two administrators what the first changed, and refuses an account number that the first took', async () => {
    const { id } = await aFacility(server.db, { name: 'Contested' });
    const first = await read(id);
    await server.ok(FacilityAdmin.SaveFacility, { ...first, phone: '555-0199' }, { as: other });
    expect(await save({ ...first, phone: '555-0111' })).toMatchObject({
      status: 409,
      body: {
        detail: "Bea Boss changed this facility while you were editing it: Phone from '' to '555-0199'.",
        conflict: { changedBy: 'Bea Boss', current: { phone: '555-0199', version: 2 } },
      },
    });
    const both = await Promise.all([
      save({ acctNo: 'AT-ONCE', name: 'One' }),
      save({ acctNo: 'At-Once', name: 'Two' }, other),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    const [left, right] = [await aFacility(server.db), await aFacility(server.db)];
    const below = await Promise.all([
      save({ ...(await read(left.id)), parent: { id: right.id } }),
      save({ ...(await read(right.id)), parent: { id: left.id } }, other),
    ]);
    expect(below.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  });

  it('does not change existing quotes', async () => {
    const facility = await aFacility(server.db, { name: 'Quoted', taxRate: 5 });
    const quote = await aQuote(server.db, { facility, ownerId: admin.id });
    const before = await server.db.selectFrom('quote').selectAll().where('id', '=', quote.id).executeTakeFirst();
    await server.ok(
      FacilityAdmin.SaveFacility,
      { ...(await read(facility.id)), name: 'Renamed', taxRate: 9, currnIdx: 1009, paymentTerms: 'Prepaid' },
      { as: admin },
    );
    expect(await server.db.selectFrom('quote').selectAll().where('id', '=', quote.id).executeTakeFirst()).toEqual(
      before,
    );
  });

  it('can be deactivated and activated; new quotes cannot use an inactive one', async () => {
    const { db } = server;
    const facility = await aFacility(db, { name: 'Zwitch Clinic' });
    await aFacility(db, { parentId: facility.id });
    await aFacility(db, { parentId: facility.id, active: false });
    await aQuote(db, { facility, ownerId: admin.id });
    await aQuote(db, { facility, ownerId: admin.id, statusId: 'Lost' });
    const edit = await server.ok(FacilityAdmin.PopulateFacilityEditModel, { id: facility.id }, { as: admin });
    expect(edit).toMatchObject({ active: true, facts: { openQuotes: 1, members: 1 } });
    const toggle = (input: object) =>
      server.call(FacilityAdmin.InactiveOrActiveFacility, { id: facility.id, ...input }, { as: admin });
    expect(await toggle({ active: false, version: 99 })).toMatchObject({ status: 409 });
    expect(await toggle({ active: false, version: 1 })).toMatchObject({ body: { active: false, version: 2 } });
    // A repeated call changes nothing, whatever version it sends.
    expect(await toggle({ active: false, version: 1 })).toMatchObject({ status: 200, body: { version: 2 } });
    const search = () => server.ok(FacilitySearch.GetFacilitiesByKeyWord, { keyword: 'zwitch' }, { as: admin });
    expect(await search()).toEqual([]);
    const created = await server.call(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { facilityId: facility.id } },
      { as: other },
    );
    expect(created).toMatchObject({
      status: 422,
      body: { errors: [{ message: 'Zwitch Clinic is no longer active.' }] },
    });
    expect(await toggle({})).toMatchObject({ status: 422, body: { errors: [{ path: 'version' }] } });
    expect(await toggle({ version: 2 })).toMatchObject({ body: { active: true, version: 3 } });
    expect(await search()).toHaveLength(1);
    expect((await history(facility.id)).map(({ action }) => action)).toEqual(['Activate', 'Deactivate']);
  });

  it('refuses people without the role, and answers 404 for an unknown one', async () => {
    const facility = await aFacility(server.db);
    const { memberships: _, ...here } = await record(facility.id);
    expect(here.today).toBe(day);
    for (const role of ['salesrep', 'csrep', 'insiderep', 'salesQuoteManager', 'contractdept'] as const) {
      const user = await aUser(server.db, { roles: [role] });
      expect((await save({ id: facility.id }, user)).status).toBe(403);
      for (const call of [
        FacilityAdmin.PopulateFacilityEditModel,
        FacilityAdmin.InactiveOrActiveFacility,
        FacilityAdmin.SaveFacilityContact,
        FacilityAdmin.RemoveFacilityContact,
        FacilityAdmin.GetContactUse,
        ...(role === 'contractdept'
          ? []
          : [FacilityAdmin.GetGpoSimpleData, FacilityAdmin.SaveGpoMembership, FacilityAdmin.EndGpoMembership]),
      ])
        expect((await server.call(call, { id: facility.id }, { as: user })).status).toBe(403);
    }
    expect((await save({ id: 999_999, version: 1 })).status).toBe(404);
    for (const call of [
      FacilityAdmin.GetFacilityRecord,
      FacilityAdmin.PopulateFacilityEditModel,
      FacilityAdmin.InactiveOrActiveFacility,
    ])
      expect((await server.call(call, { id: 999_999, version: 1 }, { as: admin })).status).toBe(404);
    expect((await server.call(FacilityAdmin.GetFacilityRecord, { id: facility.id })).status).toBe(401);
  });
});

describe('contacts', () => {
  const put = (input: object, as = admin) =>
    server.call(FacilityAdmin.SaveFacilityContact, { facilityId: 0, name: 'Pat Buyer', ...input }, { as });

  it('can be added, changed and removed; quotes keep theirs', async () => {
    const { db } = server;
    const facility = await aFacility(db);
    const created = await server.ok(
      FacilityAdmin.SaveFacilityContact,
      { facilityId: facility.id, name: 'Pat Buyer', title: 'Purchasing', email: 'pat@example.org', phone: '555-0107' },
      { as: admin },
    );
    const quote = await aQuote(db, { facility, ownerId: admin.id });
    await db
      .updateTable('quote')
      .set({ contact_name: 'Pat Buyer', contact_email: 'pat@example.org' })
      .where('id', '=', quote.id)
      .execute();
    await server.ok(
      FacilityAdmin.SaveFacilityContact,
      { ...created, facilityId: facility.id, title: 'Head of purchasing', version: 2 },
      { as: other },
    );
    const contact = { facilityId: facility.id, id: created.id };
    expect(await server.ok(FacilityAdmin.GetContactUse, contact, { as: admin })).toEqual({ openQuotes: 1 });
    await server.ok(FacilityAdmin.RemoveFacilityContact, { ...contact, version: 3 }, { as: admin });
    expect((await data(facility.id)).contacts.map(({ name }) => name)).not.toContain('Pat Buyer');
    const stored = await db
      .selectFrom('quote')
      .select(['contact_name', 'contact_email'])
      .where('id', '=', quote.id)
      .executeTakeFirst();
    expect(stored).toEqual({ contact_name: 'Pat Buyer', contact_email: 'pat@example.org' });
    expect(await history(facility.id)).toMatchObject([
      { action: 'Remove contact', changes: [{ field: 'Contact', after: '' }] },
      {
        actor: 'Bea Boss',
        action: 'Change contact',
        changes: [
          {
            before: 'Pat Buyer, Purchasing, pat@example.org, 555-0107',
            after: 'Pat Buyer, Head of purchasing, pat@example.org, 555-0107',
          },
        ],
      },
      { action: 'Add contact' },
    ]);
    expect(
      await server.call(FacilityAdmin.RemoveFacilityContact, { ...contact, version: 4 }, { as: admin }),
    ).toMatchObject({
      status: 404,
    });
  });

  it('refuses a missing name, a wrong email and a duplicate name; 404 for a contact of another facility', async () => {
    const [here, there] = [await aFacility(server.db), await aFacility(server.db)];
    const [own] = (await data(here.id)).contacts;
    expect(await refused(put({ facilityId: here.id, name: '', email: 'pat@' }))).toMatchObject({
      status: 422,
      errors: [{ path: 'name' }, { path: 'email', message: 'This is not an email address' }],
    });
    expect(await refused(put({ facilityId: here.id, name: own?.name.toUpperCase() }))).toMatchObject({
      status: 422,
      errors: [{ path: 'name', message: `This facility already has a contact named ${own?.name.toUpperCase()}.` }],
    });
    expect((await put({ facilityId: there.id, id: own?.id, version: 1 })).status).toBe(404);
    expect((await put({ facilityId: 999_999 })).status).toBe(404);
  });

  it('tells the second of two administrators; a change of another part does not conflict with a new contact', async () => {
    const facility = await aFacility(server.db);
    const [own] = (await data(facility.id)).contacts;
    const { version } = await record(facility.id);
    const base = { ...own, facilityId: facility.id, version };
    expect((await put({ ...base, phone: '555-0001' }, other)).status).toBe(200);
    const late = await put({ ...base, phone: '555-0002' });
    expect(late).toMatchObject({
      status: 409,
      body: { conflict: { changedBy: 'Bea Boss', current: { phone: '555-0001', version: version + 1 } } },
    });
    expect((await put({ facilityId: facility.id, version, name: 'New One' })).status).toBe(200);
  });
});

describe('GPO memberships', () => {
  const put = (input: object, as = admin) =>
    server.call(FacilityAdmin.SaveGpoMembership, { facilityId: 0, from: day, ...input }, { as });
  const held = async (id: number) =>
    (await record(id)).memberships.map(({ gpo, primary, from, to }) => [gpo.name, primary, from, to]);

  it('can be added, changed and ended; ended ones stay listed; a new primary takes the mark', async () => {
    const facility = await aFacility(server.db);
    const gpo = await aGpo(server.db, { name: 'Alder' });
    const facilityId = facility.id;
    const alder = await server.ok(
      FacilityAdmin.SaveGpoMembership,
      { facilityId, gpoId: gpo.id, memberId: 'A-1', primary: true, from: in_(-30) },
      { as: admin },
    );
    expect(alder).toMatchObject({ gpo, memberId: 'A-1', primary: true, to: null });
    const birch = await server.ok(
      FacilityAdmin.SaveGpoMembership,
      { facilityId, newGpo: 'Birch', primary: true, from: day },
      { as: admin },
    );
    expect(await held(facilityId)).toEqual([
      ['Birch', true, day, null],
      ['Alder', false, in_(-30), null],
    ]);
    // Typing an existing group's name selects that group.
    const elsewhere = await aFacility(server.db);
    const again = await put({ facilityId: elsewhere.id, newGpo: 'BIRCH' });
    expect(again.body).toMatchObject({ gpo: birch.gpo });

    const { version } = await record(facilityId);
    const end = async (id: number, lastDay: string) => {
      const input = { facilityId, id, lastDay, version: (await record(facilityId)).version };
      return server.call(FacilityAdmin.EndGpoMembership, input, { as: admin });
    };
    const late = { facilityId, id: alder.id, lastDay: in_(-1), version: version - 1 };
    expect((await server.call(FacilityAdmin.EndGpoMembership, late, { as: admin })).status).toBe(409);
    expect((await end(alder.id, in_(-1))).body).toEqual({ ended: 1, removed: 0 });
    expect(await refused(end(alder.id, in_(-31)))).toMatchObject({ status: 422, errors: [{ path: 'lastDay' }] });
    const cedar = await server.ok(
      FacilityAdmin.SaveGpoMembership,
      { facilityId, newGpo: 'Cedar', from: in_(10) },
      { as: admin },
    );
    expect((await end(cedar.id, in_(9))).body).toEqual({ ended: 0, removed: 1 });
    expect(await held(facilityId)).toEqual([
      ['Birch', true, day, null],
      ['Alder', false, in_(-30), in_(-1)],
    ]);
    expect((await data(facilityId)).memberships.map(({ gpo: name, primary }) => [name, primary])).toEqual([
      ['Birch', true],
    ]);
    expect((await record(facilityId)).version).toBe(version + 3);
    expect((await history(facilityId)).map(({ action }) => action)).toEqual([
      'Remove membership',
      'Add membership',
      'End membership',
      'Add membership',
      'Change membership',
      'Add membership',
    ]);
  });

  it('refuses overlapping days in one group, a second future primary, a changed past, no group, and reversed days', async () => {
    const { db } = server;
    const { id: facilityId } = await aFacility(db);
    const [elm, fir] = [await aGpo(db, { name: 'Elm' }), await aGpo(db, { name: 'Fir' })];
    const old = await aMembership(db, { facilityId, gpoId: elm.id });
    const errors = async (input: object) => {
      const { status, errors: results } = await refused(put({ facilityId, version: 1, ...input }));
      return [status, ...results.map(({ path, message }) => `${path}: ${message}`)];
    };
    const twice = 'It is already a member of Elm from 01/01/2020. End that first.';
    expect(await errors({ gpoId: elm.id })).toEqual([422, `gpoId: ${twice}`]);
    expect(await errors({ newGpo: 'elm' })).toEqual([422, `newGpo: ${twice}`]);
    expect(await errors({ gpoId: fir.id, from: in_(5), primary: true })).toEqual([
      422,
      'primary: Elm is the primary GPO from 01/01/2020. Clear its primary mark or end it first.',
    ]);
    const begun = 'This began on 01/01/2020, so only the number, the primary mark and the last day can change.';
    expect(await errors({ id: old.id, gpoId: fir.id, from: '2020-01-01' })).toEqual([422, `gpoId: ${begun}`]);
    expect(await errors({ id: old.id, gpoId: elm.id })).toEqual([422, `from: ${begun}`]);
    expect(await errors({})).toEqual([422, 'gpoId: Choose the GPO']);
    expect(await errors({ gpoId: 999_999 })).toEqual([422, 'gpoId: This GPO does not exist.']);
    expect(await errors({ gpoId: fir.id, to: in_(-1) })).toEqual([
      422,
      'to: The last day cannot be before the first day.',
    ]);
    expect((await put({ facilityId, id: 999_999, gpoId: fir.id, version: 1 })).status).toBe(404);
    expect(await held(facilityId)).toEqual([['Elm', true, '2020-01-01', null]]);
  });

  it('tells the second of two administrators, and keeps one of two simultaneous primaries', async () => {
    const { db } = server;
    const { id: facilityId } = await aFacility(db);
    const gpo = await aGpo(db);
    const { id } = await aMembership(db, { facilityId, gpoId: gpo.id, primary: false });
    const base = { id, facilityId, gpoId: gpo.id, from: '2020-01-01', version: (await record(facilityId)).version };
    expect((await put({ ...base, memberId: 'one' }, other)).status).toBe(200);
    expect(await put({ ...base, memberId: 'two' })).toMatchObject({
      status: 409,
      body: { conflict: { changedBy: 'Bea Boss', current: { memberId: 'one' } } },
    });
    await Promise.all([
      put({ facilityId, newGpo: 'Gum', primary: true }),
      put({ facilityId, newGpo: 'Hazel', primary: true }, other),
    ]);
    expect((await held(facilityId)).filter(([, primary]) => primary)).toHaveLength(1);
  });
});

it('reads the account overrides of a facility, including past ones, and records them in its history', async () => {
  const { db } = server;
  const facility = await aFacility(db, { name: 'Overridden' });
  const [here, there] = [await aTerritory(db, { name: 'Here' }), await aTerritory(db, { name: 'There' })];
  await db
    .insertInto('account_override')
    .values({
      facility_id: facility.id,
      territory_id: there.id,
      reason: 'Long ago',
      valid_from: '2020-01-01',
      valid_to: '2020-12-31',
    })
    .execute();
  const created = await server.ok(
    TerritoryAdmin.SaveTerritoryOverride,
    { territoryId: here.id, facilityId: facility.id, reason: 'Known', from: in_(-1) },
    { as: admin },
  );
  expect((await record(facility.id)).overrides).toMatchObject([
    { id: created.id, territory: { id: here.id, name: 'Here' }, counts: true, reason: 'Known', to: null },
    { territory: { name: 'There' }, to: '2020-12-31' },
  ]);
  expect((await data(facility.id)).reps).toMatchObject({ territory: { name: 'Here' }, why: 'override' });
  const ending = { territoryId: here.id, ids: [created.id], lastDay: day, version: created.version };
  await server.ok(TerritoryAdmin.EndTerritoryOverrides, ending, { as: admin });
  const [ended, added] = await history(facility.id);
  expect(ended).toMatchObject({ actor: 'Ada Admin', action: 'End override' });
  expect(added).toMatchObject({ action: 'Add override', changes: [{ before: '' }] });
  expect(added?.changes[0]?.after).toMatch(/^Here from .*: Known$/);
  // When an override that has not begun moves to another facility, both histories record it.
  const next = await aFacility(db);
  const coming = { territoryId: here.id, reason: 'Soon', from: in_(40) };
  const later = await server.ok(
    TerritoryAdmin.SaveTerritoryOverride,
    { ...coming, facilityId: facility.id },
    { as: admin },
  );
  await server.ok(
    TerritoryAdmin.SaveTerritoryOverride,
    { ...coming, id: later.id, facilityId: next.id, version: later.version },
    { as: admin },
  );
  expect((await history(facility.id)).map(({ action }) => action).slice(0, 2)).toEqual([
    'Remove override',
    'Add override',
  ]);
  expect((await history(next.id)).map(({ action }) => action)).toEqual(['Change override']);
});

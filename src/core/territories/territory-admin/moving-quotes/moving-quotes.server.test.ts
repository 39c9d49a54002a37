// Tests moving open quotes after a territory change: which quotes it lists, moves and keeps, by the rule for new quotes.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { STATUSES } from '#core/quoting/quotes/status.ts';
import { servingReps } from '#core/territories/territories/serving-reps.server.ts';
import { addDays } from '#platform/shared/dates.ts';
import { aFacility, aSalesOffice, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { anApprovalRequest, aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { notifiedKinds } from '#testing/notifications-of.server.ts';
import { TerritoryAdmin } from '../territory-admin.contract.ts';

let server: TestServer;
let day: string;
beforeAll(async () => {
  server = await startTestServer();
  day = today(server.services, await loadCompany(server.db));
});
afterAll(() => server.close());

/** Creates a sales office, and a quote of its facility with the office's users. */
async function anOfficeWithQuote(input: Parameters<typeof aQuote>[1] = {}) {
  const office = await aSalesOffice(server.db);
  const quote = async (more: Parameters<typeof aQuote>[1] = {}) =>
    aQuote(server.db, {
      facility: office.facility,
      ownerId: office.rep.id,
      salesRepId: office.rep.id,
      csRepId: office.cs.id,
      isRepId: office.inside.id,
      territoryId: office.territory.id,
      regionId: office.region.id,
      ...input,
      ...more,
    });
  return { ...office, quote };
}

const listed = async (territoryId: number, as: { id: number }) =>
  server.ok(TerritoryAdmin.GetQuotesToMove, { territoryId }, { as });

it('after a change of reps, moves open quotes on request, with an event and a new version; new ones follow at once', async () => {
  const { db } = server;
  const office = await anOfficeWithQuote();
  const { salesAdmin: admin, territory } = office;
  const [first, second] = [await office.quote(), await office.quote()];
  expect(await listed(territory.id, admin)).toEqual({ quotes: [], total: 0, kept: { sent: 0, pending: 0 } });

  const successor = await aUser(db, { fullName: 'Sue Cessor' });
  const { territory: read } = await server.ok(
    TerritoryAdmin.PopulateTerritoryEditModel,
    { id: territory.id },
    { as: admin },
  );
  const reps = read.reps.map((rep) => (rep.role === 'sales' ? { ...rep, to: addDays(day, -1) } : rep));
  await server.ok(
    TerritoryAdmin.SaveTerritory,
    { ...read, reps: [...reps, { role: 'sales', userId: successor.id, from: day }] },
    { as: admin },
  );
  const { quotes, total } = await listed(territory.id, admin);
  expect(total).toBe(2);
  expect(quotes.map(({ id }) => id)).toEqual([first.id, second.id]);
  expect(quotes[0]).toMatchObject({
    why: 'zip',
    before: { territory: { id: territory.id }, salesRep: { id: office.rep.id }, csRep: { id: office.cs.id } },
    after: { territory: { id: territory.id }, salesRep: { name: 'Sue Cessor' }, csRep: { id: office.cs.id } },
  });
  // No quote moves automatically, but a new quote belongs to the successor.
  const fresh = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { id: 0, facilityId: office.facility.id } },
    { as: office.admin },
  );
  expect(fresh.quote.salesRepId).toBe(successor.id);

  const ticked = quotes.filter(({ id }) => id === first.id);
  const moved = await server.ok(TerritoryAdmin.MoveQuotes, { quotes: ticked }, { as: admin });
  expect(moved).toEqual({ moved: 1, left: [] });
  const rows = await db
    .selectFrom('quote')
    .select(['sales_rep_id', 'cs_rep_id', 'owner_id', 'version'])
    .where('id', 'in', [first.id, second.id])
    .orderBy('id')
    .execute();
  expect(rows).toEqual([
    { sales_rep_id: successor.id, cs_rep_id: office.cs.id, owner_id: office.rep.id, version: 2 },
    { sales_rep_id: office.rep.id, cs_rep_id: office.cs.id, owner_id: office.rep.id, version: 1 },
  ]);
  const event = await db
    .selectFrom('quote_event')
    .select(['actor', 'action', 'from_status', 'to_status', 'changes'])
    .where('quote_id', '=', first.id)
    .executeTakeFirstOrThrow();
  expect(event).toEqual({
    actor: admin.fullName,
    action: 'MoveTerritory',
    from_status: 'Editing',
    to_status: 'Editing',
    changes: [{ field: 'Sales Rep.', before: office.rep.fullName, after: 'Sue Cessor' }],
  });
  expect(await notifiedKinds(db, successor, first.id)).toEqual(['assigned']);
  expect(await notifiedKinds(db, successor, second.id)).toEqual([]);
  // A second click, and a click on an outdated list.
  expect(await server.ok(TerritoryAdmin.MoveQuotes, { quotes: ticked }, { as: admin })).toMatchObject({
    moved: 0,
    left: [{ id: first.id, num: first.num, why: 'Another user changed it in the meantime.' }],
  });
  expect(
    await server.ok(TerritoryAdmin.MoveQuotes, { quotes: [{ id: first.id, version: 2 }] }, { as: admin }),
  ).toMatchObject({ moved: 0, left: [{ why: 'It is already where it belongs.' }] });
  const unknown = { id: 999_999_999, version: 1 };
  expect(await server.ok(TerritoryAdmin.MoveQuotes, { quotes: [unknown, unknown] }, { as: admin })).toEqual({
    moved: 0,
    left: [{ id: unknown.id, num: 0, why: 'This quote does not exist.' }],
  });
});

it('moves only quotes before sending; counts those that are sent or wait for an approval', async () => {
  const { db } = server;
  const office = await anOfficeWithQuote();
  const elsewhere = await aTerritory(db);
  const quotes = new Map<string, { id: number }>();
  for (const statusId of STATUSES) {
    quotes.set(statusId, await office.quote({ statusId, territoryId: elsewhere.id, regionId: elsewhere.regionId }));
  }
  const pending = await office.quote({ statusId: 'Processing', territoryId: elsewhere.id });
  await anApprovalRequest(db, { quoteId: pending.id, requestedBy: office.cs.id, roles: ['salesadmin'] });
  const result = await listed(elsewhere.id, office.admin);
  expect(result.quotes.map(({ statusId }) => statusId).toSorted()).toEqual(
    ['DiscountApproved', 'Editing', 'NeedMoreInfo', 'Processing', 'Revising', 'WaitingForProcess'].toSorted(),
  );
  expect(result.kept).toEqual({ sent: 1, pending: 1 });
  // The target territory lists them as well.
  expect((await listed(office.territory.id, office.admin)).total).toBe(6);
  const all = [...quotes.values(), pending].map(({ id }) => ({ id, version: 1 }));
  const { moved, left } = await server.ok(TerritoryAdmin.MoveQuotes, { quotes: all }, { as: office.admin });
  expect(moved).toBe(6);
  expect(left.map(({ why }) => why).toSorted()).toEqual([
    'It is already where it belongs.',
    'It is already where it belongs.',
    'It is already where it belongs.',
    'It waits for an approval.',
    'It was sent to the customer.',
  ]);
});

it('keeps a person where the assignment names nobody; keeps everything without a territory', async () => {
  const { db } = server;
  const office = await anOfficeWithQuote();
  const lonely = await aTerritory(db, { name: 'Lonely' });
  await db
    .insertInto('account_override')
    .values({ facility_id: office.facility.id, territory_id: lonely.id, valid_from: day, reason: 'x' })
    .execute();
  const quote = await office.quote();
  const { quotes } = await listed(lonely.id, office.admin);
  expect(quotes).toMatchObject([
    {
      id: quote.id,
      why: 'override',
      after: { territory: { name: 'Lonely' }, region: { id: lonely.regionId }, salesRep: { id: office.rep.id } },
    },
  ]);
  await db
    .updateTable('territory')
    .set({ active: false })
    .where('id', 'in', [lonely.id, office.territory.id])
    .execute();
  expect((await listed(lonely.id, office.admin)).total).toBe(0);
});

it('follows the same rule as new quotes, for every facility', async () => {
  const { db } = server;
  const office = await anOfficeWithQuote();
  const [inOverride, afterwards] = [await aTerritory(db, { is: office.inside.id }), await aTerritory(db)];
  await db
    .insertInto('zip_assignment')
    .values([
      { zip5: '56001', territory_id: office.territory.id, valid_from: '2020-01-01' },
      { zip5: '56001', territory_id: inOverride.id, valid_from: day },
      { zip5: '56002', territory_id: afterwards.id, valid_from: addDays(day, 1) },
    ])
    .execute();
  for (const zip of ['56001', '56001-4444', '56002', office.zip, '00000', '']) {
    const facility = await aFacility(db, { zip });
    if (zip === office.zip)
      await db
        .insertInto('account_override')
        .values({ facility_id: facility.id, territory_id: inOverride.id, valid_from: '2020-01-01', valid_to: day })
        .execute();
    const { id } = await aQuote(db, { facility, salesRepId: null });
    const serving = await servingReps(db, facility.id, day);
    const all = await server.ok(TerritoryAdmin.GetQuotesToMove, {}, { as: office.admin });
    const { after } = all.quotes.find((quote) => quote.id === id) ?? { after: null };
    const { why, ...expected } = serving;
    expect(after).toEqual(why === 'none' ? null : expected);
  }
});

it('is for administrators', async () => {
  const rep = await aUser(server.db);
  expect((await server.call(TerritoryAdmin.GetQuotesToMove, {}, { as: rep })).status).toBe(403);
  const quotes = [{ id: 1, version: 1 }];
  expect((await server.call(TerritoryAdmin.MoveQuotes, { quotes }, { as: rep })).status).toBe(403);
  expect((await server.call(TerritoryAdmin.MoveQuotes, { quotes })).status).toBe(401);
});

// Tests approval rules over HTTP: save, order, deactivate, try on a quote, fire on a quote, permissions.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility, aRegion, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ApprovalRules } from './approval-rules.contract.ts';

let server: TestServer;
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Bea Boss' });
});
afterAll(() => server.close());

const RULE = { name: 'Large quotes', metric: 'quoteTotal', operator: '>', threshold: 500, role: 'salesadmin' } as const;

it('a rule is added, tried on a quote before and after, changed and switched off; its history records each change', async () => {
  const { db } = server;
  const item = await anItem(db, { price: 300 });
  const cs = await aUser(db, { roles: ['csrep'] });
  const facility = await aFacility(db);
  const { quote } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: facility.id }, items: [{ itemId: item.id, qty: 2, unit: 'EA' }] },
    { as: cs },
  );
  const tried = await server.ok(ApprovalRules.TryApprovalRules, { num: quote.num, draft: RULE }, { as: admin });
  expect(tried).toMatchObject({
    facilityName: facility.name,
    totalAmount: 600,
    fired: [{ name: 'Large quotes', figure: 600 }],
  });
  expect((await server.ok(ApprovalRules.TryApprovalRules, { num: quote.num }, { as: admin })).fired).toEqual([]);

  const created = await server.ok(ApprovalRules.SaveApprovalRule, RULE, { as: admin });
  expect(created).toMatchObject({ ...RULE, active: true, version: 1 });
  expect((await server.ok(ApprovalRules.TryApprovalRules, { num: quote.num }, { as: admin })).fired).toHaveLength(1);

  const off = await server.ok(
    ApprovalRules.SaveApprovalRule,
    { ...created, threshold: 700, active: false },
    { as: admin },
  );
  expect((await server.ok(ApprovalRules.TryApprovalRules, { num: quote.num }, { as: admin })).fired).toEqual([]);
  expect(await server.ok(History.GetHistory, { type: 'approvalRule', id: off.id }, { as: admin })).toMatchObject([
    {
      actor: 'Bea Boss',
      changes: [
        { field: 'Limit', before: '500', after: '700' },
        { field: 'Active', before: 'yes', after: 'no' },
      ],
    },
    { action: 'Create' },
  ]);
});

it('the history shows filters by name, and unknown filters are refused', async () => {
  const region = await aRegion(server.db, { name: 'High Desert' });
  const filters = { classIds: [], regionIds: [region.id], facilityIds: [], requesterRoles: ['csrep' as const] };
  const result = await server.ok(ApprovalRules.SaveApprovalRule, { ...RULE, name: 'Desert', filters }, { as: admin });
  const [created] = await server.ok(History.GetHistory, { type: 'approvalRule', id: result.id }, { as: admin });
  expect(created?.changes).toContainEqual({ field: 'Regions', before: '', after: 'High Desert' });
  const wrong = await server.call(
    ApprovalRules.SaveApprovalRule,
    { ...RULE, filters: { ...filters, regionIds: [999_999] } },
    { as: admin },
  );
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ path: 'filters.regionIds' }] } });
});

it('a save or a draft without a field leaves it as it was', async () => {
  const { db } = server;
  const region = await aRegion(db);
  const filters = { classIds: [], regionIds: [region.id], facilityIds: [], requesterRoles: ['csrep' as const] };
  const created = await server.ok(
    ApprovalRules.SaveApprovalRule,
    { ...RULE, name: 'Kept', filters, active: false },
    { as: admin },
  );
  const input = { ...RULE, id: created.id, version: created.version, name: 'Kept, renamed' };
  const saved = await server.ok(ApprovalRules.SaveApprovalRule, input, { as: admin });
  expect(saved).toEqual({ ...created, name: 'Kept, renamed', version: 2 });

  const cs = await aUser(db, { roles: ['csrep'] });
  const item = await anItem(db, { price: 600 });
  const facility = await aFacility(db);
  const { quote } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: facility.id }, items: [{ itemId: item.id, qty: 1, unit: 'EA' }] },
    { as: cs },
  );
  const firedBy = async (overrides: object) => {
    const draft = { ...input, ...overrides };
    const { fired } = await server.ok(ApprovalRules.TryApprovalRules, { num: quote.num, draft }, { as: admin });
    return fired.filter(({ name }) => name === draft.name);
  };
  expect(await firedBy({})).toEqual([]);
  // The facility is in no region.
  expect(await firedBy({ active: true })).toEqual([]);
  expect(await firedBy({ active: true, filters: {} })).toHaveLength(1);
});

it('an order that lacks a rule is refused', async () => {
  const { rules } = await server.ok(ApprovalRules.GetApprovalRules, {}, { as: admin });
  const ids = rules.map(({ id }) => id);
  const [first = 0, ...rest] = ids;
  const ordered = await server.ok(ApprovalRules.OrderApprovalRules, { ids: [...rest, first] }, { as: admin });
  expect(ordered.map(({ id }) => id)).toEqual([...rest, first]);
  expect((await server.call(ApprovalRules.OrderApprovalRules, { ids: rest }, { as: admin })).status).toBe(409);
  expect(
    (await server.call(ApprovalRules.OrderApprovalRules, { ids: [...rest, rest[0] ?? 0] }, { as: admin })).status,
  ).toBe(409);
});

it('the second of two administrators to save gets a conflict; only system administrators may save', async () => {
  const created = await server.ok(ApprovalRules.SaveApprovalRule, { ...RULE, name: 'Contested' }, { as: admin });
  await server.ok(ApprovalRules.SaveApprovalRule, { ...created, threshold: 900 }, { as: admin });
  expect(
    await server.call(ApprovalRules.SaveApprovalRule, { ...created, threshold: 800 }, { as: admin }),
  ).toMatchObject({
    status: 409,
    body: { conflict: { current: { threshold: 900 } } },
  });
  const salesadmin = await aUser(server.db, { roles: ['salesadmin'] });
  for (const call of [ApprovalRules.GetApprovalRules, ApprovalRules.SaveApprovalRule, ApprovalRules.TryApprovalRules]) {
    expect((await server.call(call, {}, { as: salesadmin })).status).toBe(403);
    expect((await server.call(call, {})).status).toBe(401);
  }
  expect((await server.call(ApprovalRules.TryApprovalRules, { num: 999_999_999 }, { as: admin })).status).toBe(404);
  expect((await server.call(ApprovalRules.SaveApprovalRule, { ...RULE, role: 'csrep' }, { as: admin })).status).toBe(
    422,
  );
});

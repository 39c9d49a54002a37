// Tests the company over HTTP: saving, terms by version, two administrators at once, permissions.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { CompanyAdmin } from './company-admin.contract.ts';

let server: TestServer;
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Bea Boss' });
});
afterAll(() => server.close());

it('the company is changed; new quotes follow its validity, the history says what', async () => {
  const { company, timeZones } = await server.ok(CompanyAdmin.GetCompany, {}, { as: admin });
  expect(timeZones).toContain('America/New_York');
  const saved = await server.ok(
    CompanyAdmin.SaveCompany,
    { ...company, name: 'Northern Supply', defaultValidityDays: 10, timeZone: 'America/New_York' },
    { as: admin },
  );
  expect(saved).toMatchObject({ name: 'Northern Supply', version: company.version + 1 });
  const { quote } = await server.ok(QuoteEdit.PopulateNewQuote, {}, { as: admin });
  expect(Date.parse(quote.validUntil) - Date.parse(quote.quoteDate)).toBe(10 * 86_400_000);
  const [event] = await server.ok(History.GetHistory, { type: 'company', id: 1 }, { as: admin });
  expect(event?.changes).toContainEqual({ field: 'Quotes are valid for (days)', before: '60', after: '10' });
  expect(await server.call(CompanyAdmin.SaveCompany, { ...company, name: 'Too late' }, { as: admin })).toMatchObject({
    status: 409,
    body: { conflict: { changedBy: 'Bea Boss', current: { name: 'Northern Supply' } } },
  });
});

it('wrong values are refused under their fields', async () => {
  const { company } = await server.ok(CompanyAdmin.GetCompany, {}, { as: admin });
  for (const [path, wrong] of [
    ['name', ' '],
    ['email', 'nobody'],
    ['timeZone', 'Mars/Olympus'],
    ['defaultValidityDays', 0],
    ['pricePlaces', 3],
  ] as const) {
    const answer = await server.call(CompanyAdmin.SaveCompany, { ...company, [path]: wrong }, { as: admin });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path }] } });
  }
});

it('terms are versions: a new one counts from now on, the old stay', async () => {
  const { terms } = await server.ok(CompanyAdmin.GetCompany, {}, { as: admin });
  const version = terms[0]?.version ?? 0;
  const saved = await server.ok(CompanyAdmin.SaveTerms, { text: 'Pay within a week.', version }, { as: admin });
  expect(saved.version).toBeGreaterThan(version);
  // Nothing changed, so there is no new version.
  expect(
    await server.ok(CompanyAdmin.SaveTerms, { text: 'Pay within a week.', version: saved.version }, { as: admin }),
  ).toEqual(saved);
  expect((await server.call(CompanyAdmin.SaveTerms, { text: 'Late', version }, { as: admin })).status).toBe(409);
  const after = await server.ok(CompanyAdmin.GetCompany, {}, { as: admin });
  expect(after.terms.map((term) => term.version)).toEqual([saved.version, ...terms.map((term) => term.version)]);
});

it('currencies say what uses them; only system administrators may', async () => {
  await aFacility(server.db, { currnIdx: 1009 });
  const { currencies } = await server.ok(CompanyAdmin.GetCompany, {}, { as: admin });
  expect(currencies).toContainEqual({ currnIdx: 1009, currency: 'EUR', facilities: 1, items: 0 });
  const other = await aUser(server.db, { roles: ['salesadmin'] });
  for (const call of Object.values(CompanyAdmin)) {
    expect((await server.call(call, {}, { as: other })).status).toBe(403);
    expect((await server.call(call, {})).status).toBe(401);
  }
});

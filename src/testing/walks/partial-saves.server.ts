// A save of an existing record changes only what it gives: fields left out keep their value (design 6).
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Endpoint } from '#platform/api/endpoint.ts';
import { FacilityAdmin } from '#core/customers/facility-admin/facility-admin.contract.ts';
import { Webhook } from '#addons/webhooks/webhooks.contract.ts';
import { Letters } from '#core/prices/letters-and-rosters/letters/letters.contract.ts';
import { Roster } from '#core/prices/letters-and-rosters/rosters/rosters.contract.ts';
import { Region } from '#core/territories/regions/regions.contract.ts';
import { TerritoryAdmin } from '#core/territories/territory-admin/territory-admin.contract.ts';
import { aContract, aGpo } from '../factories/contracts.server.ts';
import { aFacility, aSalesOffice, aTerritory } from '../factories/people.server.ts';
import type { TestServer } from '../test-server.server.ts';
import type { Company } from './company.server.ts';

export function walkLeftOut(company: () => Company): void {
  let server: TestServer;
  let office: Awaited<ReturnType<typeof aSalesOffice>>;
  let admin: { id: number };
  beforeAll(async () => {
    ({ server } = company());
    server.setNow('2026-06-15T15:00:00Z');
    office = await aSalesOffice(server.db);
    admin = { id: company().as('systemadmin') };
  });
  afterAll(() => server.setNow(null));

  type Saved = { id: number; version?: number };

  /** Makes a record of all fields and saves it with the required ones alone: the fields that changed. `versionOf` reads that of its owner. */
  async function changedBySaving(
    endpoint: Endpoint,
    required: Record<string, unknown>,
    more: Record<string, unknown>,
    { versionOf, as = admin }: { versionOf?: () => Promise<number>; as?: { id: number } } = {},
  ) {
    const created = (await server.ok(endpoint, { ...required, ...more, id: 0 }, { as })) as Saved;
    expect(created).toMatchObject(more);
    const version = versionOf ? await versionOf() : created.version;
    const saved = (await server.ok(endpoint, { ...required, id: created.id, version }, { as })) as Saved;
    const [before, after] = [created, saved].map((entry) => new Map(Object.entries(entry)));
    return [...(before?.keys() ?? [])].filter(
      (field) => field !== 'version' && field !== 'secret' && !isDeepStrictEqual(before?.get(field), after?.get(field)),
    );
  }

  it('a region stays inactive', async () =>
    expect(await changedBySaving(Region.SaveRegion, { name: 'West' }, { active: false, managerIds: [] })).toEqual([]));

  it('a webhook stays off', async () =>
    expect(
      await changedBySaving(
        Webhook.SaveWebhook,
        { description: 'ERP', address: 'https://example.com/hook', events: ['quote.won'] },
        { active: false },
      ),
    ).toEqual([]));

  it('an override and a representative keep their last day', async () => {
    const territory = await aTerritory(server.db, { regionId: office.region.id });
    const facility = await aFacility(server.db);
    const read = async () =>
      (await server.ok(TerritoryAdmin.PopulateTerritoryEditModel, { id: territory.id }, { as: admin })).territory;
    expect(
      await changedBySaving(
        TerritoryAdmin.SaveTerritoryOverride,
        { territoryId: territory.id, facilityId: facility.id, reason: 'Asked for', from: '2026-07-01' },
        { to: '2026-12-31' },
        { versionOf: async () => (await read()).version },
      ),
    ).toEqual([]);
    const rep = { role: 'sales', userId: office.rep.id, from: '2026-07-01' };
    const { name, regionId, version } = await read();
    const input = { id: territory.id, name, regionId };
    const first = await server.ok(
      TerritoryAdmin.SaveTerritory,
      { ...input, version, reps: [{ ...rep, id: 0, to: '2026-12-31' }] } as never,
      { as: admin },
    );
    const id = first.reps[0]?.id ?? 0;
    const two = await server.ok(
      TerritoryAdmin.SaveTerritory,
      { ...input, version: first.version, reps: [{ ...rep, id }] } as never,
      { as: admin },
    );
    expect(two.reps).toEqual(first.reps);
    const late = await server.call(
      TerritoryAdmin.SaveTerritory,
      { ...input, version: two.version, reps: [{ ...rep, id, from: '2027-01-01' }] },
      { as: admin },
    );
    expect([late.status, late.body]).toMatchObject([422, { errors: [{ path: 'reps.0.to' }] }]);
  });

  it('the parts of a facility stay', async () => {
    const facility = await aFacility(server.db);
    const gpo = await aGpo(server.db);
    const versionOf = async () =>
      (await server.db.selectFrom('facility').select('version').where('id', '=', facility.id).executeTakeFirstOrThrow())
        .version;
    const facilityId = facility.id;
    expect(
      await changedBySaving(
        FacilityAdmin.SaveFacilityContact,
        { facilityId, name: 'Pat Doe' },
        { title: 'Buyer', email: 'pat@example.org', phone: '555-0100' },
        { versionOf },
      ),
    ).toEqual([]);
    expect(
      await changedBySaving(
        FacilityAdmin.SaveGpoMembership,
        { facilityId, gpoId: gpo.id, from: '2026-01-01' },
        { memberId: 'M-1', primary: true, to: '2026-12-31' },
        { versionOf },
      ),
    ).toEqual([]);
    expect(
      await changedBySaving(
        FacilityAdmin.SaveFacilityIdentifier,
        { facilityId, kind: 'GPO member', gpoId: gpo.id, value: 'M-1' },
        { from: '2026-01-01', to: '2026-12-31' },
        { versionOf },
      ),
    ).toEqual([]);
  });

  it('a roster row and a letter stay', async () => {
    const contract = await aContract(server.db);
    const facilityId = office.facility.id;
    const as = office.contracts;
    const row = { contractId: contract.id, facilityId, tierId: contract.tierId, from: '2026-07-01' };
    expect(
      await changedBySaving(
        Roster.SaveRosterRow,
        row,
        { memberId: 'M-1', to: '2026-12-31', coversChildren: true },
        { as },
      ),
    ).toEqual([]);
    const late = await server.call(
      Roster.SaveRosterRow,
      { ...row, id: 0, from: '2028-01-01', tierId: null, excluded: true, to: '2028-12-31' },
      { as },
    );
    const excluded = { ...row, id: late.body.id, version: 1, from: '2028-01-01' };
    const stored = await server.call(Roster.SaveRosterRow, { ...excluded, tierId: null }, { as });
    expect([stored.status, stored.body]).toMatchObject([200, { excluded: true, to: '2028-12-31' }]);
    expect(
      await changedBySaving(
        Letters.SaveLoc,
        { contractId: contract.id, facilityId, tierId: contract.tierId, state: 'Signed', from: '2026-07-01' },
        { coversChildren: true, to: '2026-12-31', signer: 'Pat Doe', signedOn: '2026-06-10', note: 'By email' },
        { as },
      ),
    ).toEqual([]);
  });
}

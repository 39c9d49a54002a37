// The walk that proves that no caller ends with more rights than it began with: every scope of API keys, every role, and every kind of import.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, groupOf, isChanging } from '#platform/api/endpoint.ts';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { Auth } from '#platform/auth/auth.contract.ts';
import { UserEdit } from '#core/people/user-admin/user-admin.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { ROLES, type Role } from '#platform/shared/roles.ts';
import { exampleInput } from '../example-input.ts';
import { aSalesOffice, aUser } from '../factories/people.server.ts';
import { aPricedQuote } from '../factories/quotes.server.ts';
import { startTestServer, type TestServer } from '../test-server.server.ts';
import { importKinds } from '#app/calls.server.ts';
import { contract } from '#app/contract.ts';

type Person = { id: number; userName: string };

/** Everything that lets somebody in, gives a right, or carries data out: one entry each. */
const RIGHTS = {
  user: 'select id, user_name, active, password_hash, temporary_hash, must_change_password from app_user',
  role: 'select user_id, role from user_role',
  region: 'select user_id, region_id from user_region',
  support: 'select support_id, rep_id from user_support',
  absence: 'select user_id, deputy_id, from_date, to_date from approval_absence',
  'person of a territory': 'select territory_id, role, user_id, valid_from, valid_to from territory_rep',
  'ZIP of a territory': 'select territory_id, zip5, valid_from, valid_to from zip_assignment',
  'facility of a territory': 'select territory_id, facility_id, valid_from, valid_to from account_override',
  'territory of a region': 'select id, region_id, active from territory',
  'quote of a person': 'select id, owner_id, sales_rep_id, region_id from quote where id <= 3',
  rule: 'select * from approval_rule',
  key: 'select id, secret_hash, owner_id, scopes, expires_on, revoked_at from api_key',
  session: 'select id, user_id, revoked_at from session',
  invitation: 'select user_id, token_hash from invitation',
  factor: 'select user_id, secret from second_factor',
  'no factor': 'select id from app_user where id not in (select user_id from second_factor)',
  provider: 'select issuer, client_id, secret, makes_people, local_off, local_admin_id from sign_on_provider',
  claim: 'select claim, value, roles from sign_on_role',
  identity: 'select issuer, subject, user_id from sign_on_identity',
  'factor rule': 'select second_factor_roles from sign_in_rule',
  site: 'select public_site_locked from company where not public_site_locked',
  'time zone': 'select time_zone from company',
  webhook: 'select id, address, secret, old_secret from webhook_endpoint',
  crm: 'select address, client_id, secret from crm_connection',
};

/** Prepares the walk in the file that calls it, and returns what declares its tests: by API keys, by imports, and by people of every role. */
export function walkRights(): { byKeys: () => void; byImports: () => void; byPeople: () => void } {
  let server: TestServer;
  /** Makes the keys and is never walked, so that no call takes its rights away. */
  let maker: Person;
  /** Owns the keys. */
  let owner: Person;
  let target: Person;
  let manager: Person;
  let regionId: number;
  /** Whose quotes an attacker is after: their facility is in this office's territory, and nobody there is on them yet. */
  let office: Awaited<ReturnType<typeof aSalesOffice>>;
  /** The quotes that are there before the walk. */
  let planted: number[];
  /** Somebody of each role who has no part in them. */
  const watchers = new Map<Role, Person>();
  /** Passwords and links of mails that wait to be sent. */
  let secrets: string[];

  beforeAll(async () => {
    server = await startTestServer({
      config: { trustProxy: 1 },
      // Every mail waits with its text.
      mail: { send: () => Promise.reject(new Error('The mail server is away.')) },
    });
    const { db } = server;
    maker = await aUser(db, { roles: ['systemadmin'] });
    owner = await aUser(db, { roles: ['systemadmin'] });
    target = await aUser(db, { roles: ['salesrep'] });
    manager = await aUser(db, { roles: ['salesQuoteManager'] });
    office = await aSalesOffice(db);
    regionId = office.region.id;
    planted = [];
    for (let n = 0; n < 3; n++) {
      const quote = await aPricedQuote(db, { statusId: 'Editing', ownerId: maker.id, facility: office.facility });
      planted.push(quote.id);
    }
    if (planted[0] !== 1) throw new Error('The walk changes the records with the id 1.');
    for (const role of ROLES) watchers.set(role, await aUser(db, { roles: [role], regionIds: [] }));
    await db
      .insertInto('webhook_endpoint')
      .values({ address: 'https://example.com/', description: 'ERP', events: [] })
      .execute();
    await server.ok(Auth.ResetPassword, { email: maker.userName });
    await server.ok(UserEdit.ResendInvitation, { id: target.id }, { as: maker });
    await server.drain();
    const mails = await db.selectFrom('mail').select('body').execute();
    secrets = mails.flatMap(({ body }) => body.match(/[A-Z2-9]{4}(?:-[A-Z2-9]{4}){3}|[\w-]{43}/g) ?? []);
    if (secrets.length !== 2) throw new Error('The walk needs a password and a link to look for.');
  });
  afterAll(() => server.close());

  async function rights(): Promise<Set<string>> {
    const parts = Object.entries(RIGHTS).map(
      ([name, query]) => `select '${name} ' || to_jsonb(t)::text as entry from (${query}) t`,
    );
    const { rows } = await server.services.database.pool.query<{ entry: string }>(parts.join(' union all '));
    return new Set(rows.map(({ entry }) => entry));
  }

  /** The rights after the last call, where nothing has changed them since. */
  let standing: Set<string> | undefined;

  const gainedSince = async (before: Set<string>) => [...(await rights())].filter((entry) => !before.has(entry));

  const calls = Object.values(contract)
    .flatMap((group) => Object.entries<Endpoint>(group).map(([name, endpoint]) => ({ name, endpoint })))
    .filter(({ endpoint }) => endpoint.access !== 'anyone');

  let tries = 0;
  const from = () => ({ 'x-forwarded-for': `10.${(++tries >> 16) & 255}.${(tries >> 8) & 255}.${tries & 255}` });

  const version = async (
    table:
      | 'app_user'
      | 'approval_rule'
      | 'company'
      | 'crm_connection'
      | 'quote'
      | 'region'
      | 'territory'
      | 'webhook_endpoint',
    id?: number,
  ) =>
    (
      await server.db
        .selectFrom(table)
        .select('version')
        .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
        .orderBy('id')
        .limit(1)
        .executeTakeFirstOrThrow()
    ).version;

  let named = 0;
  /** What an attacker would send to the calls that give rights; `caller` is whose rights are to grow. */
  const ATTACKS: Record<string, (caller: Person) => Promise<object> | object> = {
    AddNewUser: () => ({ userName: `mine${++named}@example.net`, fullName: 'Mine', roles: ['systemadmin'] }),
    UpdateUser: async () => ({ id: target.id, roles: [...ROLES], version: await version('app_user', target.id) }),
    ResendInvitation: () => ({ id: target.id }),
    SaveApiKey: (caller) => ({ name: `Mine ${++named}`, ownerId: caller.id, scopes: ['QuoteSearch:read'] }),
    SaveAbsence: (caller) => ({ userId: maker.id, deputyId: caller.id, from: '2026-11-01', to: '2099-12-31' }),
    SaveRegion: async () => ({
      id: regionId,
      name: 'Region',
      managerIds: [manager.id],
      version: await version('region', regionId),
    }),
    SaveTerritory: async () => ({
      id: office.territory.id,
      name: office.territory.name,
      regionId,
      reps: [{ id: 0, role: 'sales', userId: target.id, from: '2026-01-01' }],
      version: await version('territory', office.territory.id),
    }),
    InactiveOrActiveTerritory: async () => ({
      id: office.territory.id,
      version: await version('territory', office.territory.id),
    }),
    AddTerritoryZips: () => ({
      territoryId: office.territory.id,
      zips: String(10_000 + ++named),
      from: '2026-01-01',
      apply: true,
    }),
    SaveTerritoryOverride: () => ({
      territoryId: office.territory.id,
      facilityId: office.facility.id,
      reason: 'Mine',
      from: '2099-01-01',
    }),
    MoveQuotes: async () => ({ quotes: [{ id: 1, version: await version('quote', 1) }] }),
    SaveSalesRepQuote: async () => ({
      quote: { id: 1, salesRepId: target.id, version: await version('quote', 1) },
      items: [],
    }),
    ChangeQuotes: async () => ({
      change: { kind: 'assign', salesRepId: target.id },
      quotes: [{ id: 1, version: await version('quote', 1) }],
    }),
    SaveApprovalRule: () => ({
      name: `Mine ${++named}`,
      metric: 'quoteTotal',
      operator: '>',
      threshold: 9_999_999,
      role: 'salesadmin',
    }),
    SaveSecondFactorRules: () => ({ roles: ['salesrep'], sessionDays: 365, version: 1 }),
    SaveWebhook: () => ({
      description: `Mine ${++named}`,
      address: 'https://example.com/mine',
      events: ['quote.sent'],
    }),
    RotateWebhookSecret: async () => ({ id: 1, version: await version('webhook_endpoint', 1) }),
    SaveCompany: async () => ({
      name: 'Mine',
      address: '',
      phone: '',
      email: '',
      timeZone: 'Pacific/Honolulu',
      defaultValidityDays: 60,
      version: await version('company'),
    }),
    SaveCrmConnection: async () => ({
      version: await version('crm_connection'),
      address: 'https://mine.example.net',
      apiVersion: '62.0',
      method: 'ClientCredentials',
      clientId: 'mine',
      userName: '',
      secret: 'mine',
      priceBook: '',
      customItem: '',
      keepCalls: 10,
    }),
    UnlockPublicSite: () => ({}),
    SaveSignOnSettings: () => ({
      version: 1,
      issuer: 'https://login.example.net',
      clientId: 'mine',
      secret: 'mine',
      scopes: 'openid',
      button: 'Mine',
      makesPeople: true,
      localOff: false,
      localAdminId: null,
      rows: [{ claim: 'sub', value: 'me', roles: ['systemadmin'] }],
    }),
    LinkUserSignOn: () => ({ id: maker.id, subject: 'me' }),
  };

  /** Takes back what earlier attacks may have gained. */
  async function reset(): Promise<void> {
    standing = undefined;
    const { db } = server;
    await db.deleteFrom('approval_absence').execute();
    await db.deleteFrom('user_region').execute();
    await db.deleteFrom('account_override').execute();
    await db.deleteFrom('territory_rep').where('territory_id', '=', office.territory.id).execute();
    await db.updateTable('territory').set({ active: true }).where('id', '=', office.territory.id).execute();
    await db
      .updateTable('quote')
      .set({ status_id: 'Editing', owner_id: maker.id, sales_rep_id: null, region_id: null, territory_id: null })
      .where('id', '<=', 3)
      .execute();
    await db.updateTable('crm_connection').set({ address: '', client_id: '', secret: '' }).execute();
    const closed = { public_site_locked: true, public_site_message: 'Closed', public_site_locked_until: null };
    await db
      .updateTable('company')
      .set({ ...closed, time_zone: 'America/New_York' })
      .execute();
  }

  /** What an answer gives away: a secret of a mail, a key, the secret of a webhook, a session. */
  const CREDENTIAL = /qbk_[a-z2-7]{12}_[\w-]{43}|whsec_|"(?:access|refresh)_token"/;
  const givesAway = (text: string) => CREDENTIAL.test(text) || secrets.some((secret) => text.includes(secret));

  /** Makes a call in several ways, and says what the caller gained by it. */
  async function tryCall(
    { name, endpoint }: (typeof calls)[number],
    caller: Person,
    who: { headers: Record<string, string> } | { as: Person },
  ): Promise<{ gained: string[]; statuses: number[] }> {
    if (name in ATTACKS) await reset();
    const attack = await ATTACKS[name]?.(caller);
    const ids = [1, 2].map((id) => exampleInput(endpoint, { id, ids: [id], page: 1, pageSize: 100, version: 1 }));
    const before = isChanging(endpoint) ? (standing ?? (await rights())) : null;
    const gained: string[] = [];
    const statuses: number[] = [];
    const file = endpoint.in === 'upload' ? { file: { name: 'a.txt', bytes: Buffer.from('a') } } : {};
    const headers = 'headers' in who ? { ...who.headers, ...from() } : from();
    for (const input of [...(attack ? [attack] : []), ...ids]) {
      const answer = await server.call(endpoint, { ...input }, { ...who, ...file, headers });
      statuses.push(answer.status);
      if (answer.status === 200 && givesAway(String(answer.bytes))) gained.push(`${name} answers a credential`);
    }
    if (before) {
      const after = await rights();
      gained.push(...[...after].filter((entry) => !before.has(entry)).map((entry) => `${name}: ${entry}`));
      // Between two calls with a key nothing gives rights, whereas a person may sign in.
      standing = 'headers' in who ? after : undefined;
    }
    return { gained, statuses };
  }

  describe('a system administrator, by whom the walk is proven,', () => {
    it('gives rights with these calls, so the walk would notice a key or a role that does', async () => {
      const giving: string[] = [];
      const admin = await aUser(server.db, { roles: ['systemadmin'] });
      for (const call of calls.filter(({ name }) => name in ATTACKS)) {
        server.setNow(null);
        await server.tokenOf(admin);
        const { gained } = await tryCall(call, admin, { as: admin });
        if (gained.length > 0) giving.push(call.name);
      }
      expect(giving.toSorted()).toEqual(Object.keys(ATTACKS).toSorted());
    });
  });

  async function aKey(scopes: string[], subject = owner): Promise<{ headers: Record<string, string> }> {
    standing = undefined;
    const input = { name: `Program ${++named}`, ownerId: subject.id, scopes: ['QuoteSearch:read'] };
    const { key, id } = await server.ok(ApiKey.SaveApiKey, input, { as: maker });
    // Also a scope that is not offered, as one of an earlier version may be.
    await server.db.updateTable('api_key').set({ scopes }).where('id', '=', id).execute();
    return { headers: { authorization: `Bearer ${key}` } };
  }

  const scopeOf = (endpoint: Endpoint) => `${groupOf(endpoint.path)}:${isChanging(endpoint) ? 'write' : 'read'}`;
  const scopes = [...Map.groupBy(calls, ({ endpoint }) => scopeOf(endpoint))];

  /** Which of the planted quotes each of the watchers sees, signed in: 'salesrep 1'. */
  async function seen(): Promise<Set<string>> {
    const { db } = server;
    await db.updateTable('company').set({ public_site_locked: false }).execute();
    // A call may have ended their sessions.
    server.setNow(null);
    const lists = [...watchers].map(async ([role, as]) => {
      const { status, body } = await server.call(
        QuoteSearch.SearchQuotesForSalesRep,
        { page: 1, pageSize: 200 },
        { as },
      );
      const ids = status === 200 ? body.records.map(({ id }) => id) : [];
      return ids.filter((id) => planted.includes(id)).map((id) => `${role} ${id}`);
    });
    return new Set((await Promise.all(lists)).flat());
  }

  const seenSince = async (before: ReadonlySet<string>) => [...(await seen())].filter((entry) => !before.has(entry));

  const byPeople = () => {
    /** What a role may give deliberately, by a call of its own. */
    const QUOTES = ['SaveSalesRepQuote', 'ChangeQuotes'].map((name) => `${name}: quote of a person`);
    const GIVES: Partial<Record<Role, string[]>> = {
      salesadmin: [
        ...QUOTES,
        'SaveRegion: region',
        'SaveTerritory: ',
        'InactiveOrActiveTerritory: ',
        'AddTerritoryZips: ',
        'SaveTerritoryOverride: ',
        'MoveQuotes: ',
      ],
      csrep: QUOTES,
      insiderep: QUOTES,
    };

    describe('a person', () => {
      const others = ROLES.filter((role) => role !== 'systemadmin');

      it.each(others)('with the role %s gains nothing', { timeout: 300_000 }, async (role) => {
        // Public users would hear only that the public site is locked.
        await server.db.updateTable('company').set({ public_site_locked: false }).execute();
        const person = await aUser(server.db, { roles: [role] });
        const gained: string[] = [];
        let answered = 0;
        for (const call of calls) {
          const { access } = call.endpoint;
          if ((typeof access !== 'string' && !access.includes(role)) || call.name === 'SignOut') continue;
          await server.tokenOf(person);
          const tried = await tryCall(call, person, { as: person });
          gained.push(...tried.gained);
          if (tried.statuses.includes(200)) answered++;
        }
        expect(answered).toBeGreaterThan(20);
        const input = GIVES[role] ?? [];
        expect(gained.filter((entry) => !input.some((start) => entry.startsWith(start)))).toEqual([]);
      });
    });
  };

  const RIGHTS_TABLES = ['app_user', 'user_role', 'user_region', 'user_support', 'approval_absence', 'approval_rule'];
  const SIGHT_TABLES = ['territory', 'territory_rep', 'zip_assignment', 'account_override'];
  const decides = (tables: readonly string[], { tracks }: (typeof importKinds)[number]) =>
    tracks.some(({ table }) => tables.includes(table));

  const byKeys = () => {
    describe('an API key of a system administrator', () => {
      let seenAtFirst: Set<string>;
      beforeAll(async () => {
        await reset();
        seenAtFirst = await seen();
      });

      it('is walked through many scopes', () => expect(scopes.length).toBeGreaterThan(60));

      it.each(scopes)(
        'with %s alone gains nothing, nor does anybody see a quote more',
        { timeout: 120_000 },
        async (scope, ofScope) => {
          await reset();
          const key = await aKey([scope]);
          const gained: string[] = [];
          for (const call of ofScope) gained.push(...(await tryCall(call, owner, key)).gained);
          // Those who see all quotes see them; the others see none of these.
          expect(scope.endsWith(':read') ? [] : await seenSince(seenAtFirst)).toEqual([]);
          expect(gained).toEqual([]);
        },
      );

      it('is walked beside people who see quotes when they are given to them', async () => {
        await reset();
        const before = await seen();
        expect(before.has('csrep 1')).toBe(true);
        expect(before.has('salesrep 1')).toBe(false);
        const rep = watchers.get('salesrep');
        await server.db
          .updateTable('quote')
          .set({ sales_rep_id: rep?.id ?? 0 })
          .where('id', '=', 1)
          .execute();
        expect(await seenSince(before)).toEqual(['salesrep 1']);
        await reset();
      });

      it('with every scope changes quotes, but not who sees them: neither by a discarded revision nor by another facility', async () => {
        await reset();
        const [, quoteId = 0] = planted;
        const all = await aKey(scopes.map(([scope]) => scope));
        /** Sets fields past the calls, and returns the version. */
        const put = async (values: { status_id: string; sales_rep_id?: number }) => {
          const query = server.db.updateTable('quote').set(values).where('id', '=', quoteId).returning('version');
          return (await query.executeTakeFirstOrThrow()).version;
        };
        const elsewhere = await aSalesOffice(server.db);
        const save = async (quote: object) =>
          server.call(
            QuoteEdit.SaveSalesRepQuote,
            { quote: { id: quoteId, version: await put({ status_id: 'Editing' }), ...quote }, items: [] },
            all,
          );
        expect(await save({ poNumber: 'PO 1' })).toMatchObject({ status: 200, body: { quote: { poNumber: 'PO 1' } } });
        const refusal = { status: 403, body: { detail: expect.stringContaining('who sees a quote') as string } };
        expect(await save({ facilityId: elsewhere.facility.id })).toMatchObject(refusal);
        // The revision that a discard would put back was another person's.
        const sent = await put({ status_id: 'SentToCustomer', sales_rep_id: target.id });
        const step = async (action: 'Revise' | 'DiscardRevision', version: number) =>
          server.call(QuoteWorkflow.PerformWorkflowAction, { quoteId, action, version, comment: 'Because' }, all);
        await server.db
          .insertInto('quote_revision')
          .values({
            quote_id: quoteId,
            revision: 1,
            doc_id: 'a'.repeat(22),
            document: '{}',
            content_hash: '',
            valid_until: '2099-01-01',
            total_amount: 0,
          })
          .execute();
        expect((await step('Revise', sent)).status).toBe(200);
        expect(
          await step('DiscardRevision', await put({ status_id: 'Revising', sales_rep_id: office.rep.id })),
        ).toMatchObject(refusal);
      });

      it('makes no call that says who serves a territory, takes over for somebody, or merges customers', () => {
        const closed = scopes.flatMap(([, ofScope]) => ofScope.filter(({ endpoint }) => endpoint.peopleOnly));
        expect(closed.map(({ name }) => name)).toEqual(
          expect.arrayContaining([
            'SaveAbsence',
            'RemoveAbsence',
            'SaveTerritory',
            'InactiveOrActiveTerritory',
            'AddTerritoryZips',
            'EndTerritoryZips',
            'SaveTerritoryOverride',
            'EndTerritoryOverrides',
            'MoveQuotes',
            'publishSavedMap',
            'rollbackSavedMap',
            'importTazData',
            'MergeFacilities',
            'UndoFacilityMerge',
          ]),
        );
      });
    });

    describe('an import of', () => {
      it.each(importKinds)(
        '$kind that may give rights or quotes is for people only, rights for system administrators',
        (kind) => {
          const gives = decides(RIGHTS_TABLES, kind);
          expect(gives).toBe(kind.kind === 'users');
          expect(decides(SIGHT_TABLES, kind)).toBe(['territories', 'taz'].includes(kind.kind));
          expect(kind.peopleOnly ?? false).toBe(gives || decides(SIGHT_TABLES, kind));
          expect(gives ? kind.roles : ['systemadmin']).toEqual(['systemadmin']);
        },
      );
    });
  };

  const byImports = () => {
    describe('an import of', () => {
      const isOfTerritories = (name: string) => name.includes('of a territory') || name === 'territory of a region';

      const VALUES: Record<string, string> = {
        user_name: 'mine@example.net',
        full_name: 'Mine',
        roles: 'systemadmin; salesadmin',
        active: 'yes',
        zip5: '06106',
        price: '1.00',
        cost: '1.00',
        unit: 'EA',
      };

      it.each(importKinds)(
        '$kind gives nothing, by keys and by the roles below',
        { timeout: 120_000 },
        async (kind) => {
          const people = [
            await aUser(server.db, { roles: ['salesadmin'] }),
            await aUser(server.db, { roles: ['contractdept'] }),
          ];
          for (const person of people) await server.tokenOf(person);
          const callers: ({ headers: Record<string, string> } | { as: Person })[] = people.map((as) => ({ as }));
          for (const entry of [owner, ...people])
            callers.push(await aKey(['DataImport:read', 'DataImport:write'], entry));
          const header = Object.values(kind.rows.fields).map(({ label }) => label);
          const rows = [1, 2].map((n) =>
            Object.keys(kind.rows.fields).map((field) => {
              if (field === 'user_name' && n === 2) return target.userName;
              return VALUES[field] ?? `X${n}`;
            }),
          );
          const bytes = Buffer.from([header, ...rows].map((cells) => cells.join(',')).join('\n'));
          const refused: boolean[] = [];
          for (const who of callers) {
            const before = await rights();
            const file = { name: 'mine.csv', bytes, type: 'text/csv' };
            const { status, body } = await server.call(DataImport.UploadImport, { kind: kind.kind }, { ...who, file });
            refused.push(status === 403);
            if (status !== 200) continue;
            for (const step of [DataImport.StartCheck, DataImport.ApplyImport, DataImport.UndoImport]) {
              await server.call(step, { id: body.id }, who);
              await server.drain();
            }
            // A sales administrator says deliberately who serves a territory.
            const gives = 'as' in who && decides(SIGHT_TABLES, kind) ? Object.keys(RIGHTS).filter(isOfTerritories) : [];
            const gained = await gainedSince(before);
            expect(gained.filter((entry) => !gives.some((name) => entry.startsWith(name)))).toEqual([]);
          }
          expect(refused.every(Boolean) || kind.kind !== 'users').toBe(true);
        },
      );
    });
  };

  return { byKeys, byImports, byPeople };
}

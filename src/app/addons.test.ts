// Tests switching add-ons off and on: calls, jobs, imports, steps of quotes, sign-in, what the page receives, and who may do it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Endpoint, isChanging } from '#platform/api/endpoint.ts';
import { IDLE } from '#platform/jobs/jobs.server.ts';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { Audit } from '#core/company/audit/audit.contract.ts';
import { Auth } from '#platform/auth/auth.contract.ts';
import { hashPassword } from '#platform/auth/passwords/password.server.ts';
import { Features } from '#platform/features/features.contract.ts';
import { GpoApi } from '#core/prices/contract-page/contract-page.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { Configurator } from '#addons/configurators/configurator.contract.ts';
import { analysisJob } from '#addons/savings/analysis-job.server.ts';
import { Webhook } from '#addons/webhooks/webhooks.contract.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { aSavingsAnalysis } from '#testing/factories/savings.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { addonsServer } from './addons.server.ts';
import { addonsWeb } from './addons.web.ts';
import { jobKinds } from './calls.server.ts';
import { coreContract } from './contract.ts';

const OFF = 'This feature is switched off.';
const addons = addonsServer.map(({ addon }) => addon);
const names = addons.map(({ name }) => name);

let server: TestServer;
let admin: { id: number };
let rep: { id: number };

beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  rep = await aUser(server.db, { roles: ['salesrep'] });
});
beforeEach(async () => {
  await server.drain();
  await server.db.deleteFrom('switched_off_addon').execute();
});
afterAll(() => server.close());

const turn = (name: string, on: boolean) => server.ok(Features.SwitchFeature, { name, on }, { as: admin });
const turnAllOff = (except?: string) =>
  server.db
    .insertInto('switched_off_addon')
    .values(names.filter((name) => name !== except).map((name) => ({ name, at: new Date() })))
    .execute();
/** Sign-in calls have their own error format. */
const saysOff = (body: unknown) => JSON.stringify(body ?? null).includes(OFF);
const callsOf = (name: string) => {
  const addon = addons.find((candidate) => candidate.name === name);
  return Object.values(addon?.calls ?? {}).flatMap((group): Endpoint[] => Object.values(group));
};
/** Returns the calls that answer that they are off. */
async function closed(calls: readonly Endpoint[]) {
  const paths = [];
  for (const endpoint of calls) {
    const { status, body } = await server.call(endpoint, {}, { as: admin });
    if (status === 404 && saysOff(body)) paths.push(endpoint.path);
  }
  return paths;
}
const needsOf = (name: string) => addons.find((addon) => addon.name === name)?.needs ?? [];
/** Without calls that answer 403 to an administrator before anything else. */
const openToAdmin = (name: string) =>
  callsOf(name).filter(({ access }) => typeof access === 'string' || access.includes('systemadmin'));
const pathsOf = (calls: readonly Endpoint[]) => calls.map(({ path }) => path);

it('lists the same add-ons for the server and the browser', () => {
  expect(addonsWeb.map(({ name }) => name)).toEqual(names);
});

describe.each(names)('%s', (name) => {
  it('answers 404 while it is off, as add-ons do that need it, and no other', async () => {
    await turn(name, false);
    expect(await closed(callsOf(name))).toEqual(pathsOf(openToAdmin(name)));
    for (const other of names.filter((candidate) => candidate !== name)) {
      const [call] = openToAdmin(other);
      expect([other, await closed(call ? [call] : [])]).toEqual([
        other,
        call && needsOf(other).includes(name) ? [call.path] : [],
      ]);
    }
    await turn(name, true);
    expect(await closed(callsOf(name))).toEqual([]);
  });

  it('works alone, with what it needs', async () => {
    await turnAllOff(name);
    for (const needed of needsOf(name)) await turn(needed, true);
    expect(await closed(callsOf(name))).toEqual([]);
  });
});

it('asks for a token before it says anything', async () => {
  await turnAllOff();
  for (const endpoint of names.flatMap(callsOf).filter(({ access }) => access !== 'anyone'))
    expect([endpoint.path, (await server.call(endpoint, {})).status]).toEqual([endpoint.path, 401]);
});

it('leaves every call of the core that reads open with all add-ons off', async () => {
  await turnAllOff();
  const reads = Object.values(coreContract).flatMap((group) => Object.values<Endpoint>(group));
  for (const endpoint of reads.filter((read) => !isChanging(read))) {
    const { status, body } = await server.call(endpoint, {}, { as: admin });
    expect([endpoint.path, saysOff(body), status >= 500]).toEqual([endpoint.path, false, false]);
  }
});

describe('switching', () => {
  it('is for system administrators', async () => {
    const sales = await aUser(server.db, { roles: ['salesadmin'] });
    for (const endpoint of Object.values(Features))
      expect((await server.call(endpoint, { name: 'crm', on: false }, { as: sales })).status).toBe(403);
    expect((await server.ok(Features.GetFeatures, {}, { as: admin })).off).toEqual([]);
  });

  it('refuses a name that no feature has', async () => {
    expect((await server.call(Features.SwitchFeature, { name: 'pricing', on: false }, { as: admin })).status).toBe(404);
  });

  it('is recorded once, by name', async () => {
    await turn('crm', false);
    await turn('crm', false);
    await turn('crm', true);
    const { records } = await server.ok(Audit.SearchAudit, { kind: 'feature', page: 1 } as never, { as: admin });
    expect(
      records
        .slice(0, 2)
        .map(({ actor, changes }) => [actor, changes.map((change) => [change.field, change.before, change.after])]),
    ).toEqual([
      ['Ada Admin', [['Salesforce', 'Off', 'On']]],
      ['Ada Admin', [['Salesforce', 'On', 'Off']]],
    ]);
  });

  it('says what is off because it needs another feature', async () => {
    const { features, off } = await turn('configurators', false);
    expect(off.toSorted()).toEqual(['configurable-models', 'configurators']);
    expect(features.find(({ name }) => name === 'configurable-models')).toMatchObject({
      on: false,
      missing: 'Configurators',
    });
    expect(features.find(({ name }) => name === 'configurators')?.dependents).toEqual(['Configurable models']);
  });

  it('is in every page', async () => {
    await turn('reports', false);
    const { text } = await server.inject({ method: 'GET', url: '/' });
    expect(text).toContain('"switchedOff":["reports"]');
  });
});

describe('background work', () => {
  it('does nothing while it is off', async () => {
    await turnAllOff();
    for (const job of addonsServer.flatMap(({ jobs }) => jobs)) {
      if ('payload' in job) continue;
      expect([job.name, (await job.due?.(server.services)) ?? false]).toEqual([job.name, false]);
      expect([job.name, await job.run(server.services)]).toEqual([job.name, IDLE]);
    }
  });

  it('waits where somebody has asked for it, and goes on when the feature is on again', async () => {
    const facility = await aFacility(server.db);
    const { id } = await aSavingsAnalysis(server.db, { facility_id: facility.id, owner_id: admin.id });
    await turn('savings', false);
    const job = jobKinds.find(({ name }) => name === analysisJob.name);
    if (!job || !('payload' in job)) throw new Error('the job has a payload');
    const waiting = async () =>
      (
        await server.services.database.pool.query<{ data: object }>(
          `select data from pgboss.job where name = $1 and state = 'created' and start_after > now()`,
          [analysisJob.name],
        )
      ).rows.map(({ data }) => data);
    const payload = { analysisId: id };
    expect(await job.run(server.services, payload)).toEqual(IDLE);
    expect(await waiting()).toEqual([payload]);
  });
});

describe('a quote', () => {
  const aWonQuote = async () => {
    const quote = await aPricedQuote(server.db, { statusId: 'SentToCustomer', salesRepId: rep.id });
    await act(quote.id, 'MarkWon');
    return quote;
  };
  const act = async (quoteId: number, action: 'MarkWon' | 'Reopen') => {
    const { version } = await server.db
      .selectFrom('quote')
      .select('version')
      .where('id', '=', quoteId)
      .executeTakeFirstOrThrow();
    const input = { quoteId, action, version, comment: 'Because', poNumber: 'PO-9' };
    await server.ok(QuoteWorkflow.PerformWorkflowAction, input, { as: admin });
  };
  const orders = async (quoteId: number) =>
    (await server.db.selectFrom('order_request').select('state').where('quote_id', '=', quoteId).execute()).map(
      ({ state }) => state,
    );

  it('that is won gets no order while orders are off', async () => {
    await turn('orders', false);
    expect(await orders((await aWonQuote()).id)).toEqual([]);
  });

  it('that is reopened while orders are off leaves none that waits', async () => {
    const quote = await aWonQuote();
    expect(await orders(quote.id)).toEqual(['Waiting']);
    await turn('orders', false);
    await act(quote.id, 'Reopen');
    expect(await orders(quote.id)).toEqual(['Withdrawn']);
  });

  it('notifies no webhook while webhooks are off', async () => {
    const input = { address: 'https://example.com/hook', description: 'ERP', events: ['quote.won'], active: true };
    await server.ok(Webhook.SaveWebhook, input as never, { as: admin });
    const messages = async () => (await server.db.selectFrom('webhook_message').select('id').execute()).length;
    await turn('webhooks', false);
    await aWonQuote();
    expect(await messages()).toBe(0);
    await turn('webhooks', true);
    await aWonQuote();
    expect(await messages()).toBe(1);
  });
});

it('offers no import of a switched-off feature and takes no file of it', async () => {
  const kinds = async () => (await server.ok(DataImport.ListImportKinds, {}, { as: admin })).map(({ kind }) => kind);
  expect(await kinds()).toContain('zip-areas');
  await turn('area-import', false);
  expect(await kinds()).not.toContain('zip-areas');
  const file = { name: 'areas.geojson', bytes: Buffer.from('{}') };
  const { status, body } = await server.call(DataImport.UploadImport, { kind: 'zip-areas' }, { as: admin, file });
  expect([status, saysOff(body)]).toEqual([404, true]);
});

it('counts no quotes at risk on a contract while they are off', async () => {
  const { id } = await aContract(server.db);
  await turnAllOff();
  const { counts } = await server.ok(GpoApi.getGpoContractDetailDataForApiCall, { id }, { as: admin });
  expect(counts.risks).toBe(0);
});

it('lets everybody sign in by password while single sign-on is off', async () => {
  const password = 'a long enough password';
  const { userName } = await server.db
    .updateTable('app_user')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', rep.id)
    .returning('user_name as userName')
    .executeTakeFirstOrThrow();
  await server.db
    .updateTable('sign_on_provider')
    .set({
      issuer: 'https://id.example.com',
      button: 'Sign in with Example',
      local_off: true,
      local_admin_id: admin.id,
    })
    .execute();
  const signIn = () =>
    server.call(Auth.Token, { UserName: userName, Password: password, grant_type: 'password', device: '' });
  expect((await signIn()).status).toBe(400);
  await turn('single-sign-on', false);
  expect((await signIn()).status).toBe(200);
  expect((await server.inject({ method: 'GET', url: '/login' })).text).toContain('"signOn":null');
});

it('refuses a configurator’s call while configurators are off, and the list of quotes still opens', async () => {
  await turn('configurators', false);
  expect((await server.call(Configurator.PostConfiguratorItems, {}, { as: admin })).status).toBe(404);
  expect((await server.call(QuoteSearch.SearchQuotesForSalesRep, {}, { as: admin })).status).not.toBe(404);
});

it('says on a board that no items of a configurator wait while configurators are off', async () => {
  const { id } = await aPricedQuote(server.db, { statusId: 'Processing' });
  await server.db
    .insertInto('configuration')
    .values({
      quote_id: id,
      config_id: 'C-1',
      source: 'Call',
      posted_by_name: 'ERP',
      posted_at: new Date().toISOString(),
    })
    .execute();
  const { version } = await server.db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const changes = (since: number) => server.ok(QuoteEdit.GetQuoteChanges, { quoteId: id, since }, { as: admin });
  const waitingItems = async () => [
    (await changes(version)).itemsWait,
    (await changes(version - 1)).whole?.configurator.waits,
  ];
  expect(await waitingItems()).toEqual([true, true]);
  await turn('configurators', false);
  expect(await waitingItems()).toEqual([false, false]);
});

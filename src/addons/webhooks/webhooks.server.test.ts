// Tests the webhook settings over HTTP: permissions, refusals, secrets that are returned once, rotation, test deliveries, the list.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '#testing/webhook-receiver.server.ts';
import pino from 'pino';
import { announce } from './announce.server.ts';
import { Webhook } from './webhooks.contract.ts';

let server: TestServer;
let receiver: WebhookReceiver;
let admin: { id: number };
let rep: { id: number };
const logged: string[] = [];

beforeAll(async () => {
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  server = await startTestServer({ config: { reach: { networks: [], loopback: true } }, log });
  admin = await aUser(server.db, { roles: ['systemadmin'] });
  rep = await aUser(server.db);
});
beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  server.setNow(null);
  await server.db.deleteFrom('webhook_message').execute();
  await server.db.deleteFrom('webhook_endpoint').execute();
  await receiver.close();
});
afterAll(() => server.close());

let last = 0;
const input = (more: Record<string, unknown> = {}) => ({
  description: `ERP ${++last}`,
  address: `${receiver.address}/hook`,
  events: ['quote.won', 'order_request.created'] as ('quote.won' | 'order_request.created')[],
  ...more,
});
const make = (more: Record<string, unknown> = {}) => server.ok(Webhook.SaveWebhook, input(more), { as: admin });
const read = (id: number) => server.ok(Webhook.PopulateWebhookEditModel, { id }, { as: admin });
const list = (more: Record<string, unknown> = {}) => server.ok(Webhook.SearchWebhookDeliveries, more, { as: admin });
const tell = (id = 1) =>
  announce(server.db, 'order_request.created', { id, number: 4711, revision: 1, status: 'Waiting' });
const later = (hours: number) => server.setNow(new Date(Date.now() + hours * 3_600_000).toISOString());

describe('permissions', () => {
  it.each(Object.entries(Webhook))('%s is only for system administrators', async (_name, endpoint) => {
    const values = { id: 1, version: 1 };
    expect((await server.call(endpoint, values)).status).toBe(401);
    expect((await server.call(endpoint, values, { as: rep })).status).toBe(403);
  });

  it('an unknown webhook or delivery is a 404', async () => {
    for (const endpoint of [Webhook.RotateWebhookSecret, Webhook.EndOldWebhookSecret, Webhook.DeleteWebhook])
      expect((await server.call(endpoint, { id: 999_999, version: 1 }, { as: admin })).status).toBe(404);
    for (const endpoint of [Webhook.TestWebhook, Webhook.PopulateWebhookEditModel, Webhook.ReplayWebhookDeliveries])
      expect((await server.call(endpoint, { id: 999_999 }, { as: admin })).status).toBe(404);
    expect((await server.call(Webhook.SaveWebhook, input({ id: 999_999, version: 1 }), { as: admin })).status).toBe(
      404,
    );
  });
});

describe('saving', () => {
  it('returns the secret once and shows it nowhere else', async () => {
    const { secret, ...created } = await make();
    expect(secret).toMatch(/^whsec_/);
    const changed = await server.ok(Webhook.SaveWebhook, { ...created, description: 'ERP renamed' }, { as: admin });
    expect(changed.secret).toBeNull();
    const { secret: next } = await server.ok(
      Webhook.RotateWebhookSecret,
      { id: created.id, version: 2 },
      { as: admin },
    );
    await tell();
    await server.drain();
    const history = await server.ok(History.GetHistory, { type: 'webhook', id: created.id }, { as: admin });
    const result = await server.ok(Webhook.SearchWebhooks, {}, { as: admin });
    const everything = JSON.stringify([await read(created.id), history, result, await list(), logged]);
    expect(everything).toContain('ERP renamed');
    const stored = await server.db.selectFrom('webhook_endpoint').selectAll().execute();
    for (const entry of [secret, next]) {
      const bare = String(entry).replace('whsec_', '');
      expect(everything).not.toContain(bare);
      expect(JSON.stringify(stored)).not.toContain(bare);
    }
    expect(everything).not.toContain(stored[0]?.secret);
  });

  it.each([
    [{ address: 'https://10.0.0.1/' }, 'address'],
    [{ address: 'https://user:pass@example.com/' }, 'address'],
    [{ address: '' }, 'address'],
    [{ description: ' ' }, 'description'],
    [{ events: [] }, 'events'],
    [{ events: ['quote.unknown'] }, 'events.0'],
  ])('refuses %j', async (more, path) => {
    const { status, body } = await server.call(Webhook.SaveWebhook, input(more), { as: admin });
    expect({ status, body }).toMatchObject({ status: 422, body: { errors: [{ path }] } });
  });

  it('names everything that is wrong at once', async () => {
    const { description } = await make();
    const { body } = await server.call(Webhook.SaveWebhook, input({ description, address: 'erp', events: [] }), {
      as: admin,
    });
    expect(body).toMatchObject({
      errors: [{ path: 'events' }, { path: 'description' }, { path: 'address' }],
    });
  });

  it('refuses a used description and an outdated version', async () => {
    const { secret: _, ...created } = await make();
    const twice = await server.call(Webhook.SaveWebhook, input({ description: created.description }), { as: admin });
    expect(twice).toMatchObject({ status: 422, body: { errors: [{ path: 'description' }] } });
    await server.ok(Webhook.SaveWebhook, { ...created, active: false }, { as: admin });
    const stale = await server.call(Webhook.SaveWebhook, { ...created, description: 'x' }, { as: admin });
    expect(stale).toMatchObject({ status: 409, body: { conflict: { current: { active: false, version: 2 } } } });
    for (const endpoint of [Webhook.RotateWebhookSecret, Webhook.DeleteWebhook, Webhook.EndOldWebhookSecret])
      expect((await server.call(endpoint, { id: created.id, version: 1 }, { as: admin })).status).toBe(409);
  });

  it('keeps the query of an address, which may hold a password, out of the history', async () => {
    const { secret: _, ...created } = await make({ address: `${receiver.address}/hook?token=first` });
    const address = `${receiver.address}/hook?token=second`;
    await server.ok(Webhook.SaveWebhook, { ...created, address }, { as: admin });
    const events = JSON.stringify(await server.db.selectFrom('record_event').selectAll().execute());
    expect(events).toContain('/hook?… (with another query)');
    expect(events).not.toMatch(/token=(first|second)/);
  });

  it('allows at most fifty webhooks', async () => {
    const values = Array.from({ length: 50 }, (_, n) => ({
      address: 'https://x.example/',
      description: `n${n}`,
      events: [],
    }));
    await server.db.insertInto('webhook_endpoint').values(values).execute();
    expect((await server.call(Webhook.SaveWebhook, input(), { as: admin })).status).toBe(409);
  });
});

describe('rotating', () => {
  it('signs with both secrets for a day, or until somebody ends the old one', async () => {
    const created = await make();
    const first = created.secret ?? '';
    const send = async () => {
      await tell();
      await server.drain();
      return receiver.received.at(-1)?.signedBy;
    };
    receiver.knows(first);
    expect(await send()).toEqual([first]);
    const rotated = await server.ok(Webhook.RotateWebhookSecret, { id: created.id, version: 1 }, { as: admin });
    const second = rotated.secret ?? '';
    receiver.knows(second, first);
    expect(await send()).toEqual([second, first]);
    expect((await read(created.id)).oldSecretUntil).not.toBeNull();
    const again = await server.call(Webhook.RotateWebhookSecret, { id: created.id, version: 2 }, { as: admin });
    expect(again).toMatchObject({ status: 409 });
    later(25);
    expect(await send()).toEqual([second]);
    expect((await read(created.id)).oldSecretUntil).toBeNull();
    const third =
      (await server.ok(Webhook.RotateWebhookSecret, { id: created.id, version: 2 }, { as: admin })).secret ?? '';
    receiver.knows(first, second, third);
    expect(await send()).toEqual([second, third]);
    await server.ok(Webhook.EndOldWebhookSecret, { id: created.id, version: 3 }, { as: admin });
    expect(await send()).toEqual([third]);
    expect((await server.call(Webhook.EndOldWebhookSecret, { id: created.id, version: 4 }, { as: admin })).status).toBe(
      409,
    );
  });

  it('repairs a webhook whose secret was sealed under another TOKEN_SECRET', async () => {
    const { id } = await make();
    await server.db.updateTable('webhook_endpoint').set({ secret: 'v1.AAAA' }).where('id', '=', id).execute();
    await tell();
    await server.drain();
    expect((await read(id)).problem).toContain('another TOKEN_SECRET');
    expect(await server.ok(Webhook.TestWebhook, { id }, { as: admin })).toMatchObject({ ok: false });
    expect(receiver.received).toEqual([]);
    const { secret } = await server.ok(Webhook.RotateWebhookSecret, { id, version: 1 }, { as: admin });
    receiver.knows(secret ?? '');
    await server.drain();
    expect(receiver.received).toMatchObject([{ signedBy: [secret], body: { type: 'order_request.created' } }]);
  });
});

describe('a test', () => {
  it('is sent at once, even to an endpoint that is off, and appears in the list', async () => {
    const { id, secret } = await make({ active: false });
    receiver.knows(secret ?? '');
    expect(await server.ok(Webhook.TestWebhook, { id }, { as: admin })).toMatchObject({
      ok: true,
      sentence: 'The endpoint answered with 204.',
    });
    expect(receiver.received).toMatchObject([{ signedBy: [secret], body: { type: 'webhook.test', data: { id } } }]);
    receiver.fail({ says: 'Wrong signature', status: 401 });
    const refused = await server.ok(Webhook.TestWebhook, { id }, { as: admin });
    expect(refused).toMatchObject({
      ok: false,
      sentence: 'The endpoint answered with 401.',
      answer: 'Wrong signature',
    });
    await server.drain();
    expect(receiver.received).toHaveLength(2);
    const { records } = await list({ type: 'webhook.test' });
    expect(records.map(({ state, tries }) => [state, tries])).toEqual([
      ['Failed', 1],
      ['Delivered', 1],
    ]);
  });
});

describe('the list', () => {
  it('finds deliveries by webhook, state, event, and body, and replays them with the same id', async () => {
    const { id } = await make();
    const other = await make({ events: ['quote.won'] });
    receiver.fail(410);
    await tell(41);
    await server.drain();
    expect((await server.ok(Webhook.SearchWebhooks, { state: 'Off' }, { as: admin })).records).toMatchObject([
      { id, problem: expect.stringContaining('410') },
    ]);
    const { records, failed, webhooks } = await list({
      webhookId: id,
      state: 'Failed',
      type: 'order_request.created',
      keyword: '"id":41',
    });
    expect({ failed, webhooks: webhooks.length }).toEqual({ failed: 1, webhooks: 2 });
    expect(records).toMatchObject([{ status: 410, answer: 'This is a 410.', tries: 1, off: false, nextAt: null }]);
    expect((await list({ webhookId: other.id })).total).toBe(0);
    expect((await list({ keyword: 'msg_none' })).total).toBe(0);

    const [delivery] = records;
    expect(await server.ok(Webhook.ReplayWebhookDeliveries, { id: delivery?.id ?? 0 }, { as: admin })).toEqual({
      replayed: 1,
    });
    await server.drain();
    expect((await list({ state: 'Waiting' })).records).toMatchObject([{ off: true }]);
    const { webhook } = await read(id);
    await server.ok(Webhook.SaveWebhook, { ...webhook, active: true }, { as: admin });
    await server.drain();
    expect(receiver.received.map((entry) => entry.id)).toEqual([delivery?.key, delivery?.key]);
    expect((await list({ state: 'Delivered' })).records).toMatchObject([
      { id: delivery?.id, tries: 1, status: 204, error: '' },
    ]);
    // A successful delivery can also be sent again on request.
    await server.ok(Webhook.ReplayWebhookDeliveries, { id: delivery?.id ?? 0 }, { as: admin });
    await server.drain();
    expect(receiver.received).toHaveLength(3);
    expect(await server.ok(Webhook.ReplayWebhookDeliveries, {}, { as: admin })).toEqual({ replayed: 0 });
  });

  it('loses the deliveries of a deleted webhook', async () => {
    const { id } = await make();
    await tell();
    await server.ok(Webhook.DeleteWebhook, { id, version: 1 }, { as: admin });
    await server.drain();
    expect(receiver.received).toEqual([]);
    expect((await list()).total).toBe(0);
    const { rows } = { rows: await server.db.selectFrom('webhook_delivery').selectAll().execute() };
    expect(rows).toEqual([]);
  });
});

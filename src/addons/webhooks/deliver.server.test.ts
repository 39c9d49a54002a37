// Tests deliveries: ten tries over three days, Retry-After, 410, a mail after a day, endpoints that do not delay each other, two servers.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '#testing/webhook-receiver.server.ts';
import { notifiedKinds } from '#testing/notifications-of.server.ts';
import { announce } from './announce.server.ts';
import { webhookJob } from './deliver.server.ts';
import { clearWebhooksJob } from './timed-events.server.ts';
import { Webhook } from './webhooks.contract.ts';

let server: TestServer;
let receiver: WebhookReceiver;
let admin: { id: number; userName: string };

beforeAll(async () => {
  server = await startTestServer({ config: { reach: { networks: [], loopback: true } } });
  admin = await aUser(server.db, { roles: ['systemadmin'] });
});
beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  server.setNow(null);
  await server.db.deleteFrom('webhook_message').execute();
  await server.db.deleteFrom('webhook_endpoint').execute();
  await server.db.updateTable('installation').set({ mail_held_at: null }).execute();
  await receiver.close();
});
afterAll(() => server.close());

let last = 0;
async function make(to = receiver, events: ('order_request.created' | 'quote.expired')[] = ['order_request.created']) {
  const webhook = { description: `ERP ${++last}`, address: to.address, events };
  const { id, secret } = await server.ok(Webhook.SaveWebhook, webhook, { as: admin });
  return { id, secret: secret ?? '' };
}
const tell = (id = 1) => announce(server.db, 'order_request.created', { id });
const deliveries = async (more: Record<string, unknown> = {}) =>
  (await server.ok(Webhook.SearchWebhookDeliveries, { pageSize: 200, ...more }, { as: admin })).records;
const endpoint = (id: number) =>
  server.db.selectFrom('webhook_endpoint').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const at = (ms: number) => server.setNow(new Date(start + ms).toISOString());
let start = 0;
beforeEach(() => {
  start = Date.now();
  server.mails.length = 0;
});
const HOUR = 3_600_000;
const mailsAbout = (words: string) => server.mails.filter(({ subject }) => subject.includes(words));

describe('a failing delivery', () => {
  it('is tried ten times within four days, with the same id and bytes, and then no more', async () => {
    const { id, secret } = await make();
    receiver.knows(secret);
    receiver.down(500);
    await tell();
    const times: number[] = [];
    for (let now = 0; now < 100 * HOUR && times.length < 20; now += 0) {
      at(now);
      const before = receiver.received.length;
      await server.drain();
      if (receiver.received.length > before) times.push(now);
      const [delivery] = await deliveries();
      if (delivery?.state !== 'Waiting' || !delivery.nextAt) break;
      now = Date.parse(delivery.nextAt) - start + 1;
    }
    expect(times).toHaveLength(10);
    const hours = times.map((time) => time / HOUR);
    expect(hours[1]).toBeLessThan(0.01);
    expect(hours.at(-1)).toBeGreaterThan(72);
    expect(hours.at(-1)).toBeLessThan(85);
    expect(new Set(receiver.received.map((entry) => entry.id)).size).toBe(1);
    expect(new Set(receiver.received.map((entry) => entry.text)).size).toBe(1);
    expect(receiver.received.every(({ signedBy }) => signedBy[0] === secret)).toBe(true);
    // Each try is signed with its own time; receivers would reject an old one.
    expect(new Set(receiver.received.map(({ timestamp }) => timestamp)).size).toBe(10);
    expect(await deliveries()).toMatchObject([{ state: 'Failed', tries: 10, status: 500, nextAt: null }]);
    at(200 * HOUR);
    await server.drain();
    expect(receiver.received).toHaveLength(10);
    expect((await endpoint(id)).active).toBe(true);
  });

  it('succeeds on a later try, which clears the error', async () => {
    const { id } = await make();
    receiver.fail(503, 'drop', 'no HTTP');
    await tell();
    for (const hours of [0, 0.1, 0.5, 2]) {
      at(hours * HOUR);
      await server.drain();
    }
    expect(await deliveries()).toMatchObject([{ state: 'Delivered', tries: 4, status: 204 }]);
    expect(await endpoint(id)).toMatchObject({ failing_since: null, last_error: '' });
  });

  it('delays everything for its endpoint as long as that asks, but never longer than six hours', async () => {
    await make();
    receiver.fail({ status: 429, retryAfter: '3600' }, { status: 503, retryAfter: '99999999' });
    await tell(1);
    await server.drain();
    await tell(2);
    at(0.9 * HOUR);
    await server.drain();
    expect(receiver.received).toHaveLength(1);
    at(1.01 * HOUR);
    await server.drain();
    expect(receiver.received).toHaveLength(2);
    at(6.9 * HOUR);
    await server.drain();
    expect(receiver.received).toHaveLength(2);
    at(7.2 * HOUR);
    await server.drain();
    expect(receiver.received).toHaveLength(4);
  });

  it('is mailed to the administrators after a day, and again only if the endpoint worked in between', async () => {
    await make();
    receiver.down(500);
    await tell();
    await server.drain();
    at(23 * HOUR);
    await server.drain();
    expect(mailsAbout('has failed for a day')).toEqual([]);
    // No try is due at that time.
    at(24.1 * HOUR);
    await server.drain();
    at(40 * HOUR);
    await server.drain();
    expect(mailsAbout('has failed for a day').map(({ to }) => to)).toEqual([[admin.userName]]);
    expect(await notifiedKinds(server.db, admin)).toContain('webhookFailing');
    expect(mailsAbout('has failed for a day')[0]?.text).toContain('The endpoint answered with 500.');
    expect(mailsAbout('has failed for a day')[0]?.text).not.toContain(receiver.address);
    receiver.down(null);
    at(90 * HOUR);
    await server.drain();
    receiver.down(500);
    await tell();
    await server.drain();
    at(115 * HOUR);
    await server.drain();
    expect(mailsAbout('has failed for a day')).toHaveLength(2);
  });

  it('with a 410 turns the endpoint off, keeps what waits, and says so by email', async () => {
    const { id } = await make();
    receiver.fail(410);
    await tell(1);
    await tell(2);
    await server.drain();
    expect(receiver.received).toHaveLength(1);
    expect(await endpoint(id)).toMatchObject({ active: false, version: 2 });
    expect(mailsAbout('was turned off by the receiver')).toHaveLength(1);
    // It gets no events that occur while it is off.
    await tell(3);
    expect(await deliveries()).toMatchObject([
      { state: 'Waiting', off: true },
      { state: 'Failed', status: 410 },
    ]);
  });

  it('does not follow a redirect', async () => {
    const other = await startWebhookReceiver();
    await make();
    receiver.fail({ redirectTo: other.address });
    await tell();
    await server.drain();
    expect(await deliveries()).toMatchObject([{ state: 'Waiting', status: 302 }]);
    expect(other.connections()).toBe(0);
    await other.close();
  });
});

describe('an endpoint that hangs', () => {
  it('does not delay the others', { timeout: 60_000 }, async () => {
    const hanging = await startWebhookReceiver();
    hanging.down('hang');
    // More hanging endpoints than a worker pool would have workers.
    for (let n = 0; n < 12; n++) await make(hanging);
    await make();
    for (let n = 0; n < 5; n++) await tell(n);
    const began = performance.now();
    const draining = server.drain();
    while (receiver.received.length < 5 && performance.now() - began < 10_000) await sleep(20);
    expect(receiver.received.map(({ body }) => body.data['id'])).toEqual([0, 1, 2, 3, 4]);
    // Events that are announced while the endpoints hang are also delivered.
    await tell(99);
    while (receiver.received.length < 6 && performance.now() - began < 10_000) await sleep(20);
    const ms = performance.now() - began;
    expect(receiver.received).toHaveLength(6);
    expect(ms).toBeLessThan(10_000);
    hanging.down(500);
    await server.db.updateTable('webhook_endpoint').set({ active: false }).execute();
    await hanging.close();
    await draining;
  });
});

describe('concurrent work', () => {
  it('several workers deliver each event once', async () => {
    await make();
    const other = await startWebhookReceiver();
    await make(other);
    for (let n = 0; n < 40; n++) await tell(n);
    await Promise.all([1, 2, 3].map(() => webhookJob.run(server.services)));
    for (const entry of [receiver, other]) {
      expect(entry.received).toHaveLength(40);
      expect(new Set(entry.received.map(({ id }) => id)).size).toBe(40);
    }
    await other.close();
  });

  it('a replay requested during a try is not lost', async () => {
    await make();
    receiver.fail('late');
    await tell();
    const [delivery] = await deliveries();
    const running = webhookJob.run(server.services);
    while (receiver.received.length === 0) await sleep(5);
    await server.ok(Webhook.ReplayWebhookDeliveries, { id: delivery?.id ?? 0 }, { as: admin });
    await running;
    await server.drain();
    expect(receiver.received).toHaveLength(2);
    expect(await deliveries()).toMatchObject([{ state: 'Delivered' }]);
  });

  it('the lease of a dead process ends after a minute', async () => {
    const { id } = await make();
    await tell();
    const until = new Date(start + 60_000);
    await server.db
      .updateTable('webhook_endpoint')
      .set({ lease: 'dead', leased_until: until })
      .where('id', '=', id)
      .execute();
    await webhookJob.run(server.services);
    expect(receiver.received).toEqual([]);
    at(61_000);
    await webhookJob.run(server.services);
    expect(receiver.received).toHaveLength(1);
  });

  it('a restored copy sends nothing', async () => {
    const { id } = await make();
    await tell();
    await server.db.updateTable('installation').set({ mail_held_at: new Date() }).execute();
    await server.drain();
    await webhookJob.run(server.services);
    expect(receiver.received).toEqual([]);
    expect((await server.call(Webhook.TestWebhook, { id }, { as: admin })).status).toBe(409);
  });
});

describe('daily work', () => {
  const types = () => receiver.received.map(({ body }) => [body.type, body.data['id']]);

  it('announces sent quotes once after their last day', async () => {
    await make(receiver, ['quote.expired']);
    await server.db.updateTable('webhook_expiry').set({ through: null, through_at: null }).execute();
    const quote = (validUntil: string, statusId: 'SentToCustomer' | 'Won' | 'Revising' = 'SentToCustomer') =>
      aQuote(server.db, { ownerId: admin.id, statusId, validUntil });
    await quote('2030-01-01');
    const first = await quote('2030-06-01');
    await quote('2030-06-01', 'Won');
    const second = await quote('2030-06-02');
    const revised = await quote('2030-06-01', 'Revising');
    server.setNow('2030-06-01T18:00:00Z');
    await server.drain();
    expect(types()).toEqual([]);
    server.setNow('2030-06-02T18:00:00Z');
    await server.drain();
    await server.drain();
    expect(types()).toEqual([['quote.expired', first.id]]);
    // Discarding the revision brings the expired quote back.
    await server.db.updateTable('quote').set({ status_id: 'SentToCustomer' }).where('id', '=', revised.id).execute();
    await server.db
      .insertInto('quote_event')
      .values({
        quote_id: revised.id,
        action: 'DiscardRevision',
        actor: 'Kim',
        revision: 1,
        at: '2030-06-02T19:00:00Z',
      })
      .execute();
    server.setNow('2030-06-04T18:00:00Z');
    await server.drain();
    expect(types().slice(1)).toEqual([
      ['quote.expired', second.id],
      ['quote.expired', revised.id],
    ]);
  });

  it('deletes deliveries older than 30 days', async () => {
    await make();
    await tell(1);
    await server.drain();
    at(29 * 24 * HOUR);
    await clearWebhooksJob.run(server.services);
    expect(await deliveries()).toHaveLength(1);
    at(31 * 24 * HOUR);
    await clearWebhooksJob.run(server.services);
    expect(await deliveries()).toEqual([]);
    expect(await server.db.selectFrom('webhook_message').selectAll().execute()).toEqual([]);
  });
});

// Tests posting a webhook: signatures, refused addresses, names that lead elsewhere, and everything that the receiver may do.
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '#testing/webhook-receiver.server.ts';
import { type Reach, reachOf, wrongAddress } from './reachable-address.server.ts';
import { newSecret, postWebhook, signatureOf } from './sign-and-post-webhook.server.ts';

const PUBLIC: Reach = { networks: [], loopback: false };
const LOOPBACK: Reach = { networks: [], loopback: true };
const SECRET = newSecret();

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(() => {
  receiver.received.length = 0;
  receiver.knows();
});
afterAll(() => receiver.close());

type Overrides = Partial<Parameters<typeof postWebhook>[0]>;
const post = (overrides: Overrides = {}) =>
  postWebhook({
    address: `${receiver.address}/hook?a=1`,
    secrets: [SECRET],
    id: 'msg_1',
    body: '{"type":"webhook.test","data":{"name":"Müller"}}',
    now: new Date('2026-11-23T10:00:00.900Z'),
    reach: LOOPBACK,
    ...overrides,
  });

describe('a signature', () => {
  it('is that of the specification’s own example', () => {
    const body = '{"test": 2432232314}';
    expect(
      signatureOf(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, body),
    ).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('is made with each secret, over the bytes that arrive', async () => {
    const other = newSecret();
    receiver.knows(SECRET, other, newSecret());
    expect(await post({ secrets: [SECRET, other] })).toMatchObject({ ok: true, status: 204, error: '' });
    expect(receiver.received).toMatchObject([
      { path: '/hook?a=1', id: 'msg_1', timestamp: 1_795_428_000, signedBy: [SECRET, other] },
    ]);
    expect(receiver.received[0]?.headers['content-type']).toBe('application/json');
  });

  it('is checked by what docs/connect.md shows: an altered, a forged and a replayed webhook are refused', async () => {
    const guide = readFileSync(new URL('../../../docs/connect.md', import.meta.url), 'utf8');
    const [, code = ''] = /```js\n(.*?)```/s.exec(guide.slice(guide.indexOf('### Verifying'))) ?? [];
    const { isFromQuoteboard } = (await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
    )) as {
      isFromQuoteboard: (headers: Record<string, unknown>, body: string, secret: string) => boolean;
    };
    await post({ now: new Date() });
    const { headers = {}, text = '' } = receiver.received[0] ?? {};
    const accepts = (change: Record<string, unknown> = {}, body = text, secret = SECRET) =>
      isFromQuoteboard({ ...headers, ...change }, body, secret);
    expect(accepts()).toBe(true);
    expect(accepts({ 'webhook-signature': `v1,AAAA ${String(headers['webhook-signature'])}` })).toBe(true);
    const seconds = Number(headers['webhook-timestamp']);
    for (const change of [
      { 'webhook-id': 'msg_2' },
      { 'webhook-timestamp': String(seconds - 1) },
      { 'webhook-timestamp': '' },
      { 'webhook-signature': undefined },
      { 'webhook-signature': 'v1,' },
      { 'webhook-signature': signatureOf([newSecret()], 'msg_1', seconds, text) },
    ])
      expect([change, accepts(change)]).toEqual([change, false]);
    expect(accepts({}, text.replace('Müller', 'Miller'))).toBe(false);
    expect(accepts({}, text, newSecret())).toBe(false);
    // Its signature is right, but it is sent again later.
    await post({ now: new Date(Date.now() - 600_000) });
    const old = receiver.received[1];
    expect(old && isFromQuoteboard(old.headers, old.text, SECRET)).toBe(false);
  });

  it('comes from secrets of 32 random bytes', () => {
    expect(SECRET).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSecret()).not.toBe(SECRET);
  });
});

describe('addresses', () => {
  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '0:0:0:0:0:ffff:c0a8:0101',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2002:7f00:1::',
    '2001:0:1::1',
    '2001:db8::1',
    'no address',
    '',
  ])('within a network, like %s, are not reached', (address) => {
    expect(reachOf(address, PUBLIC)).toBe('no');
  });

  it.each([
    '93.184.215.14',
    '172.32.0.1',
    '100.128.0.1',
    '2606:2800:21f::1',
    '::ffff:93.184.215.14',
    '64:ff9b::5db8:d70e',
  ])('in public, like %s, are reached by TLS', (address) => {
    expect(reachOf(address, PUBLIC)).toBe('tls');
  });

  it('of networks that the configuration names are reached, and no others', () => {
    const reach = { networks: ['10.1.0.0/16', 'fd00::/8', '192.168.7.5'], loopback: false };
    for (const inside of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::1', '192.168.7.5'])
      expect(reachOf(inside, reach)).toBe('any');
    for (const outside of ['10.2.0.1', '192.168.7.6', '127.0.0.1', 'fc00::1'])
      expect(reachOf(outside, reach)).toBe('no');
    expect(reachOf('93.184.215.14', reach)).toBe('tls');
  });

  it.each([
    ['nonsense', 'Enter an address such as'],
    ['ftp://example.com', 'must begin with https://'],
    ['http://example.com', 'must begin with https://'],
    ['javascript:alert(1)', 'must begin with https://'],
    ['https://user:secret@example.com/', 'Remove the user name and password'],
    ['https://127.1/', 'not allowed'],
    ['https://0x7f000001/', 'not allowed'],
    ['https://2130706433/', 'not allowed'],
    ['https://[::ffff:127.0.0.1]/', 'not allowed'],
    ['https://[::1]:8443/', 'not allowed'],
  ])('%s is refused before anything is looked up', async (address, words) => {
    expect(wrongAddress(address, PUBLIC)).toContain(words);
    expect(await post({ address, reach: PUBLIC })).toMatchObject({ ok: false, status: null });
  });

  it('without TLS need a network that is allowed', () => {
    expect(wrongAddress('https://hooks.example.com/a?b=c', PUBLIC)).toBe('');
    expect(wrongAddress('http://93.184.215.14/', LOOPBACK)).toContain('Without TLS');
    expect(wrongAddress('http://127.0.0.1:9/', LOOPBACK)).toBe('');
  });
});

describe('a name', () => {
  const { port } = { port: () => new URL(receiver.address).port };
  const named = (name: string) => `http://${name}:${port()}/`;
  type LookupAddress = { address: string; family: number };
  const leads =
    (...answers: LookupAddress[][]): NonNullable<Overrides['resolve']> =>
    (_name, done) =>
      done(null, (answers.length > 1 ? answers.shift() : answers[0]) ?? []);
  const loopback = { address: '127.0.0.1', family: 4 };
  const publicOne = { address: '93.184.215.14', family: 4 };
  // The name would be allowed, but its address is not.
  const reach = { networks: ['10.0.0.0/8'], loopback: false };

  it('that leads to this computer is not connected to', async () => {
    const before = receiver.connections();
    for (const results of [[loopback], [{ address: '::1', family: 6 }], [{ address: '::ffff:127.0.0.1', family: 6 }]])
      expect(await post({ address: named('rebind.example'), reach, resolve: leads(results) })).toMatchObject({
        ok: false,
        error: 'Addresses in a private network are not allowed by the server configuration.',
      });
    expect(await post({ address: named('localhost'), reach })).toMatchObject({ ok: false, status: null });
    expect(receiver.connections()).toBe(before);
  });

  it('that leads elsewhere at every look is judged by the look that connects', async () => {
    const before = receiver.connections();
    const resolve = leads([{ address: '10.0.0.1', family: 4 }], [loopback], [loopback]);
    // The first look-up would pass, but its result is not cached.
    resolve('rebind.example', () => {});
    expect(await post({ address: named('rebind.example'), reach, resolve })).toMatchObject({ ok: false, status: null });
    expect(receiver.connections()).toBe(before);
  });

  it('with one forbidden address among several is refused', async () => {
    const before = receiver.connections();
    const resolve = leads([{ address: '10.0.0.1', family: 4 }, loopback]);
    expect(await post({ address: named('two.example'), reach, resolve })).toMatchObject({ ok: false });
    expect(await post({ address: named('plain.example'), reach, resolve: leads([publicOne]) })).toMatchObject({
      error: 'Without TLS, only networks that the server configuration allows can be used.',
    });
    expect(receiver.connections()).toBe(before);
  });

  it('that is allowed is connected to the address from the lookup', async () => {
    expect(
      await post({
        address: named('erp.example'),
        reach: { networks: ['127.0.0.0/8'], loopback: false },
        resolve: leads([loopback]),
      }),
    ).toMatchObject({ ok: true });
    expect(receiver.received).toHaveLength(1);
  });

  it('that does not exist is reported', async () => {
    expect(await post({ address: 'https://nowhere.invalid/' })).toMatchObject({
      ok: false,
      status: null,
    });
  });
});

describe('the other side', () => {
  it('may answer within the time, not later', async () => {
    receiver.fail('late');
    expect(await post()).toMatchObject({ ok: true, status: 200 });
    for (const fault of ['late', 'hang'] as const) {
      receiver.fail(fault);
      expect(await post({ timeoutMs: 300 })).toMatchObject({
        ok: false,
        status: null,
        error: 'No response within 0.3 seconds.',
      });
    }
  });

  it('is taken at its status when the rest never comes', async () => {
    receiver.fail('hang after status');
    expect(await post({ timeoutMs: 2000 })).toMatchObject({ ok: true, status: 200, answer: 'so far' });
  });

  it('is read for some bytes only', async () => {
    receiver.fail('endless');
    const posted = await post();
    expect(posted).toMatchObject({ ok: true, answer: 'x'.repeat(500) });
  });

  it('may break off, answer something else, or ask for another protocol', async () => {
    for (const [fault, words] of [
      ['drop', 'closed without'],
      ['drop after', 'closed without'],
      ['no HTTP', 'not valid HTTP'],
      ['upgrade', 'another protocol'],
    ] as const) {
      receiver.fail(fault);
      const { ok, error } = await post();
      expect([ok, error]).toEqual([false, expect.stringContaining(words)]);
    }
  });

  it('leads nowhere by a redirect', async () => {
    receiver.fail({ redirectTo: `${receiver.address}/elsewhere` });
    expect(await post()).toMatchObject({ ok: false, status: 302, error: expect.stringContaining('not followed') });
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    ['120', 120],
    ['Mon, 23 Nov 2026 10:02:00 GMT', 120],
    ['Mon, 23 Nov 2020 10:02:00 GMT', 0],
    ['soon', 0],
    ['-5', 0],
    ['1e9', 0],
  ])('may ask to wait: Retry-After %s', async (retryAfter, seconds) => {
    receiver.fail({ status: 503, retryAfter });
    expect((await post()).retryAfter).toBe(seconds);
  });

  it('says what a database can keep', async () => {
    receiver.fail({ says: 'a\u0000b\u001bc\n<b>é</b>', status: 500 });
    expect(await post()).toMatchObject({
      ok: false,
      status: 500,
      answer: 'a b c\n<b>é</b>',
      error: 'The endpoint answered with 500.',
    });
  });

  it('that nothing listens at is named without its address', async () => {
    const closed = await startWebhookReceiver();
    await closed.close();
    expect(await post({ address: `${closed.address}/secret-path` })).toMatchObject({
      ok: false,
      error: 'The connection was refused.',
    });
  });
});

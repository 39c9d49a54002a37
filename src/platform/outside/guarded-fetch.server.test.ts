// Tests the guard of addresses: every spelling of an address within a network is refused, whether a user types it, a name or a redirect leads to it,
// or a sign-in provider or a CRM names it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isIPv4 } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCrm } from './crm.server.ts';
import { isCrmAddress } from './crm-address.server.ts';
import { guardedFetch } from './guarded-fetch.server.ts';
import { AddressRefused, type Reach, wrongAddress } from './reachable-address.server.ts';
import { isIssuer, openSignOn } from './sign-on.server.ts';

const PUBLIC: Reach = { networks: [], loopback: false };
const HERE: Reach = { networks: [], loopback: true };
const WITHIN = 'Addresses in a private network are not allowed by the server configuration.';
/** An allowed network without any servers, so that plain http may be typed. */
const ELSEWHERE: Reach = { networks: ['203.0.113.0/24'], loopback: false };

/** The requests that a server on this computer received. */
let received: string[] = [];
let answers: Record<string, { status?: number; headers?: Record<string, string>; body?: unknown }> = {};
const server = createServer((request, response) => {
  received.push(request.url ?? '');
  const { status = 200, headers = {}, body = {} } = answers[request.url ?? ''] ?? {};
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());
beforeEach(() => {
  received = [];
  answers = {};
});

const byte = fc.integer({ min: 0, max: 255 });
/** IPv4 addresses that do not exist on the internet. */
const privateV4 = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
);
type Part = (n: number) => string;
const decimal: Part = (n) => String(n);
const parts: Part[] = [
  decimal,
  (n) => `0x${n.toString(16)}`,
  (n) => `0${n.toString(8)}`,
  (n) => `%3${String(n).charAt(0)}${String(n).slice(1)}`,
];
/** The ways to write an IPv4 address in a URL. */
const spelled = fc
  .tuple(privateV4, fc.constantFrom(...parts), fc.integer({ min: 0, max: 8 }), fc.boolean())
  .map(([[a, b, c, d], part, form, dot]) => {
    const whole = ((a * 256 + b) * 256 + c) * 256 + d;
    const dotted = [a, b, c, d].map(part).join('.');
    const hex = (high: number, low: number) => (high * 256 + low).toString(16);
    const forms = [
      dotted,
      String(whole),
      `0x${whole.toString(16)}`,
      `${part(a)}.${(b * 256 + c) * 256 + d}`,
      `${a}.${part(b)}.${c * 256 + d}`,
      `[::ffff:${[a, b, c, d].join('.')}]`,
      `[::ffff:${hex(a, b)}:${hex(c, d)}]`,
      `[64:ff9b::${hex(a, b)}:${hex(c, d)}]`,
      `[0:0:0:0:0:FFFF:${hex(a, b)}:${hex(c, d)}]`,
    ];
    const host = forms[form] ?? dotted;
    return host.startsWith('[') || !dot ? host : `${host}.`;
  });
const privateV6 = fc.oneof(
  fc.constantFrom('[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[fe80::1]', '[ff02::1]', '[2001:db8::7]', '[2002:7f00:1::]'),
  fc
    .tuple(fc.integer({ min: 0xfc00, max: 0xfdff }), fc.integer({ min: 0, max: 0xffff }))
    .map(([head, tail]) => `[${head.toString(16)}::${tail.toString(16)}]`),
);
const names = fc.constantFrom('localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'loc%61lhost', 'ｌocalhost');
const within = fc.oneof(spelled, spelled, privateV6, names);
const withPort = fc
  .tuple(within, fc.constantFrom('', ':443', ':8443', ':1'))
  .map(([host, at]) => `https://${host}${at}`);

describe('an address within a network', () => {
  it('is refused in every spelling, wherever an address may be typed', () => {
    fc.assert(
      fc.property(withPort, (address) => {
        expect(wrongAddress(address, PUBLIC)).not.toBe('');
        expect(isCrmAddress(address, PUBLIC)).toBe(false);
        expect(isIssuer(address, PUBLIC)).toBe(false);
        // Plain http does not bypass the check.
        expect(wrongAddress(address.replace('https', 'http'), ELSEWHERE)).not.toBe('');
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    'metadata.google.internal',
    'METADATA.GOOGLE.INTERNAL.',
    'metadata',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
    'printer.local',
    'erp.corp',
    'nas.lan',
    'router.home.arpa',
    '4.3.2.1.in-addr.arpa',
  ])('is refused by the name %s, which only that network knows, unless the configuration allows a network', (name) => {
    for (const port of ['', ':8443']) {
      const address = `https://${name}${port}`;
      expect([wrongAddress(address, PUBLIC), wrongAddress(address, HERE)]).toEqual([WITHIN, WITHIN]);
      expect([isCrmAddress(address, PUBLIC), isIssuer(address, PUBLIC)]).toEqual([false, false]);
      expect(wrongAddress(address, ELSEWHERE)).toBe('');
    }
    // The words may occur elsewhere in a public name.
    expect(wrongAddress(`https://${name.replace(/\.$/, '')}.example.com`, PUBLIC)).toBe('');
  });

  it('is not connected to in any spelling', async () => {
    const get = guardedFetch(ELSEWHERE);
    await fc.assert(
      fc.asyncProperty(within, async (host) => {
        await expect(get(`http://${host}:${port}/`)).rejects.toThrow(AddressRefused);
      }),
      { numRuns: 200 },
    );
    expect(received).toEqual([]);
  });

  it('is not what a name may lead to', async () => {
    const plainV4 = privateV4.map((bytes) => bytes.join('.'));
    const result = fc.oneof(
      plainV4,
      plainV4.map((ip) => `::ffff:${ip}`),
      privateV6.map((host) => host.slice(1, -1)),
    );
    await fc.assert(
      fc.asyncProperty(result, fc.constantFrom('http', 'https'), async (address, scheme) => {
        const family = isIPv4(address) ? 4 : 6;
        const get = guardedFetch(ELSEWHERE, (_name, done) =>
          done(null, [
            { address: '203.0.113.7', family: 4 },
            { address, family },
          ]),
        );
        await expect(get(`${scheme}://crm.example.com:${port}/`)).rejects.toThrow(AddressRefused);
      }),
      { numRuns: 200 },
    );
    expect(received).toEqual([]);
  });

  it('is reached where the configuration says so', async () => {
    answers['/a'] = { body: { ok: 1 } };
    expect(await (await guardedFetch(HERE)(`http://127.0.0.1:${port}/a`)).json()).toEqual({ ok: 1 });
    expect(isIssuer(`http://127.0.0.1:${port}/realms/a`, HERE)).toBe(true);
    expect(wrongAddress('http://10.1.2.3/', { networks: ['10.1.0.0/16'], loopback: false })).toBe('');
    expect(isCrmAddress('https://company.my.salesforce.com', PUBLIC)).toBe(true);
    expect(isIssuer('https://login.example.com/tenant/v2.0', PUBLIC)).toBe(true);
  });
});

/** The answers of this server lead to another port of this computer, which is not allowed: only one address is. */
describe('what an allowed system names', () => {
  const onlyThere = (): Reach => ({ networks: ['127.0.0.2'], loopback: false });
  let there = '';
  const second = createServer((request, response) => server.emit('request', request, response));
  beforeAll(async () => {
    await new Promise<void>((resolve) => second.listen(0, '127.0.0.2', resolve));
    there = `http://127.0.0.2:${(second.address() as AddressInfo).port}`;
  });
  afterAll(() => void second.close());
  const forbidden = () => `http://127.0.0.1:${port}`;

  it('by a redirect is refused', async () => {
    answers['/'] = { status: 302, headers: { location: `${forbidden()}/secret` } };
    await expect(guardedFetch(onlyThere())(`${there}/`)).rejects.toThrow(AddressRefused);
    expect(received).toEqual(['/']);
  });

  it('as a sign-in provider, by jwks_uri or another endpoint, is refused', async () => {
    answers['/.well-known/openid-configuration'] = {
      body: {
        issuer: there,
        authorization_endpoint: `${there}/auth`,
        token_endpoint: `${forbidden()}/token`,
        jwks_uri: `${forbidden()}/keys`,
      },
    };
    const client = openSignOn(
      { issuer: there, clientId: 'a', clientSecret: 'b', scopes: 'openid' },
      { reach: onlyThere(), kept: new Map() },
    );
    const words = /Addresses in a private network are not allowed/;
    await expect(client.test()).rejects.toThrow(words);
    const address = new URL(`${there}/back?code=1&state=s`);
    await expect(client.complete({ address, state: 's', nonce: 'n', verifier: 'v'.repeat(43) })).rejects.toThrow(words);
    const token = `${btoa('{"alg":"RS256","kid":"1"}')}.${btoa('{}')}.AA`.replaceAll('=', '');
    await expect(client.readLogoutToken(token, new Date())).rejects.toThrow('cannot be loaded right now');
    expect(new Set(received)).toEqual(new Set(['/.well-known/openid-configuration']));
  });

  it('as a sign-in provider, by jwks_uri alone, is refused when the signature of an ID token is checked', async () => {
    const claims = { iss: there, aud: 'a', sub: 's', nonce: 'n', iat: Date.now() / 1000, exp: Date.now() / 1000 + 60 };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    answers['/.well-known/openid-configuration'] = {
      body: { issuer: there, token_endpoint: `${there}/token`, jwks_uri: `${forbidden()}/keys` },
    };
    answers['/token'] = {
      body: { access_token: 'x', token_type: 'bearer', id_token: `${part({ alg: 'RS256' })}.${part(claims)}.AA` },
    };
    const client = openSignOn(
      { issuer: there, clientId: 'a', clientSecret: 'b', scopes: 'openid' },
      { reach: onlyThere(), kept: new Map() },
    );
    const address = new URL(`${there}/back?code=1&state=s`);
    await expect(client.complete({ address, state: 's', nonce: 'n', verifier: 'v'.repeat(43) })).rejects.toThrow(
      /Addresses in a private network are not allowed/,
    );
    expect(received).toEqual(['/.well-known/openid-configuration', '/token']);
  });

  it('as a CRM, as the address of the org, is refused', async () => {
    answers['/services/oauth2/token'] = { body: { access_token: 'x', instance_url: forbidden() } };
    const login = {
      address: there,
      apiVersion: '62.0',
      clientId: 'a',
      clientSecret: 'b',
      method: 'ClientCredentials',
    } as const;
    const crm = openCrm(login, { now: () => new Date(), reach: onlyThere() });
    await expect(crm.describe('Opportunity')).rejects.toThrow(/not belong to Salesforce/);
    expect(received).toEqual(['/services/oauth2/token']);
  });
});

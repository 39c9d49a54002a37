// Tests rules for every answer: headers, limits, error formats, and a log that records what happened but not to whom.
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { serializer } from '#platform/api/serializer.server.ts';
import { serve } from '#platform/api/serve.server.ts';
import { Auth } from '#platform/auth/auth.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { QuoteFileUpload } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { openLog } from './log.server.ts';
import { answerError } from './problem.server.ts';

let server: TestServer;
let userId: number;
let log = '';
/** While set, mails fail with this text, like at a mail server that names the recipient in its error. */
let mailAnswer: string | null = null;

type Line = { level: number; msg: string; reqId?: string; route?: string; status?: number; err?: { message: string } };
const lines = () =>
  log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

beforeAll(async () => {
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      log += chunk.toString();
      done();
    },
  });
  server = await startTestServer({
    log: openLog('debug', destination),
    config: { rateLimit: 200, trustProxy: 1, publicUrl: 'https://quotes.example.com' },
    mail: { send: () => (mailAnswer ? Promise.reject(new Error(mailAnswer)) : Promise.resolve()) },
  });
  userId = (await aUser(server.db, { userName: 'joan.baker@example.org', fullName: 'Joan Baker', roles: ['csrep'] }))
    .id;
});
afterAll(() => server.close());
beforeEach(() => {
  log = '';
});

const json = { 'content-type': 'application/json' };
const search = QuoteSearch.SearchQuotesForSalesRep.path;

describe('every answer', () => {
  it('forbids what a page of ours never does, and is not kept by anyone', async () => {
    const { headers } = await server.call(Auth.GetSignedInUser, {}, { as: userId });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'permissions-policy': 'camera=(), geolocation=(self), microphone=()',
      'cross-origin-opener-policy': 'same-origin',
      'strict-transport-security': expect.stringContaining('max-age=') as string,
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  });

  it('allows the style elements of a page by a word that no other page has', async () => {
    const authorization = `Bearer ${await server.tokenOf(userId)}`;
    const page = () => server.inject({ method: 'GET', url: '/api/docs', headers: { authorization } });
    const [first, second] = [await page(), await page()];
    const allowed = ({ headers }: typeof first) =>
      /style-src 'self' 'nonce-([^']{20,})';/.exec(String(headers['content-security-policy']))?.[1];
    expect(first.text).toContain(`<style nonce="${allowed(first)}">`);
    expect(allowed(first)).toBeTruthy();
    expect(allowed(first)).not.toBe(allowed(second));
  });

  it('carries the request id that its line in the log has', async () => {
    const good = await server.call(Auth.GetSignedInUser, {}, { as: userId });
    const bad = await server.inject({ method: 'POST', url: '/api/Nothing/There' });
    const plain = await server.inject({ method: 'POST', url: '/Token' });
    const unreadable = await server.inject({ method: 'POST', url: '/api/%zz' });
    expect(lines().map(({ reqId, status }) => [reqId, status])).toEqual([
      [good.headers['x-request-id'], 200],
      [(JSON.parse(bad.text) as { requestId: string }).requestId, 404],
      [plain.headers['x-request-id'], 400],
      [(JSON.parse(unreadable.text) as { requestId: string }).requestId, 400],
    ]);
  });
});

describe('a prober', () => {
  it('learns that the server is up, and not ready while a migration is missing', async () => {
    const get = async (url: string) => {
      const { status, text } = await server.inject({ method: 'GET', url });
      return [status, JSON.parse(text)] as const;
    };
    expect(await get('/healthz')).toEqual([200, { status: 'ok' }]);
    expect(await get('/readyz')).toEqual([200, { status: 'ready' }]);
    const { pool } = server.services.database;
    const { rows } = await pool.query<{ name: string; hash: string }>(
      'delete from schema_migration where name = (select max(name) from schema_migration) returning name, hash',
    );
    expect(await get('/readyz')).toEqual([503, { status: 'not ready', reason: 'migrations are missing' }]);
    expect(await get('/healthz')).toEqual([200, { status: 'ok' }]);
    await pool.query('insert into schema_migration (name, hash) values ($1, $2)', [rows[0]?.name, rows[0]?.hash]);
    expect((await get('/readyz'))[0]).toBe(200);
  });
});

describe('what cannot be read is refused in one shape', () => {
  it.each<[string, { url: string; headers?: Record<string, string>; payload?: string }, number, RegExp]>([
    ['an unknown path', { url: '/api/QuoteSearch/Nothing' }, 404, /Nothing was found at this address/],
    ['a path that is no path', { url: '/api/%zz' }, 400, /cannot be read/],
    ['another media type', { url: search, headers: { 'content-type': 'text/plain' }, payload: 'x' }, 415, /Send JSON/],
    ['broken JSON', { url: search, headers: json, payload: '{"page":' }, 400, /not valid JSON/],
    ['a poisoned prototype', { url: search, headers: json, payload: '{"__proto__":{"a":1}}' }, 400, /not valid JSON/],
    ['a wrong type', { url: search, headers: json, payload: '{"page":"x"}' }, 422, /page/],
    ['no object', { url: search, headers: json, payload: '[1]' }, 422, /object/],
    [
      'more than the limit',
      { url: search, headers: json, payload: `{"a":"${'x'.repeat(1_100_000)}"}` },
      413,
      /too large/,
    ],
    [
      'an upload that is none',
      { url: QuoteFileUpload.UploadQuoteFile.path, headers: json, payload: '{}' },
      415,
      /multipart/,
    ],
    [
      'a broken upload',
      {
        url: QuoteFileUpload.UploadQuoteFile.path,
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        payload: '--x\r\nnothing',
      },
      400,
      /cannot be read/,
    ],
    [
      'an upload without its file',
      {
        url: QuoteFileUpload.UploadQuoteFile.path,
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        payload: '--x\r\ncontent-disposition: form-data; name="quoteId"\r\n\r\n1\r\n--x--\r\n',
      },
      422,
      /Choose a file/,
    ],
  ])('%s', async (_name, request, status, words) => {
    const authorization = `Bearer ${await server.tokenOf(userId)}`;
    const answer = await server.inject({ method: 'POST', ...request, headers: { ...request.headers, authorization } });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    const problem = JSON.parse(answer.text) as Record<string, unknown>;
    expect(problem).toMatchObject({ type: 'about:blank', status, title: expect.any(String) as string });
    expect(problem['detail']).toMatch(words);
    expect(problem['ExceptionMessage']).toBe(problem['detail']);
  });

  it('does not mind how an empty body is called', async () => {
    const authorization = `Bearer ${await server.tokenOf(userId)}`;
    for (const type of ['text/plain;charset=UTF-8', 'application/json', 'application/x-www-form-urlencoded', 'a/b']) {
      const headers = { authorization, 'content-type': type };
      expect((await server.inject({ method: 'POST', url: search, headers, payload: '' })).status).toBe(200);
    }
  });

  it('names each field of a 422', async () => {
    const { status, body } = await server.call(
      QuoteSearch.SearchQuotesForSalesRep,
      { page: 0, pageSize: 'x' },
      { as: userId },
    );
    expect(status).toBe(422);
    expect((body as unknown as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual([
      'page',
      'pageSize',
    ]);
  });
});

it('tells a person the first errors of many, and the fields all of them', async () => {
  const items = Array.from({ length: 500 }, () => ({ qty: 'many' }));
  const answer = await server.call(
    QuoteEdit.SaveSalesRepQuote,
    { quote: {}, items },
    { as: userId, headers: { 'x-forwarded-for': '10.9.8.6' } },
  );
  const problem = answer.body as unknown as { detail: string; errors: unknown[] };
  expect(answer.status).toBe(422);
  expect(problem.errors).toHaveLength(500);
  expect(problem.detail).toMatch(/^items\.0\.qty: .*; and 490 more$/);
});

describe('too many calls', () => {
  it('are refused with 429 and when to come again, refused tokens counted like the rest', async () => {
    const call = () =>
      server.inject({ method: 'POST', url: Auth.GetSignedInUser.path, headers: { 'x-forwarded-for': '10.9.8.7' } });
    let answer = await call();
    for (let i = 0; i < 250 && answer.status !== 429; i++) answer = await call();
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(JSON.parse(answer.text)).toMatchObject({
      status: 429,
      detail: expect.stringMatching(/^Too many attempts\. Try again in /) as string,
    });
    expect((await server.inject({ method: 'GET', url: '/healthz' })).status).toBe(200);
  });

  it('are counted by who calls, not by who the caller says to be', async () => {
    const direct = await startTestServer({ config: { rateLimit: 5 } });
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) {
      const headers = { 'x-forwarded-for': `10.9.9.${i}`, 'x-real-ip': `10.9.9.${i}`, forwarded: `for=10.9.9.${i}` };
      statuses.push((await direct.inject({ method: 'POST', url: Auth.GetSignedInUser.path, headers })).status);
    }
    await direct.close();
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });
});

describe('the log', () => {
  it('tells of sign-in, reset and mail without password, token, name or address', async () => {
    const password = 'Swordfish-for-ever';
    await server.call(Auth.Token, { UserName: 'joan.baker@example.org', Password: password, grant_type: 'password' });
    await server.call(Auth.ResetPassword, { email: 'joan.baker@example.org' });
    mailAnswer = '550 5.1.1 <joan.baker@example.org>: Recipient address rejected';
    for (let ran = await server.drain(); ran > 0; ran = await server.drain());
    mailAnswer = null;
    const token = await server.tokenOf(userId);
    await server.call(Auth.GetSignedInUser, {}, { as: userId });
    await server.call(Auth.token, {
      grant_type: 'refresh_token',
      refresh_token: 'not-a-token-4711',
      client_secret: 'wrong-secret',
    });

    expect(
      lines()
        .map(({ route, status }) => [route, status])
        .filter(([route]) => route),
    ).toEqual([
      ['/Token', 400],
      ['/api/Account/ResetPassword', 200],
      ['/api/Account/GetSignedInUser', 200],
      ['/o/token/', 401],
    ]);
    expect(lines().find(({ err }) => err)?.err?.message).toBe('550 5.1.1 <<address>>: Recipient address rejected');
    for (const secret of [password, 'joan', 'Joan', 'example.org', token, 'not-a-token-4711', 'wrong-secret']) {
      expect(log).not.toContain(secret);
    }
  });

  it('has the fault behind a 500, of which the answer says only the id', async () => {
    await server.db.schema.alterTable('quote').renameTo('quote_gone').execute();
    const { status, body } = await server.call(QuoteSearch.SearchQuotesForSalesRep, {}, { as: userId });
    await server.db.schema.alterTable('quote_gone').renameTo('quote').execute();
    expect(status).toBe(500);
    const { requestId, detail } = body as unknown as { requestId: string; detail: string };
    expect(detail).toBe(`Something went wrong on the server. If you report it, include the number ${requestId}.`);
    expect(JSON.stringify(body)).not.toMatch(/relation|select|\.ts/i);
    const fault = lines().find((line) => line.err);
    expect(fault).toMatchObject({ level: 50, reqId: requestId, err: { message: 'relation "quote" does not exist' } });
  });

  it('tells whether a call that failed had saved: the answer can be lost after the commit', async () => {
    const Number4 = z.object({ n: z.literal(4) });
    const broken = {
      Lost: post('/api/Test/Lost', z.object({}), Number4, { access: 'anyone', writes: true }),
      Undone: post('/api/Test/Undone', z.object({}), Number4, { access: 'anyone', writes: true }),
    };
    const app = Fastify() as unknown as FastifyInstance;
    app.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializer(true)).setErrorHandler(answerError);
    app.decorate('services', server.services);
    app.decorate('calls', []);
    app.decorateRequest('saved', undefined);
    await app.register(multipart);
    serve(app, broken, {
      Lost: async ({ db }) => {
        await aUser(db, { fullName: 'Kept Anyway' });
        return { n: 5 as 4 };
      },
      Undone: async ({ db }) => {
        await aUser(db, { fullName: 'Rolled Back' });
        throw new Error('a fault');
      },
    });
    const detailOf = async (url: string) => {
      const answer = await app.inject({ method: 'POST', url, payload: {} });
      return answer.json<{ detail: string }>().detail;
    };
    expect(await detailOf('/api/Test/Lost')).toContain('Your change was saved');
    expect(await detailOf('/api/Test/Undone')).toContain('Nothing was saved.');
    const names = await server.db.selectFrom('app_user').select('full_name').execute();
    expect(names.map((row) => row.full_name)).toContain('Kept Anyway');
    expect(names.map((row) => row.full_name)).not.toContain('Rolled Back');
    await app.close();
  });

  it('takes a caller who hangs up for no fault', async () => {
    const token = await server.tokenOf(userId);
    const address = await server.listen();
    const { hostname, port } = new URL(address);
    const hangUp = (path: string, type: string, body: string, length: number) =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          const head = [
            'host: a',
            `authorization: Bearer ${token}`,
            `content-type: ${type}`,
            `content-length: ${length}`,
          ];
          socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`, () => socket.resetAndDestroy());
        });
        socket.on('close', () => resolve());
      });
    const form = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nab';
    for (let n = 0; n < 20; n++) {
      await hangUp(Auth.GetSignedInUser.path, 'application/json', '{}', 2);
      await hangUp(
        Auth.Token.path,
        'application/x-www-form-urlencoded',
        'UserName=a&Password=b&grant_type=password',
        41,
      );
      await hangUp(search, 'application/json', '{"page":', 9000);
      await hangUp(QuoteFileUpload.UploadQuoteFile.path, 'multipart/form-data; boundary=x', form, 9000);
    }
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    expect(lines().filter(({ level, err }) => level >= 40 || err)).toEqual([]);
  });

  it('keeps values that the database refused out of its text', () => {
    const refused = Object.assign(new Error('invalid input syntax for type integer: "Joan Baker"'), {
      code: '22P02',
      detail: 'Joan Baker',
      cause: new Error('at joan.baker@example.org'),
    });
    const opened = openLog('info', { write: (line) => (log += line) });
    opened.error({ err: refused }, 'refused');
    opened.error({ err: { ...refused, message: 'a copy, by joan.baker@example.org' } }, 'refused');
    expect(lines().map(({ err }) => err?.message)).toEqual([
      'invalid input syntax for type integer: "…"',
      'a copy, by <address>',
    ]);
    expect(log).not.toMatch(/joan/i);
  });
});

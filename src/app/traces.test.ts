// Tests traces by OTLP/HTTP to a collector on loopback: a span for a call, its statements and a job, and nothing that users typed.
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Auth } from '#platform/auth/auth.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { openOtlp } from '#platform/outside/otlp.server.ts';
import { traceWith, withoutValues } from '#platform/outside/trace.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer } from '#testing/test-server.server.ts';

type Attribute = { key: string; value: { stringValue?: string; doubleValue?: number } };
type Sent = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Attribute[];
  startTimeUnixNano: string;
  endTimeUnixNano: string;
};

const received: { url: string; header: unknown; body: string }[] = [];
let answer = 200;
const collector = http.createServer(async (request, response) => {
  const body = await text(request);
  received.push({ url: request.url ?? '', header: request.headers['x-key'], body });
  response.writeHead(answer).end('{}');
});
let endpoint = '';
beforeAll(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterEach(() => traceWith(null));
afterAll(() => collector.close());

const spansOf = (): Sent[] =>
  received.flatMap(({ body }) => {
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Sent[] }[] }[] };
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  });

it('a call, its statements and a job each have a span, without prices, names or secrets', async () => {
  const warnings: unknown[] = [];
  const { tracer, stop } = openOtlp(
    { endpoint: `${endpoint}/`, headers: { 'x-key': 'k' }, serviceName: 'quoteboard-test' },
    { warn: (...input: unknown[]) => void warnings.push(input) },
  );
  traceWith(tracer);
  const server = await startTestServer();
  const rep = await aUser(server.db, { fullName: 'Secret Name', userName: 'secret@example.com' });
  const quote = await aPricedQuote(server.db, { ownerId: rep.id, salesRepId: rep.id });
  const line = { quoteId: quote.id, itemNumber: 'SECRET-9', description: 'Secret thing', qty: 3, unit: 'EA' };
  await server.ok(QuoteEdit.SaveQuoteItem, { ...line, type: 'custom', unitPrice: 4711.25 }, { as: rep });
  await server.call(Auth.ResetPassword, { email: 'secret@example.com' });
  await server.drain();
  await server.close();
  await stop();

  expect(warnings).toEqual([]);
  expect(received.every(({ url, header }) => url === '/v1/traces' && header === 'k')).toBe(true);
  const spans = spansOf();
  const call = spans.find(({ name }) => name === `POST ${QuoteEdit.SaveQuoteItem.path}`);
  expect(call?.attributes).toContainEqual({ key: 'http.response.status_code', value: { doubleValue: 200 } });
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === call?.spanId);
  expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['SELECT', 'BEGIN', 'COMMIT']));
  expect(statements.every(({ traceId }) => traceId === call?.traceId)).toBe(true);
  for (const span of [call, ...statements])
    expect(BigInt(span?.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(span?.startTimeUnixNano ?? 1));
  const job = spans.find(({ name }) => name.startsWith('job '));
  expect(spans.some(({ parentSpanId }) => parentSpanId === job?.spanId)).toBe(true);
  // The whole price, because an id or a time may contain any four digits.
  expect(JSON.stringify(spans)).not.toMatch(/secret name|secret@|4711\.25|Bearer/i);
});

it('a call continues the trace of its caller', async () => {
  const { tracer, stop } = openOtlp({ endpoint, headers: {}, serviceName: 'q' }, { warn: () => {} });
  traceWith(tracer);
  const server = await startTestServer();
  const [trace, parent] = ['a'.repeat(32), 'b'.repeat(16)];
  await server.inject({ method: 'GET', url: '/readyz', headers: { traceparent: `00-${trace}-${parent}-01` } });
  await server.inject({ method: 'GET', url: '/readyz', headers: { traceparent: 'nonsense' } });
  await server.close();
  await stop();
  const [first, second] = spansOf().filter(({ name }) => name === 'GET /readyz');
  expect(first).toMatchObject({ traceId: trace, parentSpanId: parent });
  expect(second?.traceId).not.toBe(trace);
  expect(second?.parentSpanId).toBeUndefined();
});

it('a collector that refuses or is unreachable delays nobody and is logged once', async () => {
  const warnings: unknown[][] = [];
  answer = 500;
  const { tracer, stop } = openOtlp(
    { endpoint, headers: {}, serviceName: 'q' },
    {
      warn: (...input: unknown[]) => void warnings.push(input),
    },
  );
  for (let n = 0; n < 7000; n++) tracer.begin('busy', 'client', {}).end();
  await stop();
  answer = 200;
  expect(warnings).toHaveLength(1);
});

it('a statement loses the values in its text and keeps its names and parameters', () => {
  expect(withoutValues(`select t2.a1 from t2 where n = 'O''Hara' and p > 12.50 and q = $3 limit 10`)).toBe(
    'select t2.a1 from t2 where n = ? and p > ? and q = $3 limit ?',
  );
});

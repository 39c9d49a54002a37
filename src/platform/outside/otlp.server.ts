// Sends spans to a collector by OTLP/HTTP as JSON, a few hundred at a time. Loaded only when OTEL_EXPORTER_OTLP_ENDPOINT is set (docs/decisions/0002).
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { APP_VERSION } from '#platform/shared/app-info.ts';
import type { Attributes, SpanKind, Tracer } from './trace.server.ts';

type Context = { traceId: string; spanId: string };
type Settings = { endpoint: string; headers: Readonly<Record<string, string>>; serviceName: string };

/** OTLP's numbers for the kinds of spans. */
const KINDS: Record<SpanKind, number> = { server: 2, client: 3, consumer: 5 };
const FAILED = 2;
const FLUSH_MS = 2000;
const BATCH = 500;
/** The maximum number of waiting spans. Later spans are dropped, so that an unreachable collector does not fill the memory. */
const MAX_WAITING = 5000;
const SEND_MAY_TAKE = 5000;

/** Opens the tracer. `stop` sends the waiting spans. */
export function openOtlp({ endpoint, headers, serviceName }: Settings, log: Pick<Logger, 'warn'>) {
  const contexts = new AsyncLocalStorage<Context>();
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const resource = { attributes: listOf({ 'service.name': serviceName, 'service.version': APP_VERSION }) };
  const scope = { name: 'quoteboard', version: APP_VERSION };
  let waiting: object[] = [];
  let dropped = 0;
  let isDown = false;
  let sending: Promise<void> = Promise.resolve();

  const send = async (spans: object[]) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] }),
        signal: AbortSignal.timeout(SEND_MAY_TAKE),
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`the collector answered ${response.status}`);
      isDown = false;
    } catch (error) {
      dropped += spans.length;
      // Warns once per outage, not every two seconds.
      if (!isDown) log.warn({ err: error, dropped }, 'traces were not sent');
      isDown = true;
    }
  };
  const flush = (): Promise<void> => {
    const spans = waiting;
    waiting = [];
    if (spans.length > 0) sending = sending.then(() => send(spans));
    return sending;
  };
  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();

  const tracer: Tracer = {
    begin: (name, kind, initial, { began = Date.now(), from } = {}) => {
      const parent = contexts.getStore() ?? parentOf(from);
      const context = { traceId: parent?.traceId ?? randomId(16), spanId: randomId(8) };
      const attributes = { ...initial };
      return {
        set: (more) => void Object.assign(attributes, more),
        run: (work) => contexts.run(context, work),
        end: (error) => {
          if (waiting.length >= MAX_WAITING) {
            dropped++;
            return;
          }
          waiting.push({
            ...context,
            ...(parent ? { parentSpanId: parent.spanId } : {}),
            name,
            kind: KINDS[kind],
            startTimeUnixNano: nanosOf(began),
            endTimeUnixNano: nanosOf(Date.now()),
            attributes: listOf(error ? { ...attributes, 'error.type': error } : attributes),
            ...(error ? { status: { code: FAILED } } : {}),
          });
          if (waiting.length >= BATCH) void flush();
        },
      };
    },
  };
  return {
    tracer,
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}

const randomId = (bytes: number): string => randomBytes(bytes).toString('hex');

const nanosOf = (milliseconds: number): string => `${BigInt(Math.round(milliseconds * 1000)) * 1000n}`;

function listOf(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
  }));
}

function parentOf(traceparent: unknown): Context | undefined {
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(String(traceparent)) ?? [];
  return traceId && spanId ? { traceId, spanId } : undefined;
}

// Sends one webhook by the Standard Webhooks specification: signs it, posts it to allowed addresses only, and reports the result.
import { createHmac, randomBytes } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { AddressRefused, guardedLookup, type Reach, wrongAddress } from './reachable-address.server.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const TIMEOUT_MS = 15_000;
/** The maximum number of bytes of an answer that are read and stored. */
const MAX_BYTES = 500;

export function newSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Returns the header webhook-signature: 'v1,' and a signature for each secret. */
export function signatureOf(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
}

export type Posting = {
  address: string;
  secrets: readonly string[];
  id: string;
  body: string;
  now: Date;
  reach: Reach;
  timeoutMs?: number;
  /** Looks up names. Tests replace it. */
  resolve?: Parameters<typeof guardedLookup>[2];
};
export type Posted = {
  ok: boolean;
  /** Null if no answer arrived. */
  status: number | null;
  /** The first bytes of the answer. */
  answer: string;
  /** A sentence, or '' if the endpoint accepted the webhook. */
  error: string;
  /** The number of seconds that the endpoint requests to wait, or 0. */
  retryAfter: number;
  ms: number;
};

/** Posts a webhook. Never throws for errors of the endpoint, follows no redirect, and waits 15 seconds for the whole answer. */
export async function postWebhook(posting: Posting): Promise<Posted> {
  const start = performance.now();
  const took = () => Math.round(performance.now() - start);
  const failed = (error: string): Posted => ({ ok: false, status: null, answer: '', error, retryAfter: 0, ms: took() });
  const wrong = wrongAddress(posting.address, posting.reach);
  if (wrong) return failed(wrong);
  const ends = AbortSignal.timeout(posting.timeoutMs ?? TIMEOUT_MS);
  try {
    const response = await postOnce(posting, ends);
    const status = response.statusCode ?? 0;
    const answer = await firstBytes(response);
    const ok = status >= 200 && status < 300;
    const error = ok ? '' : statusSentence(status);
    return {
      ok,
      status,
      answer,
      error,
      retryAfter: secondsOf(response.headers['retry-after'], posting.now),
      ms: took(),
    };
  } catch (error) {
    if (ends.aborted) return failed(`No response within ${(posting.timeoutMs ?? TIMEOUT_MS) / 1000} seconds.`);
    return failed(errorSentence(error));
  }
}

function postOnce(
  { address, secrets, id, body, now, reach, resolve }: Posting,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(address);
  const tls = url.protocol === 'https:';
  const timestamp = Math.floor(now.getTime() / 1000);
  const bytes = Buffer.from(body);
  return new Promise((resolved, rejected) => {
    const sent: ClientRequest = (tls ? requestTls : requestPlain)(url, {
      method: 'POST',
      // Opens a new connection for each webhook, so that each address is looked up and checked.
      agent: false,
      lookup: guardedLookup(tls, reach, resolve),
      signal,
      headers: {
        'content-type': 'application/json',
        'content-length': bytes.length,
        'user-agent': 'Quoteboard-Webhooks',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatureOf(secrets, id, timestamp, body),
      },
    });
    sent.on('response', resolved).on('error', rejected);
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      rejected(new Error('The endpoint answered with another protocol.'));
    });
    sent.end(bytes);
  });
}

/** Reads the start of the answer. If the body hangs or breaks, the status still applies. */
async function firstBytes(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size >= MAX_BYTES) break;
    }
  } catch {
    // The answer broke off. The part that arrived is returned.
  }
  response.destroy();
  const text = Buffer.concat(parts).subarray(0, MAX_BYTES).toString('utf8');
  // The database cannot store a NUL character, and no screen shows the other control characters.
  return text.replace(/[^\P{C}\n\t]/gu, ' ').trim();
}

/** Parses the header Retry-After: seconds ('120') or a date. Returns seconds. */
function secondsOf(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}

function statusSentence(status: number): string {
  if (status === 410) return 'The endpoint answered with 410: it wants no more events.';
  if (status >= 300 && status < 400)
    return `The endpoint answered with ${status}. Redirects are not followed. Enter the address that it redirects to.`;
  return `The endpoint answered with ${status}.`;
}

const WORDS: Record<string, string> = {
  ENOTFOUND: 'The host name does not exist.',
  EAI_AGAIN: 'The host name could not be resolved.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed without a response.',
  EPIPE: 'The connection was closed without a response.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
};

/** Describes an error without the address, because a log or a mail may quote the description. */
function errorSentence(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const known = WORDS[code];
  if (known) return known;
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/i.test(code))
    return `The TLS certificate or connection is not valid (${code}).`;
  if (code.startsWith('HPE_')) return 'The response is not valid HTTP.';
  return code ? `The connection failed (${code}).` : `The connection failed: ${message.slice(0, 200)}`;
}

// A server on loopback that receives webhooks, checks their signatures by hand, and fails on command.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

/** How the receiver answers: with a status, with Retry-After, or wrongly. */
export type ReceiverFault =
  | number
  | { status: number; retryAfter: string }
  | { redirectTo: string }
  | { says: string; status?: number }
  | 'hang'
  | 'late'
  | 'drop'
  | 'drop after'
  | 'endless'
  | 'hang after status'
  | 'no HTTP'
  | 'upgrade';

export type Received = {
  path: string;
  id: string;
  timestamp: number;
  body: { type: string; timestamp: string; data: Record<string, unknown> };
  text: string;
  /** The known secrets that signed the webhook. */
  signedBy: string[];
  headers: IncomingMessage['headers'];
};

export type WebhookReceiver = {
  address: string;
  received: Received[];
  /** Sets the answers to the next webhooks, one each. */
  fail: (...faults: ReceiverFault[]) => void;
  /** Sets the answer to every webhook until `down(null)`. */
  down: (fault: ReceiverFault | null) => void;
  /** Sets the secrets for checking signatures. */
  knows: (...secrets: string[]) => void;
  /** The number of opened connections, whatever they carried. */
  connections: () => number;
  close: () => Promise<void>;
};

const LATE_MS = 1500;

/** Starts it on a free port, or on `port`. It calls `onReceived` for each webhook. */
export async function startWebhookReceiver(
  options: { port?: number; onReceived?: (received: Received) => void } = {},
): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const faults: ReceiverFault[] = [];
  let down: ReceiverFault | null = null;
  let secrets: string[] = [];
  let connections = 0;

  const server = createServer((request, response) => void take(request, response).catch(() => response.destroy()));
  server.on('connection', () => connections++);

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      const list = received.map(({ id, text: body }) => `${id} ${body}`).join('\n');
      return void response.end(`Webhooks that arrived here:\n${list}\n`);
    }
    const fault = down ?? faults.shift() ?? null;
    const body = await text(request);
    if (fault === 'drop') return void request.socket.destroy();
    const first = readWebhook(request, body, secrets);
    received.push(first);
    options.onReceived?.(first);
    await answer(response, fault);
  }
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    fail: (...more) => void faults.push(...more),
    down: (fault) => {
      down = fault;
    },
    knows: (...known) => {
      secrets = known;
    },
    connections: () => connections,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Verifies as the specification requires: the signature is an HMAC-SHA256 of id, timestamp and the bytes of the body. */
function readWebhook(request: IncomingMessage, body: string, secrets: readonly string[]): Received {
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : '';
  };
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const signatures = header('webhook-signature').split(' ');
  const signs = (secret: string) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`, 'utf8').digest();
    return signatures.some((signature) => {
      const [version, input = ''] = signature.split(',');
      const bytes = Buffer.from(input, 'base64');
      return version === 'v1' && bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
    });
  };
  return {
    path: request.url ?? '',
    id,
    timestamp: Number(timestamp),
    body: JSON.parse(body) as Received['body'],
    text: body,
    signedBy: secrets.filter(signs),
    headers: request.headers,
  };
}

async function answer(response: ServerResponse, fault: ReceiverFault | null): Promise<void> {
  if (fault === null) return void response.writeHead(204).end();
  if (typeof fault === 'number') return void response.writeHead(fault).end(`This is a ${fault}.`);
  if (typeof fault === 'object') {
    if ('redirectTo' in fault) return void response.writeHead(302, { location: fault.redirectTo }).end();
    if ('says' in fault) return void response.writeHead(fault.status ?? 200).end(fault.says);
    return void response.writeHead(fault.status, { 'retry-after': fault.retryAfter }).end();
  }
  switch (fault) {
    case 'hang':
      return;
    case 'late':
      await setTimeout(LATE_MS);
      return void response.writeHead(200).end();
    case 'drop':
    case 'drop after':
      return void response.destroy();
    case 'hang after status':
      return void response.writeHead(200).write('so far');
    case 'endless': {
      response.writeHead(200);
      while (!response.destroyed) {
        response.write('x'.repeat(65_536));
        await setTimeout(1);
      }
      return;
    }
    case 'no HTTP':
      return void response.socket?.end('HELLO\r\n');
    case 'upgrade':
      return void response.socket?.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: else\r\n\r\n',
      );
  }
}

// A complete server for one test file: its own database and files, mails kept in a list, and a clock that tests can set.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pino, { type Logger } from 'pino';
import type { Endpoint, InputOf, OutputOf } from '#platform/api/endpoint.ts';
import type { Services } from '#platform/api/services.server.ts';
import { start } from '#app/start.server.ts';
import type { Database, Db } from '#platform/db/database.server.ts';
import { startSession } from '#platform/auth/sessions/session.server.ts';
import { type Config, readConfig } from '#platform/outside/config.server.ts';
import type { MailTransport, OutgoingMail } from '#platform/outside/mail.server.ts';
import { freshDatabase } from './base-database.server.ts';

type Who = number | { id: number };
/** A file that a call sends. */
export type SentFile = { name: string; bytes: Buffer; type?: string };

export type TestServer = {
  db: Db;
  services: Services;
  /** Sent mails, in order. */
  mails: OutgoingMail[];
  /** Calls an endpoint over HTTP, through the whole server, as the user `as`; without `as`, without a token. */
  call: <E extends Endpoint>(
    endpoint: E,
    input: InputOf<E> | Record<string, unknown> | null,
    options?: { as?: Who; file?: SentFile; headers?: Record<string, string> },
  ) => Promise<{ status: number; body: OutputOf<E>; headers: Record<string, unknown>; bytes: Buffer }>;
  /** Like `call`, but any status other than 200 fails the test with the server's answer. */
  ok: <E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    options?: { as?: Who; file?: SentFile },
  ) => Promise<OutputOf<E>>;
  /** An access token of a user. */
  tokenOf: (who: Who) => Promise<string>;
  inject: (request: {
    method: 'GET' | 'POST';
    url: string;
    headers?: Record<string, string>;
    payload?: string | Buffer;
  }) => Promise<{
    status: number;
    headers: Record<string, unknown>;
    text: string;
  }>;
  /** Runs all waiting jobs, as if the mails that gather had gathered for long enough, and returns how many there were. */
  drain: () => Promise<number>;
  setNow: (instant: string | null) => void;
  /** Listens on a free loopback port and returns the address. */
  listen: () => Promise<string>;
  close: () => Promise<void>;
};

export type TestServerOptions = {
  config?: Partial<Config>;
  mail?: MailTransport;
  log?: Logger;
  /** A filled database instead of a fresh one. */
  database?: Database;
};

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-test-'));
  const config: Config = {
    ...readConfig({ DATA_DIR: folder, RATE_LIMIT: '1000000', COMPANY_NAME: 'Test Medical Supply' }, 'tool'),
    ...options.config,
  };
  const mails: OutgoingMail[] = [];
  let now: Date | null = null;
  const database = options.database ?? (await freshDatabase());
  const program = await start(config, {
    log: options.log ?? pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    database,
    clock: { now: () => now ?? new Date() },
    mail: options.mail ?? { send: async (mail) => void mails.push(mail) },
    checkAnswers: true,
    superviseJobs: false,
  });
  const { services, app } = program;
  const tokens = new Map<number, string>();
  const tokenOf = async (who: Who) => {
    const id = typeof who === 'number' ? who : who.id;
    let token = tokens.get(id);
    if (!token) {
      token = (await startSession(database.db, services, id, '')).accessToken;
      tokens.set(id, token);
    }
    return token;
  };

  const server: TestServer = {
    db: database.db,
    services,
    mails,
    tokenOf,
    call: async (endpoint, input, { as, file, headers: extra } = {}) => {
      const headers: Record<string, string> = { ...extra };
      if (as !== undefined) headers['authorization'] = `Bearer ${await tokenOf(as)}`;
      const { url, payload, type } = requestOf(endpoint, input as Record<string, unknown> | null, file);
      if (type) headers['content-type'] = type;
      const response = await app.inject({
        method: 'POST',
        url,
        headers,
        ...(payload === undefined ? {} : { payload }),
      });
      const json = /json/.test(String(response.headers['content-type']));
      return {
        status: response.statusCode,
        body: (json ? response.json() : undefined) as OutputOf<typeof endpoint>,
        headers: response.headers,
        bytes: response.rawPayload,
      };
    },
    ok: async (endpoint, input, callOptions) => {
      const response = await server.call(endpoint, input, callOptions);
      if (response.status !== 200) {
        throw new Error(`${endpoint.path} answered ${response.status}: ${JSON.stringify(response.body)}`);
      }
      return response.body;
    },
    inject: async (request) => {
      const response = await app.inject(request);
      return { status: response.statusCode, headers: response.headers, text: response.payload };
    },
    drain: async () => {
      for (let count = 0; ; ) {
        const gathering = await database.db
          .updateTable('mail')
          .set({ gather_until: services.clock.now() })
          .where('gather_until', 'is not', null)
          .executeTakeFirstOrThrow();
        const ran = await services.jobs.drain();
        count += ran;
        if (ran === 0 && gathering.numUpdatedRows === 0n) return count;
      }
    },
    setNow: (instant) => {
      now = instant ? new Date(instant) : null;
      // Tokens are valid only for minutes, so a new time needs new tokens.
      tokens.clear();
    },
    listen: async () => {
      await app.listen({ host: '127.0.0.1', port: 0 });
      const address = app.server.address();
      return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    },
    close: async () => {
      await program.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
}

/** The HTTP request of a call. */
export function requestOf(
  endpoint: Endpoint,
  input: Record<string, unknown> | null,
  file?: SentFile,
): { url: string; payload?: string | Buffer; type?: string } {
  const fields = Object.entries(input ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const text = fields.map(([name, value]): [string, string] => [name, String(value)]);
  switch (endpoint.in) {
    case 'query':
      return { url: `${endpoint.path}?${new URLSearchParams(text).toString()}` };
    case 'path':
      return {
        url: endpoint.path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(String(input?.[name]))),
      };
    case 'form':
      return {
        url: endpoint.path,
        payload: new URLSearchParams(text).toString(),
        type: 'application/x-www-form-urlencoded',
      };
    case 'upload':
      return { url: endpoint.path, ...multipart(text, file) };
    default:
      return { url: endpoint.path, payload: JSON.stringify(input), type: 'application/json' };
  }
}

function multipart(fields: [string, string][], file?: SentFile): { payload: Buffer; type: string } {
  const boundary = 'quoteboard-test-boundary';
  const parts: Uint8Array[] = fields.map(([name, value]) =>
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  if (file) {
    parts.push(
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${file.name.replaceAll('"', '%22')}"\r\ncontent-type: ${file.type ?? 'application/octet-stream'}\r\n\r\n`,
      ),
      file.bytes,
      Buffer.from('\r\n'),
    );
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { payload: Buffer.concat(parts), type: `multipart/form-data; boundary=${boundary}` };
}

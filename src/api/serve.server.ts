// Puts a contract's answers on the server: who calls, may they, is the input right, one transaction, the answer's shape.
import type { Readable } from 'node:stream';
import '@fastify/swagger';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '#db/database.server.ts';
import { inTransaction } from '#db/transaction.server.ts';
import '#shared/plain-words.ts';
import { hasRole } from '#shared/roles.ts';
import type { Access, Contract, Endpoint, OutputOf, ParsedInputOf } from './endpoint.ts';
import { forbidden, HttpError } from './http-error.ts';
import type { Caller, Services } from './services.server.ts';
import { readUpload, type Upload } from './upload.server.ts';

/** What a call declared with `file` returns. */
export type FileAnswer = { name: string; bytes: Buffer | Readable; mediaType?: string; inline?: boolean };

type UserOf<A extends Access> = A extends 'anyone' ? Caller | undefined : Caller;

export type Context<A extends Access = Access> = {
  /** The transaction of a call that writes, else the database. */
  db: Db;
  user: UserOf<A>;
  services: Services;
  request: { id: string; address: string; userAgent: string; authorization: string | undefined };
  log: FastifyBaseLogger;
  upload: Upload | undefined;
};

type AnswerOf<E extends Endpoint> = (
  context: Context<E['access']>,
  input: ParsedInputOf<E>,
) => Promise<E extends { file: string } ? FileAnswer : OutputOf<E>>;
/** One answer a call; a missing one is a type error. */
export type Answers<C extends Contract> = { [K in keyof C]: AnswerOf<C[K]> };

export type Authenticate = (services: Services, authorization: string | undefined) => Promise<Caller>;

declare module 'fastify' {
  interface FastifyInstance {
    services: Services;
    authenticate: Authenticate;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
    upload: Upload | undefined;
  }
}

/** Registers every call of a contract. */
export function serve<C extends Contract>(app: FastifyInstance, contract: C, answers: Answers<C>): void {
  for (const [key, endpoint] of Object.entries(contract)) {
    const answer = answers[key as keyof C] as unknown as (context: Context, input: unknown) => Promise<unknown>;
    const place = endpoint.in === 'query' ? 'querystring' : endpoint.in === 'path' ? 'params' : 'body';
    app.route({
      method: 'POST',
      url: endpoint.path,
      ...(endpoint.rateLimit ? { config: { rateLimit: { max: endpoint.rateLimit, timeWindow: '1 minute' } } } : {}),
      ...(endpoint.bodyLimit ? { bodyLimit: endpoint.bodyLimit } : {}),
      schema: {
        operationId: key,
        tags: [groupOf(endpoint.path)],
        summary: endpoint.summary ?? '',
        ...(endpoint.access === 'anyone' ? {} : { security: [{ bearer: [] }] }),
        ...(endpoint.in === 'form' ? { consumes: ['application/x-www-form-urlencoded'] } : {}),
        ...(endpoint.in === 'upload' ? { consumes: ['multipart/form-data'] } : {}),
        [place]: endpoint.input,
        ...(endpoint.file ? { produces: [endpoint.file] } : { response: { 200: endpoint.output } }),
      },
      // Before the input is read: nobody learns what a call wants without a token. After the limit on calls (onRequest): it counts
      // the refused ones too.
      preParsing: async (request, _reply, payload) => {
        if (endpoint.access !== 'anyone') await admit(app, request, endpoint.access);
        return payload;
      },
      preValidation: async (request) => {
        if (endpoint.in === 'upload') await readUpload(request, endpoint);
        else if (place === 'body' && (request.body === undefined || request.body === null)) request.body = {};
      },
      handler: async (request, reply) => {
        const context = contextOf(app, request);
        const input = request[place === 'querystring' ? 'query' : place];
        if (!endpoint.writes) return send(reply, endpoint, await answer(context, input));
        const result = await inTransaction(app.services.database.db, (db) => answer({ ...context, db }, input));
        app.services.jobs.nudge();
        return send(reply, endpoint, result);
      },
    });
  }
}

async function admit(app: FastifyInstance, request: FastifyRequest, access: Access): Promise<void> {
  const caller = await app.authenticate(app.services, request.headers.authorization);
  request.caller = caller;
  if (caller.mustChangePassword && !request.url.startsWith('/api/Account/')) {
    throw new HttpError(403, 'Change your temporary password first.');
  }
  if (typeof access !== 'string' && !hasRole(caller, ...access)) throw forbidden();
}

function contextOf(app: FastifyInstance, request: FastifyRequest): Context {
  return {
    db: app.services.database.db,
    user: request.caller,
    services: app.services,
    request: {
      id: request.id,
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      authorization: request.headers.authorization,
    },
    log: request.log,
    upload: request.upload,
  };
}

function send(reply: FastifyReply, endpoint: Endpoint, result: unknown): FastifyReply {
  // Fastify would send a text as it is, not as JSON.
  if (typeof result === 'string')
    return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(result);
  if (!endpoint.file) return reply.send(result);
  const file = result as FileAnswer;
  const plain = file.name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return reply
    .type(file.mediaType ?? endpoint.file)
    .header(
      'content-disposition',
      `${file.inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    )
    .header('cache-control', 'no-store')
    .send(file.bytes);
}

/** `/api/QuoteEdit/SaveQuoteItem` belongs to QuoteEdit; /Token and /o/token/ to Auth. */
function groupOf(path: string): string {
  return path.startsWith('/api/') ? (path.split('/')[2] ?? 'api') : 'Auth';
}

// Serves the calls of a contract: identifies the caller, checks access and input, runs the answer in one transaction, and serializes it.
import type { Readable } from 'node:stream';
import '@fastify/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actByKey } from '#platform/db/acting-key.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import '#platform/shared/plain-words.ts';
import { AmountOutOfRange } from '#platform/shared/money.ts';
import { hasRole } from '#platform/shared/roles.ts';
import {
  type Access,
  type Contract,
  type Endpoint,
  groupOf,
  isChanging,
  type OutputOf,
  type ParsedInputOf,
  schemasOf,
} from './endpoint.ts';
import { forbidden, HttpError, invalid } from './http-error.ts';
import { ignoredFields } from './ignored-fields.ts';
import { ownPart, sentPart, withoutRecord } from './own-part.ts';
import { originOf } from './origin.server.ts';
import type { Caller, Origin, Services } from './services.server.ts';
import { tooLarge } from './too-large.server.ts';
import { forgetUpload, readUpload, type Upload } from './upload.server.ts';

/** The answer of a call declared with `file`. */
export type FileAnswer = { name: string; bytes: Buffer | Readable; mediaType?: string; inline?: boolean };

export type Context<A extends Access = Access> = {
  /** The transaction of a call that writes, otherwise the database. */
  db: Db;
  user: A extends 'anyone' ? Caller | undefined : Caller;
  services: Services;
  request: FastifyRequest;
  upload: Upload | undefined;
};

/** An answer for every call of the contract; a missing one is a type error. */
export type Answers<C extends Contract> = {
  [K in keyof C]: (
    context: Context<C[K]['access']>,
    input: ParsedInputOf<C[K]>,
  ) => Promise<C[K] extends { file: string } ? FileAnswer : OutputOf<C[K]>>;
};

/** A requested call: its path, its group, whether it may change something, and whether API keys are excluded. */
export type Call = {
  path: string;
  group: string;
  changing: boolean;
  peopleOnly: boolean;
  /** The group whose records its answer shows, if it is not the group of the call. */
  answersOf?: string | undefined;
  /** The call copies what its answer would show, or answers a file, so an API key needs the scope to read that. */
  copies?: boolean | undefined;
};
/** A call that the server serves, and who may make it. */
export type ServedCall = Call & { name: string; access: Access };

declare module 'fastify' {
  interface FastifyInstance {
    services: Services;
    authenticate: (services: Services, authorization: string | undefined, call: Call, from: Origin) => Promise<Caller>;
    /** Every call that the server serves. */
    calls: ServedCall[];
  }
  interface FastifyRequest {
    caller: Caller | undefined;
    upload: Upload | undefined;
    /** Whether the changes of a call that writes were saved. Undefined if it wrote nothing or uses its own transactions. */
    saved: boolean | undefined;
    /** An answer whose work continues sets this if the call may wait. The status is then 202 instead of 200. */
    isAccepted: boolean | undefined;
    /** The input as it was sent, before its schema dropped unknown fields. */
    sent: unknown;
  }
  interface FastifyContextConfig {
    refusal?: Endpoint['refusal'] | undefined;
    /** The media type of a call that answers a file. */
    file?: string | undefined;
  }
}

/** Registers every call of a contract. `requireOpen` throws if the calls are currently closed; it runs once the caller is known. */
export function serve<C extends Contract>(
  app: FastifyInstance,
  contract: C,
  answers: Answers<C>,
  requireOpen?: (db: Db) => Promise<void>,
): void {
  const { services } = app;
  for (const [key, endpoint] of Object.entries(contract)) {
    const { path, access, refusal, rateLimit, bodyLimit, file, mayWait } = endpoint;
    const { input, output } = schemasOf(endpoint);
    const place = endpoint.in === 'query' ? 'querystring' : endpoint.in === 'path' ? 'params' : 'body';
    const { peopleOnly = false, answersOf, copies = file !== undefined } = endpoint;
    const call: Call = { path, group: groupOf(path), changing: isChanging(endpoint), peopleOnly, answersOf, copies };
    app.calls.push({ ...call, name: key, access });
    const answer = answers[key as keyof C] as unknown as (context: Context, input: unknown) => Promise<unknown>;
    app.route({
      method: 'POST',
      url: path,
      config: { refusal, file, rateLimit: rateLimit ? { max: rateLimit } : {} },
      ...(bodyLimit ? { bodyLimit } : {}),
      schema: {
        operationId: key,
        tags: [call.group],
        summary: endpoint.summary ?? '',
        ...(access === 'anyone' ? {} : { security: [{ bearer: [] }] }),
        ...(endpoint.in === 'form' ? { consumes: ['application/x-www-form-urlencoded'] } : {}),
        ...(endpoint.in === 'upload' ? { consumes: ['multipart/form-data'] } : {}),
        [place]: input,
        ...(file ? { produces: [file] } : { response: { 200: output, ...(mayWait ? { 202: output } : {}) } }),
      },
      // A caller without a token never learns what a call expects. The rate limit (onRequest) has already counted this call.
      preParsing: async (request) => {
        if (access !== 'anyone') {
          const from = originOf(request);
          const caller = await app.authenticate(services, request.headers.authorization, call, from);
          request.caller = { ...caller, from };
          if (access !== 'user' && !hasRole(caller, ...access)) throw forbidden();
        }
        await requireOpen?.(services.database.db);
      },
      preValidation: async (request) => {
        if (endpoint.in === 'upload') await readUpload(request, endpoint);
        else if (request.isMultipart()) throw new HttpError(415, 'This call does not accept a multipart form.');
        else if (place === 'body') request.body ??= {};
        request.sent = request[place === 'querystring' ? 'query' : place];
      },
      handler: async (request, reply) => {
        const { caller: user, upload } = request;
        const input = request[place === 'querystring' ? 'query' : place];
        reportIgnored(request, reply, input);
        const run = (db: Db) => answer({ db, user, services, request, upload }, input);
        // A user who exports or uploads a whole list expects to wait.
        const isLong = file === 'text/csv' || endpoint.toDisk;
        const db = isLong ? services.database.longDb : services.database.db;
        const runByKey = async (transaction: Db) => {
          await actByKey(transaction, user?.keyId);
          return run(transaction);
        };
        if (endpoint.writes) request.saved = false;
        const isBlind = user?.mayOnlyWrite === true;
        const result = await (endpoint.writes ? inTransaction(db, runByKey) : run(db)).catch((error: unknown) => {
          if (error instanceof AmountOutOfRange) throw tooLarge(input);
          throw isBlind && error instanceof HttpError ? withoutRecord(error) : error;
        });
        if (endpoint.writes) request.saved = true;
        if (mayWait && request.isAccepted) reply.code(202);
        if (!isBlind) return send(reply, endpoint, result);
        const answered: unknown = typeof result === 'string' ? null : JSON.parse(reply.serialize(result) as string);
        return reply
          .type('application/json')
          .serializer(JSON.stringify)
          .send(ownPart(answered, sentPart(request.sent, input)));
      },
      ...(endpoint.toDisk ? { onResponse: forgetUpload } : {}),
    });
  }
}

/**
 * Reports ignored fields to programs, because no user would notice: in a header of the answer, or by refusing the call if the caller prefers strict
 * handling (RFC 7240).
 */
function reportIgnored(request: FastifyRequest, reply: FastifyReply, input: unknown): void {
  const isStrict = /\bhandling=strict\b/i.test(String(request.headers.prefer ?? ''));
  if (!isStrict && !request.caller?.keyId) return;
  const ignored = ignoredFields(request.sent, input);
  if (ignored.length === 0) return;
  if (isStrict) throw invalid(ignored.map((path) => ({ path, message: `${path} is not a field of this call.` })));
  reply.header('ignored-fields', ignored.map((path) => encodeURIComponent(path.toWellFormed())).join(', '));
}

function send(reply: FastifyReply, endpoint: Endpoint, result: unknown): FastifyReply {
  // Fastify would send a string as plain text, not as JSON.
  if (typeof result === 'string') return reply.type('application/json').serializer(JSON.stringify).send(result);
  if (!endpoint.file) return reply.send(result);
  const { name, bytes, mediaType = endpoint.file, inline } = result as FileAnswer;
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return reply
    .type(mediaType)
    .header(
      'content-disposition',
      `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${exact}`,
    )
    .send(bytes);
}

// Converts anything thrown into a problem document (design 6) that reveals nothing internal.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { databaseRefusal } from '#platform/api/database-refusal.server.ts';
import { HttpError, type Problem } from '#platform/api/http-error.ts';

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Not valid',
  429: 'Too many attempts',
  503: 'Not available',
};

export function problemOf(status: number, detail: string, more: Partial<Problem> = {}): Problem {
  return { type: 'about:blank', title: TITLES[status] ?? 'Error', status, detail, ExceptionMessage: detail, ...more };
}

/** Answers with the error: as a problem document, or in the error shape that the call declares. */
export function answerError(error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply) {
  const problem = hasHungUp(request) ? problemOf(499, 'The client closed the connection.') : problemFor(error, request);
  const { status, detail } = problem;
  const refusal = request.routeOptions.config?.refusal;
  if (status >= 500) request.log.error({ err: error }, 'request failed');
  if (error instanceof HttpError && error.retryAfter) reply.header('retry-after', error.retryAfter);
  reply.type(refusal ? 'application/json' : 'application/problem+json').serializer(JSON.stringify);
  if (!refusal) return reply.code(status).send({ ...problem, requestId: request.id });
  const other = status >= 500 ? 'server_error' : 'invalid_request';
  const oauthCode = error instanceof HttpError && error.code ? error.code : other;
  const more = error instanceof HttpError && error.challenge ? { mfa_token: error.challenge } : {};
  return reply
    .code(status === 415 || status === 422 ? 400 : status)
    .send(refusal === 'detail' ? { detail } : { error: oauthCode, error_description: detail, ...more });
}

/**
 * Returns whether the caller disconnected before the whole request arrived. The error is then not the server's fault, and nobody reads the answer.
 */
function hasHungUp({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/** The maximum number of errors in the sentence. All errors appear under their fields. */
const MAX_LISTED = 10;
const TOO_MANY_PARTS: [number, string] = [413, 'The form has too many parts.'];
const KNOWN: Record<string, [number, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'This request is too large.'],
  FST_REQ_FILE_TOO_LARGE: [413, 'This file is too large.'],
  FST_PARTS_LIMIT: TOO_MANY_PARTS,
  FST_FILES_LIMIT: TOO_MANY_PARTS,
  FST_FIELDS_LIMIT: TOO_MANY_PARTS,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'Send JSON (content-type application/json).'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'The body is not valid JSON.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'The body is empty.'],
};

function problemFor(error: FastifyError | HttpError, request: FastifyRequest): Problem {
  if (error instanceof HttpError) {
    return problemOf(error.status, error.message, {
      ...(error.errors ? { errors: error.errors } : {}),
      ...(error.conflict === undefined ? {} : { conflict: error.conflict }),
    });
  }
  if (error.validation) {
    const errors = error.validation.map((entry) => ({
      path: entry.instancePath.replace(/^\//, '').replaceAll('/', '.'),
      message: entry.message ?? 'Not valid',
    }));
    const sentences = errors
      .slice(0, MAX_LISTED)
      .map((entry) => (entry.path ? `${entry.path}: ${entry.message}` : entry.message));
    if (errors.length > MAX_LISTED) sentences.push(`and ${errors.length - MAX_LISTED} more`);
    return problemOf(422, sentences.join('; '), { errors });
  }
  // Not every thrown value has a string as its code: DOM errors have numbers.
  const thrown: { code?: unknown } = error;
  const code = String(thrown.code);
  const known = KNOWN[code] ?? databaseRefusal(error);
  if (known) return problemOf(...known);
  if (error.statusCode && error.statusCode < 500) return problemOf(error.statusCode, 'This request cannot be read.');
  return problemOf(
    500,
    [
      'Something went wrong on the server.',
      whatWasSaved(request),
      `If you report it, include the number ${request.id}.`,
    ]
      .filter(Boolean)
      .join(' '),
  );
}

/**
 * Returns whether the changes were saved, in a sentence, because an answer can fail after its commit. Returns '' for calls with their own
 * transactions.
 */
function whatWasSaved({ saved }: FastifyRequest): string {
  if (saved === undefined) return '';
  return saved ? 'Your change was saved, but the response was lost. Reload the page.' : 'Nothing was saved.';
}

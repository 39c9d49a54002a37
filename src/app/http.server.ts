// The HTTP server, built without listening: security headers, limits, every call of the contract, the web application's files.
import fs from 'node:fs';
import path from 'node:path';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import fastifyStatic from '@fastify/static';
import swagger from '@fastify/swagger';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { createJsonSchemaTransform, validatorCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { HttpError, type Problem, PlainError } from '#api/http-error.ts';
import { serializer } from '#api/serializer.server.ts';
import type { Services } from '#api/services.server.ts';
import { isUnreachable } from '#db/database.server.ts';
import { demoAccounts } from '#features/demo/demo-accounts.ts';
import { APP_VERSION } from '#shared/app-info.ts';
import { AmountOutOfRange } from '#shared/money.ts';
import { completeDocument, serveApiDocs } from './api-docs.server.ts';
import { serveCalls } from './calls.server.ts';
import { serveHealth } from './health.server.ts';
import { problemOf } from './problem.server.ts';

const WEB = path.join(import.meta.dirname, '../../dist/web');
const BODY_LIMIT = 1024 * 1024;

export type HttpOptions = {
  logger: Logger;
  /** Checks every answer against its schema before it leaves (tests); otherwise answers are written by schema, unchecked. */
  checkAnswers?: boolean;
};

/** Builds the server on its services. It does not listen. */
export async function buildServer(services: Services, options: HttpOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestIdHeader: false,
    genReqId: () => crypto.randomUUID(),
    trustProxy: (_address, hop) => hop < services.config.trustProxy,
    routerOptions: { maxParamLength: 200 },
    // A request that trickles in is given up; the largest upload on a slow line is not.
    requestTimeout: 300_000,
    // While stopping, requests in flight end, one that still comes on their connections is answered, and idle connections are closed.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // An address that cannot even be read never gets to the hooks below.
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply);
      logRequest(request, reply, () => {});
    },
  }) as unknown as FastifyInstance;
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializer(options.checkAnswers ?? false));
  app.decorate('services', services);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('upload', undefined);

  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void app.getDefaultJsonParser('error', 'error')(request, body as string, done);
  });
  // `fetch` with an empty text names it text/plain: nothing is nothing, under whatever name.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') done(null, undefined);
    else done(new HttpError(415, 'Send JSON (content-type application/json).'));
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // Mantine positions pop-ups by style attributes and sets its variables in a style element.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        frameSrc: ['blob:'],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    hsts: services.config.publicUrl.startsWith('https:'),
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  });
  app.addHook('onRequest', (request, reply, done) => {
    // What answers say is for one person, unless the answer says otherwise; the id is the one of the log.
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=()');
    done();
  });
  app.addHook('onResponse', logRequest);
  let stopping = false;
  app.addHook('preClose', (done) => {
    stopping = true;
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Else its connection would be kept open, and the server with it.
    if (stopping) reply.header('connection', 'close');
    done();
  });
  // Before the limit on calls: what a prober asks and a browser keeps for good is not counted.
  serveHealth(app);
  if (hasPages()) await serveAssets(app);
  await app.register(rateLimit, {
    max: services.config.rateLimit,
    timeWindow: '1 minute',
    errorResponseBuilder: (_request, context) =>
      new HttpError(429, `Too many tries. Try again in ${context.after}.`, {
        retryAfter: Math.ceil(context.ttl / 1000),
      }),
  });
  await app.register(formbody);
  await app.register(multipart);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: services.config.appTitle, version: APP_VERSION },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: createJsonSchemaTransform({ skipList: [] }),
    transformObject: completeDocument,
  });

  app.setErrorHandler(answerError);
  serveCalls(app);
  serveApiDocs(app);
  servePages(app, services);
  return app;
}

/** One line a request: no bodies, no query (it may hold an address), no token. */
function logRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const line = {
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    user: request.caller?.id,
  };
  if (reply.statusCode >= 500) request.log.error(line, 'request');
  else request.log.info(line, 'request');
  done();
}

/** Turns whatever was thrown into a problem document (design 6). Nothing of the inside leaves with it. */
function answerError(
  error: FastifyError | HttpError | PlainError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof PlainError) {
    if (error.retryAfter) reply.header('retry-after', error.retryAfter);
    return reply.code(error.status).type('application/json').serializer(JSON.stringify).send(error.body);
  }
  const problem = problemFor(error, request);
  if (problem.status >= 500) request.log.error({ err: error }, 'request failed');
  if (error instanceof HttpError && error.retryAfter) reply.header('retry-after', error.retryAfter);
  return reply
    .code(problem.status)
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send({ ...problem, requestId: request.id });
}

const KNOWN: Record<string, [number, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'This is too large to send.'],
  FST_REQ_FILE_TOO_LARGE: [413, 'This file is too large.'],
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
    const errors = error.validation.map((one) => ({
      path: one.instancePath.replace(/^\//, '').replaceAll('/', '.'),
      message: one.message ?? 'Not valid',
    }));
    const detail = errors.map((one) => (one.path ? `${one.path}: ${one.message}` : one.message)).join('; ');
    return problemOf(422, detail, { errors });
  }
  const known = KNOWN[error.code];
  if (known) return problemOf(...known);
  if (error instanceof AmountOutOfRange) return problemOf(422, error.message);
  if (error.code?.startsWith('22')) return problemOf(422, 'A value is outside what can be stored.');
  if (isUnreachable(error)) {
    return problemOf(503, 'The database cannot be reached just now. Try again in a moment.');
  }
  if (error.statusCode && error.statusCode < 500) return problemOf(error.statusCode, 'This request cannot be read.');
  return problemOf(
    500,
    `Something went wrong on the server. Nothing was saved. Quote the number ${request.id} when you report it.`,
  );
}

function hasPages(): boolean {
  return fs.existsSync(path.join(WEB, 'index.html'));
}

/** The built application's files, whose names change with their content. */
async function serveAssets(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: path.join(WEB, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
  });
}

/** index.html with the configuration in it for every route of the browser; 404 for everything else. */
function servePages(app: FastifyInstance, services: Services): void {
  const index = hasPages() ? withConfig(fs.readFileSync(path.join(WEB, 'index.html'), 'utf8'), services) : undefined;
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request, reply) => {
    const wantsPage =
      (request.method === 'GET' || request.method === 'HEAD') && !/^\/(api|o|assets)\//.test(request.url);
    if (wantsPage && index) return reply.type('text/html').header('cache-control', 'no-cache').send(index);
    return answerError(new HttpError(404, 'There is nothing at this address.'), request, reply);
  });
}

function withConfig(html: string, { config }: Services): string {
  const settings = JSON.stringify({
    title: config.appTitle,
    companyName: config.companyName,
    clientId: config.clientId,
    clientSecret: config.clientSecret,
    internalSite: config.internalSite,
    demo: config.demo
      ? { password: config.demoPassword, accounts: demoAccounts.map(({ userName, what }) => ({ userName, what })) }
      : null,
  }).replaceAll('<', '\\u003c');
  return html
    .replace(
      /<title>[^<]*<\/title>/,
      () => `<title>${config.appTitle.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>`,
    )
    .replace(/(<script type="application\/json" id="app-config">)[^<]*/, (_match, open: string) => open + settings);
}

// Builds the HTTP server without listening: security headers, limits, every call of the contract, and the files of the web application.
import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import path from 'node:path';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { createJsonSchemaTransform, validatorCompiler } from 'fastify-type-provider-zod';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { switchedOff } from '#platform/addons/addon.server.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { serializer } from '#platform/api/serializer.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import { loadCompany, pricePlacesOf } from '#platform/company/company.server.ts';
import { currentLogo } from '#platform/company/logo.server.ts';
import { demoAccounts } from '#demo/demo-accounts.server.ts';
import { serveLive } from '#platform/live/live.server.ts';
import { networkOf } from '#platform/auth/passwords/lock-out.server.ts';
import { shownSignOn } from '#addons/single-sign-on/provider.server.ts';
import { originOfTiles } from '#platform/outside/config.server.ts';
import { isTracing } from '#platform/outside/trace.server.ts';
import { APP_VERSION } from '#platform/shared/app-info.ts';
import type { Logo } from '#platform/shared/logo.ts';
import type { PricePlaces } from '#platform/shared/money.ts';
import { completeDocument, serveApiDocs } from './api-docs.server.ts';
import { serveAssets } from './assets.server.ts';
import { serveCalls } from './calls.server.ts';
import { serveHealth } from './health.server.ts';
import { serveMetrics } from './metrics.server.ts';
import { noteRequests } from './log-refusals.server.ts';
import { answerError } from './problem.server.ts';
import { styleNonce } from './style-nonce.server.ts';
import { traceRequests } from './trace-requests.server.ts';

const WEB = path.join(import.meta.dirname, '../../dist/web');
const BODY_LIMIT = 1024 * 1024;

export type HttpOptions = {
  logger: Logger;
  /** Validates every answer against its schema before it is sent (tests). Otherwise the schema only shapes the answer. */
  checkAnswers?: boolean;
  /** Returns whether the server is about to stop. It still answers, but reports that it is not ready. */
  isStopping: () => boolean;
  /** Returns whether its port is closed. Each answer is then the last on its connection. */
  isLeaving: () => boolean;
};

/** Builds the server from its services. It is not listening yet. */
export async function buildServer(services: Services, options: HttpOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestIdHeader: false,
    genReqId: () => crypto.randomUUID(),
    trustProxy: (_address, hop) => hop < services.config.trustProxy,
    routerOptions: { maxParamLength: 200 },
    // Ends a request that arrives too slowly, but leaves time for the largest upload over a slow line.
    requestTimeout: 300_000,
    // While stopping, open requests finish, new requests on their connections are answered, and idle connections close.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // A request with an unreadable address never reaches the hooks below.
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
  app.decorateRequest('saved', undefined);
  app.decorateRequest('isAccepted', undefined);
  app.decorateRequest('sent', undefined);

  app.removeContentTypeParser(['application/json', 'text/plain']);
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const charset = /charset\s*=\s*"?([^\s";]*)/i.exec(request.headers['content-type'] ?? '')?.[1];
    // Text in another encoding would be stored with broken characters.
    if (charset && !/^utf-?8$/i.test(charset)) done(new HttpError(415, 'Send JSON in UTF-8.'));
    else if (!isUtf8(body as Buffer)) done(new HttpError(400, 'The body is not UTF-8.'));
    else if (body.length === 0) done(null, undefined);
    else void parseJson(request, body.toString(), done);
  });
  // `fetch` labels an empty string text/plain. An empty body is treated as empty whatever its type.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') done(null, undefined);
    else done(new HttpError(415, 'Send JSON (content-type application/json).'));
  });
  const headers = securityHeaders(services);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    // By default an answer is for one user only. The log has the same id.
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    done();
  });
  if (isTracing()) traceRequests(app);
  noteRequests(app);
  app.addHook('onResponse', logRequest);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Without this header the connection would stay open and keep the server alive.
    if (options.isLeaving()) reply.header('connection', 'close');
    done();
  });
  // Registered before the rate limit, so that probes and permanently cached files are not counted.
  serveHealth(app, options.isStopping);
  serveMetrics(app);
  if (hasPages()) serveAssets(app, path.join(WEB, 'assets'));
  await app.register(rateLimit, {
    max: services.config.rateLimit,
    timeWindow: '1 minute',
    keyGenerator: (request) => networkOf(request.ip),
    errorResponseBuilder: (_request, context) =>
      new HttpError(429, `Too many attempts. Try again in ${context.after}.`, {
        retryAfter: Math.ceil(context.ttl / 1000),
      }),
  });
  await app.register(formbody);
  await app.register(multipart);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: services.config.appTitle, version: APP_VERSION },
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description:
              'The access token of a signed-in user, or the API key (qbk_…) of a program. Each scope of a key is a group of calls plus read or write, such as QuoteSearch:read.',
          },
        },
      },
    },
    transform: createJsonSchemaTransform({ skipList: [] }),
    transformObject: completeDocument,
  });

  app.setErrorHandler(answerError);
  serveCalls(app);
  serveLive(app, options.isStopping);
  serveApiDocs(app);
  servePages(app, services);
  return app;
}

/** Returns the headers that are the same for every answer, so they are computed once. A page adds a nonce for its style elements (styleNonce). */
function securityHeaders(services: Services): Record<string, string> {
  const headers: Record<string, string> = {
    // Find My Rep requests the position when the user presses a button. Pages change without a new document, so every document allows it.
    'permissions-policy': 'camera=(), geolocation=(self), microphone=()',
  };
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...tileSources(services)],
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
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  set(response.req, response, (error) => {
    if (error) throw error;
  });
  for (const [name, value] of Object.entries(response.getHeaders())) headers[name] = String(value);
  return headers;
}

/** Logs one line per request, without bodies, query (it may contain an address) or token. */
function logRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const line = {
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    user: request.caller?.id,
    key: request.caller?.keyId,
  };
  if (reply.statusCode >= 500) request.log.error(line, 'request');
  else request.log.info(line, 'request');
  done();
}

function hasPages(): boolean {
  return fs.existsSync(path.join(WEB, 'index.html'));
}

/** Answers every browser route with index.html including the configuration, and everything else with 404. */
function servePages(app: FastifyInstance, services: Services): void {
  const index = hasPages() ? fs.readFileSync(path.join(WEB, 'index.html'), 'utf8') : undefined;
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, async (request, reply) => {
    const wantsPage =
      (request.method === 'GET' || request.method === 'HEAD') && !/^\/(api|o|assets)\//.test(request.url);
    if (wantsPage && index) {
      const settings = { ...(await companyNow(services)), styleNonce: styleNonce(reply) };
      const page = withConfig(index, services, settings);
      return reply.type('text/html').header('cache-control', 'no-cache').send(page);
    }
    return answerError(new HttpError(404, 'Nothing was found at this address.'), request, reply);
  });
}

type CompanyNow = {
  companyName: string;
  logo: Logo | null;
  timeZone: string;
  pricePlaces: PricePlaces;
  signOn: { button: string; localOff: boolean } | null;
  switchedOff: string[];
};

/** Returns the current company settings, or defaults: a page that reports an unreachable database is better than no page. */
async function companyNow({ database: { db }, config }: Services): Promise<CompanyNow> {
  try {
    const company = await loadCompany(db);
    const { name, time_zone: timeZone } = company;
    const [logo, signOn] = [await currentLogo(db), await shownSignOn(db)];
    const off = [...(await switchedOff(db))];
    return { companyName: name, logo, timeZone, pricePlaces: pricePlacesOf(company), signOn, switchedOff: off };
  } catch {
    return { companyName: config.companyName, logo: null, timeZone: '', pricePlaces: 2, signOn: null, switchedOff: [] };
  }
}

function tileSources({ config }: Services): string[] {
  const origin = config.mapTiles && originOfTiles(config.mapTiles.url);
  return origin ? [origin] : [];
}

function withConfig(html: string, { config }: Services, company: CompanyNow & { styleNonce: string }): string {
  const settings = JSON.stringify({
    title: config.appTitle,
    ...company,
    clientId: config.clientId,
    clientSecret: config.clientSecret,
    internalSite: config.internalSite,
    mapTiles: config.mapTiles ?? null,
    pictureCloud: config.cloudinaryUrl !== undefined,
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

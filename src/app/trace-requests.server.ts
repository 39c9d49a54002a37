// Records a span for each request: method, route and status, but no address, query or user.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { beginSpan, type Span } from '#platform/outside/trace.server.ts';

export function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  const inside = (request: FastifyRequest, done: () => void) => (spans.get(request)?.run ?? ((work) => work()))(done);
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, headers } = request;
    const route = routeOptions.url ?? 'unknown';
    const attributes = { 'http.request.method': method, 'http.route': route };
    const span = beginSpan(`${method} ${route}`, 'server', attributes, { from: headers['traceparent'] });
    if (span) spans.set(request, span);
    inside(request, done);
  });
  // Reading a body loses the context of the span, so this hook restores it.
  app.addHook('preValidation', (request, _reply, done) => inside(request, done));
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.set({ 'http.response.status_code': reply.statusCode });
    span?.end(reply.statusCode >= 500 ? String(reply.statusCode) : undefined);
    done();
  });
}

// Serves the stream of changes (specification of the events: live.contract.ts).
import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { HttpError } from '#platform/api/http-error.ts';
import { originOf } from '#platform/api/origin.server.ts';
import { type LiveEvent, LIVE_PATH } from './live.contract.ts';
import { type Listener, openLiveHub } from './live-hub.server.ts';

/** Proxies cut connections that are silent for longer. */
const HEARTBEAT_MS = 20_000;
/** A reader that leaves this much unread is cut off. It reconnects and reads again. */
const MAX_UNREAD = 256 * 1024;
/** A user has several devices, and each browser has one stream. */
const MAX_STREAMS_PER_USER = 20;

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the number of open streams. */
    liveStreams: () => number;
  }
}

/** Registers the stream, which ends when the server closes. While `isStopping` returns true, new clients must connect to another server. */
export function serveLive(app: FastifyInstance, isStopping: () => boolean): void {
  const { services } = app;
  const hub = openLiveHub(services);
  const call = { path: LIVE_PATH, group: 'Live', changing: false, peopleOnly: true };
  app.decorate('liveStreams', hub.count);
  app.addHook('preClose', hub.stop);
  const streamsOf = new Map<number, number>();
  app.get(
    LIVE_PATH,
    {
      schema: {
        operationId: 'GetLive',
        tags: ['Live'],
        summary: 'Which records changed, as a stream of events: kind, id and version of what this person may see.',
        security: [{ bearer: [] }],
        produces: ['text/event-stream'],
      },
    },
    async (request, reply) => {
      const from = originOf(request);
      const { authorization } = request.headers;
      const caller = async () => app.authenticate(services, authorization, call, from);
      const { id: userId, sessionId } = await caller();
      if (isStopping()) throw new HttpError(503, 'The server is stopping.');
      const streams = streamsOf.get(userId) ?? 0;
      if (streams >= MAX_STREAMS_PER_USER) throw new HttpError(429, 'Too many open streams.');
      const stream = new PassThrough();
      const write = (event: LiveEvent, data: unknown) => {
        if (stream.readableLength > MAX_UNREAD) stream.destroy();
        else stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      };
      const listener: Listener = {
        sessionId: sessionId ?? '',
        caller,
        facts: (facts) => write('facts', facts),
        here: (here) => write('here', here),
        bye: (why) => {
          write('bye', why);
          stream.end();
        },
      };
      await hub.join(listener);
      streamsOf.set(userId, streams + 1);
      const heart = setInterval(() => stream.write(':\n\n'), HEARTBEAT_MS);
      stream.once('close', () => {
        clearInterval(heart);
        hub.leave(listener);
        const left = (streamsOf.get(userId) ?? 1) - 1;
        if (left > 0) streamsOf.set(userId, left);
        else streamsOf.delete(userId);
      });
      write('hello', {});
      return reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(stream);
    },
  );
}

// Tells the security log what callers were refused and which lists they exported.
import type { FastifyInstance } from 'fastify';
import { noteSecurity } from '#platform/security-events/note-security-event.server.ts';

/** The files that hold whole lists. */
const LISTS = ['text/csv', 'application/zip'];

export function noteRequests(app: FastifyInstance): void {
  // Before the answer leaves: whoever breaks off a download has part of it.
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { caller, routeOptions } = request;
    const isExport = reply.statusCode === 200 && LISTS.includes(routeOptions.config.file ?? '');
    if (caller && (reply.statusCode === 403 || isExport)) {
      const { id, keyId = null, fullName, userName, from } = caller;
      noteSecurity(app.services, {
        ...(isExport ? { kind: 'Export', action: 'Exported' } : { kind: 'Refused', action: 'Forbidden' }),
        userId: id,
        keyId,
        who: fullName,
        account: userName,
        from,
        call: routeOptions.url ?? '',
      });
    }
    done();
  });
}

// Records in the security log which calls were refused to callers and which lists they exported.
import type { FastifyInstance } from 'fastify';
import { noteSecurity } from '#platform/security-events/note-security-event.server.ts';

/** The media types of files that contain whole lists. */
const LISTS = ['text/csv', 'application/zip'];

export function noteRequests(app: FastifyInstance): void {
  // Runs before the answer is sent, because even an aborted download contains part of the list.
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

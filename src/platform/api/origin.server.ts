// Where a request comes from, for the security log.
import type { FastifyRequest } from 'fastify';
import type { Origin } from './services.server.ts';

/** A caller who hung up has no address. */
export function originOf({ ip, headers }: Pick<FastifyRequest, 'headers'> & { ip?: string | undefined }): Origin {
  return { address: ip ?? '', userAgent: headers['user-agent'] ?? '' };
}

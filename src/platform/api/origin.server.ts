// Determines where a request comes from, for the security log.
import type { FastifyRequest } from 'fastify';
import type { Origin } from './services.server.ts';

/** The address is empty if the caller has disconnected. */
export function originOf({ ip, headers }: Pick<FastifyRequest, 'headers'> & { ip?: string | undefined }): Origin {
  return { address: ip ?? '', userAgent: headers['user-agent'] ?? '' };
}

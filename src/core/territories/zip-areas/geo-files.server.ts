// Serves the area files of the map. The content at an address never changes.
import type { FastifyInstance } from 'fastify';
import { encodingsOf } from '#platform/api/encodings.server.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { geoFile, unpacked } from './area-set.server.ts';

/** The address of a file of a version. */
export function geoUrl(sha: string, name: string): string {
  return `/geo/${sha}/${name}.json`;
}

/**
 * GET /geo/{sha}/{state}.json serves the topology of a state's ZIP areas. us.json contains the outlines. The files are public and do not mention
 * territories, so anyone may read and cache them. They are exempt from the rate limit, because a map of the country loads 57.
 */
export function serveGeoFiles(app: FastifyInstance): void {
  app.get<{ Params: { sha: string; file: string } }>(
    '/geo/:sha/:file',
    { schema: { hide: true }, config: { rateLimit: false } },
    async (request, reply) => {
      const { sha, file } = request.params;
      const small = await geoFile(app.services.database.db, sha, file);
      if (!small) throw new HttpError(404, 'There are no ZIP areas at this address. Load the map again.');
      const etag = `W/"${sha}-${file}"`;
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('vary', 'accept-encoding')
        .header('etag', etag);
      if (request.headers['if-none-match']?.split(',').some((tag) => tag.trim() === etag))
        return reply.code(304).send();
      reply.type('application/json');
      if (encodingsOf(request.headers['accept-encoding']).has('gzip')) {
        return reply.header('content-encoding', 'gzip').send(small);
      }
      return reply.send(await unpacked(small));
    },
  );
}

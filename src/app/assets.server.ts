// Serves the files of the built application. Their names change with their content, so they are read once and sent from memory.
import fs from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { encodingsOf } from '#platform/api/encodings.server.ts';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
/** The encodings in which the build also writes each file (vite.config.ts), the smallest first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Serves the files of a folder under /assets/. Browsers cache them permanently. */
export function serveAssets(app: FastifyInstance, folder: string): void {
  const files = new Map(fs.readdirSync(folder).map((name) => [name, fs.readFileSync(path.join(folder, name))]));
  app.get<{ Params: { name: string } }>('/assets/:name', { schema: { hide: true } }, (request, reply) => {
    const { name } = request.params;
    const type = TYPES[path.extname(name)];
    const whole = files.get(name);
    if (!type || !whole) return reply.callNotFound();
    reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').header('vary', 'accept-encoding');
    const taken = encodingsOf(request.headers['accept-encoding']);
    for (const [encoding, ending] of ENCODINGS) {
      const small = files.get(name + ending);
      if (small && taken.has(encoding)) return reply.header('content-encoding', encoding).send(small);
    }
    return reply.send(whole);
  });
}

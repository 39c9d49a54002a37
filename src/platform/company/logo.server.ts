// The company's logo: the current one, the bytes of every earlier one, and the address that pages load it from.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { notFound } from '#platform/api/http-error.ts';
import type { Services } from '#platform/api/services.server.ts';
import { lost, readStored } from '#platform/api/stored-file.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { FileMissingError } from '#platform/outside/file-store.server.ts';
import type { Logo } from '#platform/shared/logo.ts';

/** Returns the logo for everything sent from now on. */
export async function currentLogo(db: Db): Promise<Logo | null> {
  const row = await db
    .selectFrom('company')
    .innerJoin('company_logo', 'company_logo.id', 'company.logo_id')
    .select(['company_logo.id', 'company_logo.width', 'company_logo.height'])
    .executeTakeFirst();
  return row ?? null;
}

export function logoId(picture: Buffer): string {
  return createHash('sha256').update(picture).digest('base64url');
}

/** Returns the picture of a logo, or undefined, with a warning in the log, if it is lost or altered. Rejects if the store does not answer. */
export async function logoPicture(
  db: Db,
  { files, log }: Pick<Services, 'files' | 'log'>,
  id: string,
): Promise<Buffer | undefined> {
  const key = await logoKey(db, id);
  const picture =
    key &&
    (await files.get(key).catch((error: unknown) => {
      if (!(error instanceof FileMissingError)) throw error;
    }));
  if (picture && logoId(picture) === id) return picture;
  log.warn({ logo: id, key }, 'the file store has lost a logo');
  return undefined;
}

/**
 * GET /files/logos/{id}: a logo, for anyone who has its address, because every quote shows it. An id always shows the same picture. Answers 404 if
 * there never was such a logo, and 410 if its file is lost.
 */
export function serveLogos(app: FastifyInstance): void {
  const { services } = app;
  app.get<{ Params: { id: string } }>('/files/logos/:id', { schema: { hide: true } }, async (request, reply) => {
    const { id } = request.params;
    const key = await logoKey(services.database.db, id);
    if (!key) throw notFound('logo');
    const picture = await readStored(services, key, 'logo');
    if (logoId(picture) !== id) throw lost(services, key, 'logo');
    return reply.type('image/png').header('cache-control', 'public, max-age=31536000, immutable').send(picture);
  });
}

async function logoKey(db: Db, id: string): Promise<string | undefined> {
  const file = await db
    .selectFrom('company_logo')
    .innerJoin('file', 'file.id', 'company_logo.file_id')
    .select('file.storage_key')
    .where('company_logo.id', '=', id)
    .executeTakeFirst();
  return file?.storage_key;
}

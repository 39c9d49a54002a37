// Serves the pictures of a sent quote to anyone who has the quote's address.
import type { FastifyInstance } from 'fastify';
import { notFound } from '#platform/api/http-error.ts';
import { readStored } from '#platform/api/stored-file.server.ts';
import { DOC_ID } from './quote-doc.contract.ts';

const LARGEST_ID = 2_147_483_647;

/**
 * GET /files/quotes/{docId}/{fileId}: a picture that was sent with the revision, even if it has been hidden since. Returns 404 for any other file or
 * a revoked address, and 410 for a lost file. Browsers cache it, and check each time whether the address is still valid.
 */
export function serveSentPictures(app: FastifyInstance): void {
  const { services } = app;
  const options = { schema: { hide: true }, config: { rateLimit: false as const } };
  app.get<{ Params: { docId: string; fileId: string } }>(
    '/files/quotes/:docId/:fileId',
    options,
    async ({ params, headers }, reply) => {
      const fileId = Number(params.fileId);
      if (!DOC_ID.test(params.docId) || !Number.isInteger(fileId) || fileId > LARGEST_ID) throw notFound('picture');
      const file = await services.database.db
        .selectFrom('quote_revision')
        .innerJoin('quote_revision_picture as shown', 'shown.quote_revision_id', 'quote_revision.id')
        .innerJoin('file', 'file.id', 'shown.file_id')
        .select(['file.storage_key', 'file.media_type'])
        .where('quote_revision.doc_id', '=', params.docId)
        .where('quote_revision.revoked_at', 'is', null)
        .where('shown.file_id', '=', fileId)
        .executeTakeFirst();
      if (!file) throw notFound('picture');
      const etag = `"${fileId}"`;
      const isThere = headers['if-none-match'] === etag;
      const picture = isThere ? undefined : await readStored(services, file.storage_key, 'picture');
      void reply.header('cache-control', 'private, no-cache').header('etag', etag);
      return isThere ? reply.code(304).send() : reply.type(file.media_type).send(picture);
    },
  );
}

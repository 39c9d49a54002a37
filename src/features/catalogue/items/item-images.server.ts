// Pictures of items: who may see them, and their addresses, signed because an <img> cannot send a token.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { notFound } from '#api/http-error.ts';
import type { Caller, Services } from '#api/services.server.ts';
import { readStored } from '#api/stored-file.server.ts';
import type { Db } from '#db/database.server.ts';

const HALF_DAY = 12 * 60 * 60;

/**
 * The address of a stored picture, valid for 12 to 24 hours and stable for 12, so that browsers keep what they loaded. Whoever has
 * the address sees the picture: give it only to those who may.
 */
export function imageUrl(services: Pick<Services, 'config' | 'clock'>, fileId: number): string {
  const now = services.clock.now().getTime() / 1000;
  const until = (Math.floor(now / HALF_DAY) + 2) * HALF_DAY;
  return `/files/images/${fileId}?until=${until}&sig=${signature(services, fileId, until)}`;
}

function signature({ config }: Pick<Services, 'config'>, fileId: number, until: number): string {
  return createHmac('sha256', config.tokenSecret).update(`image ${fileId} ${until}`).digest('base64url');
}

/** GET /files/images/{fileId}: the picture, if we signed the address and it has not expired, else 404; 410 when its file is lost. */
export function serveItemImages(app: FastifyInstance): void {
  const { services } = app;
  app.get<{ Params: { fileId: string }; Querystring: { until?: string; sig?: string } }>(
    '/files/images/:fileId',
    { schema: { hide: true }, config: { rateLimit: false } },
    async (request, reply) => {
      const fileId = Number(request.params.fileId);
      const until = Number(request.query.until);
      const signed = Buffer.from(signature(services, fileId, until));
      const given = Buffer.from(request.query.sig ?? '');
      const isOurs = signed.length === given.length && timingSafeEqual(signed, given);
      if (!isOurs || until * 1000 < services.clock.now().getTime()) throw notFound('picture');
      const file = await services.database.db
        .selectFrom('file')
        .select(['storage_key', 'media_type'])
        .where('id', '=', fileId)
        .where('media_type', 'like', 'image/%')
        .executeTakeFirst();
      if (!file) throw notFound('picture');
      // Read before sending headers, so that no browser caches the answer for a lost picture.
      const picture = await readStored(services, file.storage_key, 'picture');
      return reply.type(file.media_type).header('cache-control', 'private, max-age=86400, immutable').send(picture);
    },
  );
}

type Viewer = Pick<Caller, 'roles'>;

/** Condition for the pictures this person may see: a picture is hidden when all roles of the person are barred from it. */
function mayBeSeenBy(user: Viewer) {
  return sql<boolean>`(product_image.hidden_roles = '{}' or not (${user.roles}::text[] <@ product_image.hidden_roles))`;
}

/** The file of the first picture an item of the query `item` shows to this person, or null: a column to select. */
export function firstPicture(user: Viewer) {
  return sql<number | null>`(select coalesce(product_image.thumb_file_id, product_image.file_id) from product_image
    where product_image.product_id = item.product_id and ${mayBeSeenBy(user)}
    order by product_image.position, product_image.id limit 1)`;
}

/** The address of the first picture each item shows to this person, by item id; items without one are left out. */
export async function thumbnailUrls(
  db: Db,
  services: Pick<Services, 'config' | 'clock'>,
  user: Viewer,
  itemIds: number[],
): Promise<Map<number, string>> {
  if (itemIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('item')
    .select(['item.id', firstPicture(user).as('fileId')])
    .where('item.id', '=', sql<number>`any(${itemIds}::int[])`)
    .where('item.product_id', 'is not', null)
    .execute();
  return new Map(
    rows.flatMap(({ id, fileId }) => (fileId === null ? [] : [[id, imageUrl(services, fileId)] as const])),
  );
}

/** The pictures of a product this person may see, in their order. */
export async function imagesOf(db: Db, services: Pick<Services, 'config' | 'clock'>, user: Viewer, productId: number) {
  const rows = await db
    .selectFrom('product_image')
    .select(['id', 'file_id', 'thumb_file_id'])
    .where('product_id', '=', productId)
    .where(mayBeSeenBy(user))
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map(({ id, file_id, thumb_file_id }) => ({
    id,
    url: imageUrl(services, file_id),
    thumbUrl: imageUrl(services, thumb_file_id ?? file_id),
  }));
}

/** The file of one picture, or 404 when there is none this person may see. */
export async function imageFile(db: Db, user: Viewer, id: number) {
  const file = await db
    .selectFrom('product_image')
    .innerJoin('file', 'file.id', 'product_image.file_id')
    .select(['file.storage_key', 'file.name', 'file.media_type'])
    .where('product_image.id', '=', id)
    .where(mayBeSeenBy(user))
    .executeTakeFirst();
  if (!file) throw notFound('picture');
  return file;
}

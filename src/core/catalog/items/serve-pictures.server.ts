// Serves pictures of items to users who may see them. Their addresses are signed, because an <img> cannot send a token.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { notFound } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import { readStored } from '#platform/api/stored-file.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { acceptedSecrets } from '#platform/outside/sealed.server.ts';
import { ROLES } from '#platform/shared/roles.ts';
import { mayBeSeenBy } from './choose-pictures.server.ts';

/** The longest side in pixels: in lists, on pages, and for the picture alone. */
type ImageSize = '160' | '640' | '1600';

const HALF_DAY = 12 * 60 * 60;

type Signer = Pick<Services, 'config' | 'clock'>;
type Viewer = Pick<Caller, 'id' | 'roles'>;
/** The kind of picture: one in its place on a product, or one in the inbox without a place. */
type Shown = 'images' | 'pictures';

/**
 * The address of a product's picture for one user, valid for 12 to 24 hours and stable for 12. On each request the server checks what the user's
 * roles may see.
 */
export function imageUrl(services: Signer, user: Pick<Caller, 'id'>, imageId: number, size: ImageSize): string {
  return signedAddress(services, user, 'images', imageId, size);
}

/** Like `imageUrl`, for a picture without a place on a product, by the picture's id. Only for users who manage pictures. */
export function pictureUrl(services: Signer, user: Pick<Caller, 'id'>, pictureId: number, size: ImageSize): string {
  return signedAddress(services, user, 'pictures', pictureId, size);
}

function signedAddress(
  services: Signer,
  { id: userId }: Pick<Caller, 'id'>,
  visible: Shown,
  id: number,
  size: ImageSize,
) {
  const now = services.clock.now().getTime() / 1000;
  const until = (Math.floor(now / HALF_DAY) + 2) * HALF_DAY;
  const sig = signature(services.config.tokenSecret, [visible, id, size, userId, until]);
  return `/files/${visible}/${id}/${size}?for=${userId}&until=${until}&sig=${sig}`;
}

function signature(secret: string, parts: readonly (string | number)[]): string {
  return createHmac('sha256', secret)
    .update(`picture ${parts.join(' ')}`)
    .digest('base64url');
}

type Found = { id: number; storage_key: string; media_type: string };
type Asked = {
  Params: { id: string; size: string };
  Querystring: { for?: string; until?: string; sig?: string };
};

/**
 * GET /files/images/{id}/{size} and /files/pictures/{id}/{size}: returns the picture if we signed the address, it has not expired, and the user it
 * was made for may see the picture now. Otherwise 404. Returns 410 if its file is lost. Browsers cache the picture and check each time whether they
 * may still show it.
 */
export function serveItemImages(app: FastifyInstance): void {
  const options = { schema: { hide: true }, config: { rateLimit: false as const } };
  app.get<Asked>('/files/images/:id/:size', options, (request, reply) =>
    send(
      app.services,
      'images',
      request,
      reply,
      ({ id, size, userId }) =>
        sql<Found>`select file.id, file.storage_key, file.media_type
        from product_image left join picture on picture.id = product_image.picture_id
        join file on file.id = ${fileOf(size)}
        where product_image.id = ${id} and ${mayBeSeenIn(rolesNow(userId))}`,
    ),
  );
  app.get<Asked>('/files/pictures/:id/:size', options, (request, reply) =>
    send(
      app.services,
      'pictures',
      request,
      reply,
      ({ id, size, userId }) =>
        sql<Found>`select file.id, file.storage_key, file.media_type
        from picture join file on file.id = ${pictureFileOf(size)}
        where picture.id = ${id} and picture.state <> 'Filed' and ${rolesNow(userId)} && '{systemadmin,salesadmin}'::text[]`,
    ),
  );
}

async function send(
  services: Services,
  visible: Shown,
  { params, query, headers }: FastifyRequest<Asked>,
  reply: FastifyReply,
  file: (asked: { id: number; size: string; userId: number }) => ReturnType<typeof sql<Found>>,
): Promise<FastifyReply> {
  const [id, userId, until] = [Number(params.id), Number(query.for), Number(query.until)];
  const sentSignature = Buffer.from(query.sig ?? '');
  const isOurs = acceptedSecrets(services.config).some((secret) => {
    const signed = Buffer.from(signature(secret, [visible, id, params.size, userId, until]));
    return signed.length === sentSignature.length && timingSafeEqual(signed, sentSignature);
  });
  if (!isOurs || until * 1000 < services.clock.now().getTime()) throw notFound('picture');
  const { rows } = await file({ id, size: params.size, userId }).execute(services.database.db);
  const [result] = rows;
  if (!result) throw notFound('picture');
  const etag = `"${result.id}"`;
  const isThere = headers['if-none-match'] === etag;
  // Read the file before sending headers, so that no browser caches the response for a lost picture.
  const picture = isThere ? undefined : await readStored(services, result.storage_key, 'picture');
  void reply.header('cache-control', 'private, no-cache').header('etag', etag);
  return isThere ? reply.code(304).send() : reply.type(result.media_type).send(picture);
}

/** The file of a given size for a place on a product. */
function fileOf(size: string) {
  if (size === '160') return sql`coalesce(product_image.thumb_file_id, product_image.file_id)`;
  return size === '640' ? sql`product_image.file_id` : sql`coalesce(picture.large_file_id, product_image.file_id)`;
}

/** The file of a given size for a picture without a place. */
function pictureFileOf(size: string) {
  if (size === '160') return sql`picture.thumb_file_id`;
  return size === '640' ? sql`picture.medium_file_id` : sql`picture.large_file_id`;
}

/** The current roles of an active user. */
function rolesNow(userId: number) {
  return sql<string[]>`coalesce((select array_agg(role) from user_role join app_user on app_user.id = user_role.user_id
    where user_role.user_id = ${userId} and app_user.active and role = any(${[...ROLES]}::text[])), '{nobody}')`;
}

/** The condition for pictures that these roles may see. A picture is hidden if it is hidden from all roles of a user. */
function mayBeSeenIn(roles: ReturnType<typeof rolesNow>) {
  return sql<boolean>`product_image.removed_at is null and ${roles} <> '{nobody}'
    and (product_image.hidden_roles = '{}' or not (${roles} <@ product_image.hidden_roles))`;
}

/** The pictures of a product that the user may see, in order; the first is the main one. */
export async function imagesOf(db: Db, services: Signer, user: Viewer, productId: number) {
  const rows = await db
    .selectFrom('product_image')
    .select(['id', 'alt'])
    .where('product_id', '=', productId)
    .where(mayBeSeenBy(user))
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map(({ id, alt }) => ({
    id,
    alt,
    url: imageUrl(services, user, id, '640'),
    thumbUrl: imageUrl(services, user, id, '160'),
    largeUrl: imageUrl(services, user, id, '1600'),
  }));
}

/** The largest file of one picture. Throws 404 if there is none that the user may see. */
export async function imageFile(db: Db, user: Viewer, id: number) {
  const file = await db
    .selectFrom('product_image')
    .leftJoin('picture', 'picture.id', 'product_image.picture_id')
    .innerJoin('file', (join) => join.on('file.id', '=', sql<number>`${fileOf('1600')}`))
    .select(['file.storage_key', 'file.name', 'file.media_type'])
    .where('product_image.id', '=', id)
    .where(mayBeSeenBy(user))
    .executeTakeFirst();
  if (!file) throw notFound('picture');
  return file;
}

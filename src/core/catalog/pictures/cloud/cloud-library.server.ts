// Lists the pictures whose originals are in the cloud, and those that are stored only here.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import { holds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import { imageUrl, pictureUrl } from '#core/catalog/items/serve-pictures.server.ts';
import type { Named } from '#platform/shared/wire.ts';
import type { PictureState } from '../pictures.contract.ts';
import type { ItemImageCloud, LibraryKind, LibraryRow } from './cloud.contract.ts';

type Call = typeof ItemImageCloud.GetCloudLibrary;

/** Pictures that reached the cloud, or the file store that replaces it. */
const STORED = sql<SqlBool>`picture.state in ('Uploaded', 'Filed')`;
const KINDS: Record<LibraryKind, RawBuilder<SqlBool>> = {
  cloud: sql`picture.cloud_id is not null`,
  here: sql`picture.cloud_id is null and ${STORED}`,
};

/** The number of pictures that are not in the cloud; null without a cloud. */
export async function countOnlyHere(db: Db, { pictureCloud }: Pick<Services, 'pictureCloud'>): Promise<number | null> {
  return pictureCloud ? (await countKinds(db, true)).here : null;
}

export async function cloudLibrary(
  { db, services, user }: { db: Db; services: Services; user: Caller },
  { kind, keyword, ...page }: ParsedInputOf<Call>,
): Promise<OutputOf<Call>> {
  const connected = services.pictureCloud !== null;
  const query = db
    .selectFrom('picture')
    .select(['picture.id', 'picture.name', 'size', 'state', 'step', 'problem', 'cloud_at', 'thumb_file_id'])
    .select([PLACES.as('places'), PLACE_COUNT.as('place_count')])
    .where(connected ? KINDS[kind] : STORED)
    .$if(Boolean(keyword), (result) => result.where(holds(sql`picture.name`, keyword ?? '')));
  const match = await pageFrom(query, page, {
    sorts: {
      id: sql`picture.id`,
      name: sql`lower(picture.name)`,
      size: sql`picture.size`,
      cloudAt: sql`picture.cloud_at`,
    },
    key: sql`picture.id`,
    first: { field: 'id', dir: 'desc' },
  });
  return {
    ...match,
    records: match.records.map((row): LibraryRow => {
      const [place] = row.places;
      // A filed picture is shown through its place, which only users who may see it there can load.
      const url = place ? imageUrl(services, user, place.placeId, '160') : pictureUrl(services, user, row.id, '160');
      return {
        id: row.id,
        name: row.name,
        size: row.size,
        state: row.state as PictureState,
        working: row.step === 'Upload',
        problem: row.problem,
        products: row.places.map(({ id, name }) => ({ id, name })),
        productCount: row.place_count,
        url: row.thumb_file_id === null || (!place && row.state === 'Filed') ? null : url,
        cloudAt: row.cloud_at,
      };
    }),
    counts: await countKinds(db, connected),
    cloud: services.pictureCloud?.name ?? '',
  };
}

const PLACES = sql<(Named & { placeId: number })[]>`coalesce((select json_agg(json_build_object(
    'placeId', place.id, 'id', product.id, 'name', product.name) order by place.id)
  from (select id, product_id from product_image where picture_id = picture.id and removed_at is null order by id limit 3) place
  join product on product.id = place.product_id), '[]')`;
const PLACE_COUNT = sql<number>`(select count(*)::int from product_image where picture_id = picture.id and removed_at is null)`;

async function countKinds(db: Db, connected: boolean): Promise<OutputOf<Call>['counts']> {
  const { rows } = await sql<OutputOf<Call>['counts']>`select
      (select count(*)::int from picture where ${connected} and ${KINDS.cloud}) as cloud,
      (select count(*)::int from picture where ${connected ? KINDS.here : STORED}) as here,
      (select count(*)::int from picture where step = 'Upload') as working`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('a count has one row');
  return counts;
}

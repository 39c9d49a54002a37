// Lists the pictures in the cloud and in our records by where they are stored, and counts the differences.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#api/endpoint.ts';
import type { Caller, Services } from '#api/services.server.ts';
import { holds } from '#db/contains.server.ts';
import type { Db } from '#db/database.server.ts';
import { pageFrom } from '#db/page.server.ts';
import { imageUrl, pictureUrl } from '#features/catalogue/items/serve-pictures.server.ts';
import type { Named } from '#shared/wire.ts';
import type { PictureState } from '../pictures.contract.ts';
import type { CloudKind, CloudRow, ItemImageCloud } from './cloud.contract.ts';

type Call = typeof ItemImageCloud.GetCloudLibrary;

const IS_THERE = sql<SqlBool>`exists (select from cloud_picture there where there.cloud_id = picture.cloud_id)`;
/** Pictures that reached the cloud, or the file store that replaces it. */
const STORED = sql<SqlBool>`picture.state in ('Uploaded', 'Filed')`;
const OURS: Record<Exclude<CloudKind, 'unknown'>, RawBuilder<SqlBool>> = {
  both: sql`picture.cloud_id is not null and ${IS_THERE}`,
  missing: sql`picture.cloud_id is not null and not ${IS_THERE}`,
  here: sql`picture.cloud_id is null and ${STORED}`,
};
/** A picture whose upload stopped after storing is recognized by its bytes. */
const UNKNOWN = sql<SqlBool>`not exists (select from picture p where p.cloud_id = cloud_picture.cloud_id)
  and not exists (select from picture p where p.sha256 = cloud_picture.cloud_id)`;

/** The differences between the cloud and our table, as of the last comparison; all zero without a cloud. */
export async function cloudDifferences(
  db: Db,
  { pictureCloud }: Pick<Services, 'pictureCloud'>,
): Promise<{ unknown: number; missing: number; here: number }> {
  if (!pictureCloud) return { unknown: 0, missing: 0, here: 0 };
  const { unknown, missing, here } = await countKinds(db, true);
  return { unknown, missing, here };
}

export async function cloudLibrary(
  { db, services, user }: { db: Db; services: Services; user: Caller },
  criteria: ParsedInputOf<Call>,
): Promise<OutputOf<Call>> {
  const connected = services.pictureCloud !== null;
  const kind = connected ? criteria.kind : 'here';
  // Before the pictures: a screen stops asking when the comparison has ended, and then has its result.
  const comparison = await db.selectFrom('cloud_comparison').selectAll().executeTakeFirstOrThrow();
  const counts = await countKinds(db, connected);
  const page =
    kind === 'unknown'
      ? await unknownFiles(db, criteria)
      : await ourPictures(db, services, user, { ...criteria, kind });
  return {
    ...page,
    counts,
    cloud: services.pictureCloud?.name ?? '',
    comparison: {
      comparedAt: comparison.finished_at,
      running: isComparing(comparison) && comparison.problem === '',
      problem: comparison.problem,
    },
  };
}

/** Tells whether a comparison has begun and not ended. */
export function isComparing(row: { started_at: string | null; finished_at: string | null }): boolean {
  return (
    row.started_at !== null && (row.finished_at === null || Date.parse(row.finished_at) < Date.parse(row.started_at))
  );
}

async function ourPictures(
  db: Db,
  services: Services,
  user: Caller,
  { kind, keyword, ...page }: ParsedInputOf<Call> & { kind: Exclude<CloudKind, 'unknown'> },
) {
  const query = db
    .selectFrom('picture')
    .select(['picture.id', 'picture.name', 'size', 'state', 'step', 'problem', 'cloud_id', 'cloud_at', 'thumb_file_id'])
    .select([PLACES.as('places'), PLACE_COUNT.as('place_count')])
    .where(services.pictureCloud ? OURS[kind] : STORED)
    .$if(Boolean(keyword), (found) => found.where(holds(sql`picture.name`, keyword ?? '')));
  const found = await pageFrom(query, page, {
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
    ...found,
    records: found.records.map((row): CloudRow => {
      const [place] = row.places;
      // A filed picture is shown through its place, to people who may see it there.
      const url = place ? imageUrl(services, user, place.placeId, '160') : pictureUrl(services, user, row.id, '160');
      return {
        pictureId: row.id,
        cloudId: row.cloud_id,
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
  };
}

const PLACES = sql<(Named & { placeId: number })[]>`coalesce((select json_agg(json_build_object(
    'placeId', place.id, 'id', product.id, 'name', product.name) order by place.id)
  from (select id, product_id from product_image where picture_id = picture.id and removed_at is null order by id limit 3) place
  join product on product.id = place.product_id), '[]')`;
const PLACE_COUNT = sql<number>`(select count(*)::int from product_image where picture_id = picture.id and removed_at is null)`;

async function unknownFiles(db: Db, { keyword, ...page }: ParsedInputOf<Call>) {
  const query = db
    .selectFrom('cloud_picture')
    .select(['cloud_id', 'size', 'format', 'step', 'problem'])
    .where(UNKNOWN)
    .$if(Boolean(keyword), (found) => found.where(holds(sql`cloud_picture.cloud_id`, keyword ?? '')));
  const found = await pageFrom(query, page, {
    sorts: { name: sql`lower(cloud_picture.cloud_id)`, size: sql`cloud_picture.size` },
    key: sql`cloud_picture.cloud_id`,
    first: { field: 'name', dir: 'asc' },
  });
  return {
    ...found,
    records: found.records.map(
      (row): CloudRow => ({
        pictureId: null,
        cloudId: row.cloud_id,
        name: row.format ? `${row.cloud_id}.${row.format}` : row.cloud_id,
        size: row.size,
        state: null,
        working: row.step !== '',
        problem: row.problem,
        products: [],
        productCount: 0,
        url: null,
        cloudAt: null,
      }),
    ),
  };
}

async function countKinds(db: Db, connected: boolean): Promise<OutputOf<Call>['counts']> {
  const { rows } = await sql<OutputOf<Call>['counts']>`select
      (select count(*)::int from picture where ${connected} and ${OURS.both}) as both,
      (select count(*)::int from picture where ${connected} and ${OURS.missing}) as missing,
      (select count(*)::int from picture where ${connected ? OURS.here : STORED}) as here,
      (select count(*)::int from cloud_picture where ${connected} and ${UNKNOWN}) as unknown,
      (select count(*)::int from picture where step = 'Upload')
        + (select count(*)::int from cloud_picture where step <> '') as working`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('a count has one row');
  return counts;
}

// Reads the inbox for the screen, one stage at a time, with the items that file names may mean.
import { type SqlBool, sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import { holds } from '#platform/db/contains.server.ts';
import { namedPlace } from '#platform/outside/storage-label.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import { pictureUrl } from '#core/catalog/items/serve-pictures.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import type {
  ItemImageProcess,
  Match,
  InboxStage,
  PictureRow,
  PictureState,
  PictureStep,
} from '../pictures.contract.ts';

type Call = (typeof ItemImageProcess)['GetImagesWaitingForProcess'];

/** The condition of each stage; together they cover every picture that is not filed. */
const STAGE: Record<InboxStage, ReturnType<typeof sql<SqlBool>>> = {
  waiting: sql`picture.state = 'Waiting'`,
  upload: sql`picture.state in ('Uploading', 'Failed')`,
  file: sql`picture.state = 'Uploaded'`,
  refused: sql`picture.state = 'Refused'`,
  removed: sql`picture.state = 'Removed'`,
};

const ORDER = {
  sorts: { id: sql`picture.id`, name: sql`lower(picture.name)`, stateAt: sql`picture.state_at` },
  key: sql`picture.id`,
  first: { field: 'id', dir: 'asc' as const },
};

type Counts = OutputOf<Call>['counts'];

export async function picturesAtWork(
  { db, services, user }: { db: Db; services: Services; user: Caller },
  criteria: ParsedInputOf<Call>,
): Promise<OutputOf<Call>> {
  const { stage, match, keyword } = criteria;
  const query = db
    .selectFrom('picture')
    .leftJoin('product', 'product.id', 'picture.product_id')
    .selectAll('picture')
    .select([
      'product.name as product_name',
      whoDid('picture.created_by').as('by_name'),
      CANDIDATES.as('candidates'),
      SOURCES.as('sources'),
      sql<boolean>`exists (select from picture_source s where s.picture_id = picture.id and s.inbox_key is not null
        and s.moved_to = '')`.as('in_inbox'),
    ])
    .where(STAGE[stage])
    .$if(Boolean(match), (result) => result.where('match', '=', match ?? 'matched'))
    .$if(Boolean(keyword), (result) => result.where(holds(sql`picture.name`, keyword ?? '')));
  // Count before reading the pictures: a screen stops polling when no work is in progress, and must then have all pictures.
  const counts = await countStages(db);
  const page = await pageFrom(query, criteria, ORDER);
  return {
    ...page,
    records: page.records.map(
      (row): PictureRow => ({
        id: row.id,
        name: row.name,
        state: row.state as PictureState,
        step: row.step as PictureStep,
        problem: row.problem,
        match: row.match as Match,
        candidates: row.candidates,
        product: row.product_id === null ? null : { id: row.product_id, name: row.product_name ?? '' },
        mediaType: row.media_type,
        size: row.size,
        width: row.width,
        height: row.height,
        url: row.thumb_file_id === null ? null : pictureUrl(services, user, row.id, '160'),
        largeUrl: row.large_file_id === null ? null : pictureUrl(services, user, row.id, '1600'),
        sources: row.sources,
        inInbox: row.in_inbox,
        createdBy: row.by_name,
        createdAt: row.created_at,
        stateAt: row.state_at,
        version: row.version,
      }),
    ),
    counts,
    inbox: services.config.imageInbox ? namedPlace('IMAGE_INBOX', services.config.imageInbox) : '',
    cloud: services.pictureCloud?.name ?? '',
  };
}

const CANDIDATES = sql<PictureRow['candidates']>`coalesce((select json_agg(json_build_object('itemId', item.id,
    'itemNumber', item.item_number, 'description', item.description, 'productId', item.product_id, 'productName', coalesce(p.name, ''))
    order by item.item_number, item.id)
  from item left join product p on p.id = item.product_id where item.id = any(picture.candidate_ids)), '[]')`;
const SOURCES = sql<
  string[]
>`coalesce((select json_agg(s.name order by s.id) from picture_source s where s.picture_id = picture.id), '[]')`;

async function countStages(db: Db): Promise<Counts> {
  const count = (condition: ReturnType<typeof sql<SqlBool>>) => sql<number>`count(*) filter (where ${condition})::int`;
  const matched = (match: Match) => count(sql<SqlBool>`${STAGE.waiting} and match = ${match}`);
  const row = await db
    .selectFrom('picture')
    .select([
      count(STAGE.waiting).as('waiting'),
      count(STAGE.upload).as('upload'),
      count(STAGE.file).as('file'),
      count(STAGE.refused).as('refused'),
      count(STAGE.removed).as('removed'),
      matched('matched').as('matched'),
      matched('ambiguous').as('ambiguous'),
      matched('unmatched').as('unmatched'),
      count(sql`step <> ''`).as('working'),
    ])
    // Most pictures are filed and need no work, so the indexes of the others are small.
    .where(
      sql<SqlBool>`state in ('Waiting', 'Uploading', 'Uploaded', 'Failed') or step <> '' or state in ('Refused', 'Removed')`,
    )
    .executeTakeFirstOrThrow();
  return row;
}

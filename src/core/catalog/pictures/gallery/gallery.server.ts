// Answers the ItemImageGallery calls: products with their pictures in order, and facts about the pictures.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { csvAnswer } from '#platform/api/csv-answer.server.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import { foldedHolds, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { allFrom, pageFrom } from '#platform/db/page.server.ts';
import { imageUrl, pictureUrl } from '#core/catalog/items/serve-pictures.server.ts';
import { KEPT_DAYS } from '../pictures.contract.ts';
import { editAnswers, lastDay } from './edit-places.server.ts';
import type {
  ComingPicture,
  GalleryCriteria,
  GalleryStage,
  ItemImageGallery,
  PlacedPicture,
  RemovedPicture,
} from './gallery.contract.ts';
import { viewersOf, viewerWords } from './gallery-words.ts';
import { reportAnswers } from './report.server.ts';

type Context = { db: Db; services: Services; user: Caller };

/** Each row of an export is a picture. A product has few pictures. */
const MAX_EXPORTED = 50_000;

export const itemImageGalleryAnswers: Answers<typeof ItemImageGallery> = {
  ...editAnswers,
  ...reportAnswers,

  SearchItemImageAdvanced: async (context, criteria) => {
    const { db, services } = context;
    const page = await pageFrom(productsWith(db, criteria, services.clock.now()), criteria, ORDER);
    const ids = page.records.map(({ id }) => id);
    const [pictures, removed, coming] = [
      await picturesOf(context, ids),
      await removedOf(context, ids),
      await comingTo(context, ids),
    ];
    return {
      ...page,
      records: page.records.map((product) => ({
        ...product,
        pictures: pictures.get(product.id) ?? [],
        removed: removed.get(product.id) ?? [],
        coming: coming.get(product.id) ?? [],
      })),
    };
  },

  ExportItemImages: async (context, criteria) => {
    const { db, services } = context;
    const products = await allFrom(
      productsWith(db, criteria, services.clock.now()),
      criteria.sort,
      ORDER,
      MAX_EXPORTED,
    );
    const pictures = await picturesOf(
      context,
      products.map(({ id }) => id),
    );
    const rows = products.flatMap((product) =>
      (pictures.get(product.id) ?? [null]).map((picture, at) => ({ product, picture, at })),
    );
    const header = ['Product', 'Brand', 'Class', 'Status', 'Place', 'File', 'Alternative text', 'Hidden from'];
    return csvAnswer(
      'item-images.csv',
      [...header, 'Width', 'Height', 'Other products'],
      rows,
      ({ product: { name, brand, className, status }, picture, at }) => [
        name,
        brand,
        className,
        status,
        ...(picture
          ? [at + 1, picture.name, picture.alt, picture.hiddenRoles.length > 0 ? viewerWords(picture.hiddenRoles) : '']
          : ['', '', '', '']),
        picture?.width,
        picture?.height,
        picture?.alsoOn,
      ],
    );
  },
};

const ORDER = {
  sorts: {
    name: sql`folded_text(product.name)`,
    brand: sql`folded_text(product.brand)`,
    pictures: sql`(select count(*) from product_image where product_image.product_id = product.id and product_image.removed_at is null)`,
    updatedAt: sql`product.updated_at`,
  },
  key: sql`product.id`,
  first: { field: 'name', dir: 'asc' as const },
  // The query checks each product for a picture: counting a hundred thousand products would take far longer than reading the page.
  stopsCounting: true,
};

const IN_PLACE = sql<SqlBool>`product_image.product_id = product.id and product_image.removed_at is null`;
const HAS_PICTURE = sql<SqlBool>`exists (select from product_image where ${IN_PLACE})`;

/** Pictures on their way to a place, by stage. */
const COMING = sql`case when picture.state = 'Waiting' then 'waiting' when picture.state = 'Uploaded' then 'file' else 'upload' end`;
const IS_COMING = sql<SqlBool>`picture.state in ('Waiting', 'Uploading', 'Uploaded', 'Failed')`;

function productsWith(db: Db, criteria: GalleryCriteria, now: Date) {
  const { keyword, stage, hiddenFor, classId, hasImage, productId } = criteria;
  const words = wordsOf(keyword ?? '');
  return db
    .selectFrom('product')
    .select(['product.id', 'product.name', 'product.brand', 'product.status'])
    .select(
      sql<string>`coalesce((select name from item_class where item_class.id = product.class_id), '')`.as('className'),
    )
    .where((eb) =>
      eb.and([
        eb('product.status', '<>', 'Merged'),
        ...(words.length > 0 ? [productHasWords(words)] : []),
        ...(stage ? [inStage(stage, now)] : []),
        ...(hiddenFor
          ? [
              sql<SqlBool>`product.id = any(array(select distinct product_image.product_id from product_image
                where product_image.hidden_roles <> '{}' and ${hiddenFor} = any(product_image.hidden_roles)
                  and product_image.removed_at is null))`,
            ]
          : []),
        ...(classId ? [eb('product.class_id', '=', classId)] : []),
        ...(hasImage === true ? [HAS_PICTURE] : hasImage === false ? [sql<SqlBool>`not ${HAS_PICTURE}`] : []),
        ...(productId ? [eb('product.id', '=', productId)] : []),
      ]),
    );
}

/** Finds products whose own words, or the words of one of their items, include all of these. */
function productHasWords(words: string[]): RawBuilder<SqlBool> {
  const holding = (column: string) =>
    sql.join(
      words.map((word) => foldedHolds(sql.ref(column), word)),
      sql` and `,
    );
  // The array makes the database find the items first and then look up their products one by one, instead of reading all products.
  return sql`product.id = any(array(select p.id from product p where ${holding('p.search_text')}
    union select item.product_id from item where item.product_id is not null and ${holding('item.search_text')}))`;
}

function inStage(stage: GalleryStage, now: Date): RawBuilder<SqlBool> {
  if (stage === 'filed') return HAS_PICTURE;
  if (stage === 'removed')
    return sql`product.id in (select product_image.product_id from product_image where ${isKept(now)})`;
  return sql`product.id in (select picture.product_id from picture where ${IS_COMING} and ${COMING} = ${stage})`;
}

/** True for a removed picture that can still be restored. */
function isKept(now: Date) {
  return sql<SqlBool>`product_image.removed_at > ${now}::timestamptz - ${sql.lit(KEPT_DAYS)} * interval '1 day'`;
}

function byProduct<T extends { productId: number }, R>(rows: T[], show: (row: T) => R): Map<number, R[]> {
  const groups = Map.groupBy(rows, ({ productId }) => productId);
  return new Map([...groups].map(([id, group]) => [id, group.map(show)]));
}

async function picturesOf(
  { db, services, user }: Context,
  productIds: number[],
): Promise<Map<number, PlacedPicture[]>> {
  const { rows } = await sql<Omit<PlacedPicture, 'url' | 'largeUrl'> & { productId: number }>`
    select place.product_id as "productId", place.id, place.version, place.picture_id as "pictureId", place.alt,
      coalesce(picture.name, (select name from file where file.id = place.file_id)) as name, place.hidden_roles as "hiddenRoles",
      picture.width, picture.height,
      (select count(*)::int from product_image other
        where other.picture_id = place.picture_id and other.id <> place.id and other.removed_at is null) as "alsoOn"
    from product_image place left join picture on picture.id = place.picture_id
    where place.product_id = any(${productIds}::int[]) and place.removed_at is null
    order by place.product_id, place.position, place.id`.execute(db);
  return byProduct(rows, (row) => {
    // The file call answers 404 if the picture is hidden from all of the user's roles, so the row has no address.
    const isShown = user.roles.some((role) => !row.hiddenRoles.includes(role));
    return {
      ...row,
      hiddenRoles: viewersOf(row.hiddenRoles),
      url: isShown ? imageUrl(services, user, row.id, '640') : null,
      largeUrl: isShown ? imageUrl(services, user, row.id, '1600') : null,
    };
  });
}

async function removedOf(
  { db, services, user }: Context,
  productIds: number[],
): Promise<Map<number, RemovedPicture[]>> {
  type Row = {
    productId: number;
    id: number;
    version: number;
    name: string;
    removedAt: string;
    pictureId: number | null;
  };
  const { rows } =
    await sql<Row>`select product_image.product_id as "productId", product_image.id, product_image.version,
      coalesce(picture.name, '') as name, product_image.removed_at as "removedAt",
      case when picture.state = 'Removed' then picture.id end as "pictureId"
    from product_image left join picture on picture.id = product_image.picture_id
    where product_image.product_id = any(${productIds}::int[]) and ${isKept(services.clock.now())}
    order by product_image.product_id, product_image.removed_at desc, product_image.id`.execute(db);
  return byProduct(rows, ({ pictureId, ...row }) => ({
    ...row,
    url: pictureId === null ? null : pictureUrl(services, user, pictureId, '160'),
    until: lastDay(row.removedAt).toISOString(),
  }));
}

async function comingTo({ db, services, user }: Context, productIds: number[]): Promise<Map<number, ComingPicture[]>> {
  type Row = Omit<ComingPicture, 'url'> & { productId: number; isMade: boolean };
  const { rows } = await sql<Row>`select picture.product_id as "productId", picture.id as "pictureId", picture.name,
      ${COMING} as stage, picture.step <> '' as working, picture.problem, picture.thumb_file_id is not null as "isMade"
    from picture where picture.product_id = any(${productIds}::int[]) and ${IS_COMING}
    order by picture.product_id, picture.id`.execute(db);
  return byProduct(rows, ({ isMade, ...row }) => ({
    ...row,
    url: isMade ? pictureUrl(services, user, row.pictureId, '160') : null,
  }));
}

// Reads the report of totals: pictures by stage, hidden pictures by role, and the products that need a picture most.
import { type SqlBool, sql } from 'kysely';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { csvAnswer } from '#platform/api/csv-answer.server.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { companyDay } from '#platform/company/company.server.ts';
import { OPEN_STATUSES } from '#core/quoting/quotes/status.ts';
import { DOLLAR_INDEX, EURO_INDEX } from '#platform/shared/money.ts';
import { countOnlyHere } from '../cloud/cloud-library.server.ts';
import { PICTURE_STATES, type PictureState } from '../pictures.contract.ts';
import type { ItemImageGallery, LackingProduct } from './gallery.contract.ts';
import { viewersOf } from './gallery-words.ts';

type Report = OutputOf<(typeof ItemImageGallery)['GetTotalImageRpt']>;

const SHOWN = 100;
const MAX_EXPORTED = 50_000;

export const reportAnswers: Pick<Answers<typeof ItemImageGallery>, 'GetTotalImageRpt' | 'ExportTotalImageRpt'> = {
  GetTotalImageRpt: async ({ db, services }, { classId }) => {
    const ofClass = classId ?? null;
    return {
      ...(await countPictures(db, ofClass)),
      lacking: await lacking(db, ofClass, services.clock.now(), SHOWN),
      onlyHere: await countOnlyHere(db, services),
    };
  },

  ExportTotalImageRpt: async ({ db, services }, { classId }) => {
    const rows = await lacking(db, classId ?? null, services.clock.now(), MAX_EXPORTED);
    const amount = (worth: LackingProduct['openValue'], currnIdx: number) =>
      worth.find((candidate) => candidate.currnIdx === currnIdx)?.amount ?? 0;
    const header = ['Product', 'Class', 'Items', 'Open quotes', 'Open (USD)', 'Open (EUR)', 'Sold (USD)', 'Sold (EUR)'];
    return csvAnswer('products-without-picture.csv', header, rows, (row) => [
      row.name,
      row.className,
      row.items,
      row.openQuotes,
      amount(row.openValue, DOLLAR_INDEX),
      amount(row.openValue, EURO_INDEX),
      amount(row.soldValue, DOLLAR_INDEX),
      amount(row.soldValue, EURO_INDEX),
    ]);
  },
};

/** The condition that a row belongs to a product of the class; null means any class. */
const inClass = (productId: string, classId: number | null) =>
  classId === null
    ? sql<SqlBool>`true`
    : sql<SqlBool>`${sql.ref(productId)} in (select of_class.id from product of_class where of_class.class_id = ${classId})`;

/** The states of a picture that is not in a place on a product. */
const ELSEWHERE = PICTURE_STATES.filter((state) => state !== 'Filed');

async function countPictures(db: Db, classId: number | null): Promise<Omit<Report, 'lacking' | 'onlyHere'>> {
  const wasInClass = sql`select picture_id from product_image
    where removed_at is not null and ${inClass('product_image.product_id', classId)}`;
  const elsewhere = await sql<{ state: string; pictures: number }>`
    select state, count(*)::int as pictures from picture
    where state = any(${ELSEWHERE}::text[])
      and (${inClass('picture.product_id', classId)} or picture.id in (${wasInClass})) group by state`.execute(db);
  const count = (...states: PictureState[]) =>
    elsewhere.rows.reduce(
      (sum, { state, pictures }) => sum + (states.some((candidate) => candidate === state) ? pictures : 0),
      0,
    );
  const inPlace = sql<SqlBool>`removed_at is null and ${inClass('product_image.product_id', classId)}`;
  // For all classes, small indexes give both counts. A merged product has no pictures, because they moved with its items.
  const placed = await sql<{ filed: number; pictured: number; products: number }>`
    select filed, pictured,
      (select count(*)::int from product where status <> 'Merged' and ${inClass('product.id', classId)}) as products
    from ${
      classId === null
        ? sql`(select count(*)::int as filed from picture where state = 'Filed') f,
            (select count(*)::int as pictured from (select distinct product_id from product_image where ${inPlace}) live) p`
        : sql`(select count(distinct picture_id)::int as filed, count(distinct product_id)::int as pictured
          from product_image where ${inPlace}) f`
    }`.execute(db);
  const hidden = await sql<{ role: string; pictures: number }>`
    select role, count(*)::int as pictures from product_image, unnest(hidden_roles) role
    where hidden_roles <> '{}' and ${inPlace} group by role`.execute(db);
  const { filed = 0, products = 0, pictured = 0 } = placed.rows[0] ?? {};
  return {
    stages: {
      waiting: count('Waiting'),
      upload: count('Uploading', 'Failed'),
      file: count('Uploaded'),
      filed,
      removed: count('Removed'),
      refused: count('Refused'),
    },
    products,
    withoutPicture: products - pictured,
    hidden: viewersOf(hidden.rows.map(({ role }) => role)).map((role) => ({
      role,
      pictures: hidden.rows.find((row) => row.role === role)?.pictures ?? 0,
    })),
  };
}

type Row = Omit<LackingProduct, 'openValue' | 'soldValue'> & Record<'open' | 'openEuro' | 'sold' | 'soldEuro', number>;

/**
 * Products without a picture: first those with the highest value on open quotes and on quotes won within a year, then the others by name. The sum
 * ignores different currencies, because it only sets the order.
 */
async function lacking(db: Db, classId: number | null, now: Date, limit: number): Promise<LackingProduct[]> {
  const isEuro = sql<SqlBool>`currn_idx = ${sql.lit(EURO_INDEX)}`;
  const isLacking = sql<SqlBool>`product.status <> 'Merged' and ${inClass('product.id', classId)}
    and not exists (select from product_image where product_image.product_id = product.id and product_image.removed_at is null)`;
  const words = sql`product.id, product.name,
    coalesce((select name from item_class where item_class.id = product.class_id), '') as "className",
    (select count(*)::int from item where item.product_id = product.id) as items`;
  const { rows: quoted } = await sql<Row>`
    with line as (select item.product_id, quote.currn_idx, quote.status_id <> 'Won' as open,
        coalesce(sum(quote_item.line_total) filter (where quote_item.active and not quote_item.optional), 0) as amount
      from quote join quote_item on quote_item.quote_id = quote.id join item on item.id = quote_item.item_id
      where (quote.status_id = any(${[...OPEN_STATUSES]}::text[])
          or quote.status_id = 'Won' and quote.quote_date > ${companyDay(now)} - interval '12 months')
        and item.product_id is not null
      group by item.product_id, quote.id),
    worth as (select product_id, sum(amount) as total, count(*) filter (where open)::int as quotes,
        sum(amount) filter (where open and not ${isEuro})::float8 as open,
        sum(amount) filter (where open and ${isEuro})::float8 as open_euro,
        sum(amount) filter (where not open and not ${isEuro})::float8 as sold,
        sum(amount) filter (where not open and ${isEuro})::float8 as sold_euro
      from line group by product_id)
    select ${words}, quotes as "openQuotes", coalesce(open, 0) as open, coalesce(open_euro, 0) as "openEuro", coalesce(sold, 0) as sold,
      coalesce(sold_euro, 0) as "soldEuro"
    from worth join product on product.id = worth.product_id where ${isLacking}
    order by total desc, folded_text(product.name), product.id limit ${limit}`.execute(db);
  // An index returns the other products by name, so the query sorts nothing.
  const { rows: others } =
    quoted.length === limit
      ? { rows: [] }
      : await sql<Row>`select ${words}, 0 as "openQuotes", 0 as open, 0 as "openEuro", 0 as sold, 0 as "soldEuro"
    from product where ${isLacking} and product.id <> all(${quoted.map(({ id }) => id)}::int[])
    order by folded_text(product.name), product.id limit ${limit - quoted.length}`.execute(db);
  return [...quoted, ...others].map(({ open, openEuro, sold, soldEuro, ...row }) => ({
    ...row,
    openValue: worthOf(open, openEuro),
    soldValue: worthOf(sold, soldEuro),
  }));
}

function worthOf(dollars: number, euros: number): LackingProduct['openValue'] {
  return [
    { currnIdx: DOLLAR_INDEX, amount: dollars },
    { currnIdx: EURO_INDEX, amount: euros },
  ].filter(({ amount }) => amount !== 0);
}

// The answers of CompanyAdmin.
import { sql } from 'kysely';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pricePlacesOf } from '#platform/company/company.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { oneRecord, type RecordKind, saveRecord } from '#platform/history/record-kit.server.ts';
import { currencyOf } from '#platform/shared/money.ts';
import type { Company, CompanyAdmin } from './company-admin.contract.ts';
import { logoAnswers, readKeptLogo } from './logo.server.ts';

const LABELS = {
  name: 'Name',
  address: 'Address',
  phone: 'Phone',
  email: 'Email',
  timeZone: 'Time zone',
  defaultValidityDays: 'Quotes are valid for (days)',
  pricePlaces: 'Round unit prices (places)',
  showPictures: 'Show pictures on quotes',
};

type Kept = Company & { id: number };

const COMPANY: RecordKind<Kept, 'company'> = {
  type: 'company',
  read: readCompany,
  nameOf: ({ name }) => name,
  changes: (before, after) => changesBetween(before ?? {}, after, LABELS),
};

export const companyAdminAnswers: Answers<typeof CompanyAdmin> = {
  ...logoAnswers,

  GetCompany: async ({ db }) => ({
    company: await readCompany(db),
    logo: await readKeptLogo(db),
    terms: await readTerms(db),
    timeZones: Intl.supportedValuesOf('timeZone'),
    currencies: await readCurrencies(db),
  }),

  /** Throws 409 if another user changed it, and 422 for a time zone that the database does not know. */
  SaveCompany: async ({ db, user }, input) => {
    const before = await readCompany(db, 1, 'lock');
    await requireFresh(db, 'company', before, input.version);
    const known = await sql`select from pg_timezone_names where name = ${input.timeZone}`.execute(db);
    if (known.rows.length === 0) throw invalid([{ path: 'timeZone', message: 'This time zone does not exist' }]);
    return saveRecord({ db, user }, COMPANY, before, {
      name: input.name,
      address: input.address,
      phone: input.phone,
      email: input.email,
      time_zone: input.timeZone,
      default_validity_days: input.defaultValidityDays,
      ...(input.pricePlaces ? { price_places: input.pricePlaces } : {}),
      ...(input.showPictures === undefined ? {} : { show_pictures: input.showPictures }),
    });
  },

  /** Throws 409 if another user has saved a newer version. An unchanged text creates no new version. */
  SaveTerms: async ({ db, user }, { text, version }) => {
    await db.selectFrom('company').select('id').forUpdate().execute();
    const [newest] = await readTerms(db);
    if (newest && newest.version !== version) {
      throw new HttpError(
        409,
        'Another user has saved newer terms in the meantime. Copy your text, review theirs, and save again.',
      );
    }
    if (newest?.text === text) return newest;
    await db.insertInto('terms_text').values({ body: text }).execute();
    const [saved] = await readTerms(db);
    if (!saved) throw new Error('terms that were just written are not there');
    const { name } = await readCompany(db);
    await recordChange(db, user, {
      type: 'company',
      id: 1,
      name,
      action: 'New terms',
      comment: `Version ${saved.version}`,
    });
    return saved;
  },
};

async function readCompany(db: Db, id = 1, lock?: 'lock'): Promise<Kept> {
  const company = await oneRecord('company', db.selectFrom('company').selectAll().where('id', '=', id), lock);
  return {
    name: company.name,
    address: company.address,
    phone: company.phone,
    email: company.email,
    timeZone: company.time_zone,
    defaultValidityDays: company.default_validity_days,
    pricePlaces: pricePlacesOf(company),
    showPictures: company.show_pictures,
    id,
    version: company.version,
  };
}

function readTerms(db: Db) {
  return db
    .selectFrom('terms_text')
    .select(['id as version', 'body as text', 'created_at as createdAt'])
    .select(
      sql<number>`(select count(*) from quote_revision where (document -> 'terms' ->> 'version')::int = terms_text.id)`.as(
        'quotes',
      ),
    )
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
}

async function readCurrencies(db: Db) {
  const { rows } = await sql<{ currnIdx: number; facilities: number; items: number }>`
    select currn_idx as "currnIdx", sum(facilities)::int as facilities, sum(items)::int as items
      from (select currn_idx, count(*) as facilities, 0 as items from facility group by currn_idx
            union all
            select currn_idx, 0, count(distinct item_id) from item_price group by currn_idx) used
     group by currn_idx order by currn_idx`.execute(db);
  return rows.map((row) => ({ ...row, currency: currencyOf(row.currnIdx) }));
}

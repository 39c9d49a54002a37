// Lists the contracts that a user may see.
import { sql } from 'kysely';
import { csvAnswer } from '#platform/api/csv-answer.server.ts';
import type { FileAnswer } from '#platform/api/serve.server.ts';
import type { Caller } from '#platform/api/services.server.ts';
import { holds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { allFrom, pageFrom } from '#platform/db/page.server.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { daysLeftOn, LAST_DAY, statusOn } from '../contract-days.server.ts';
import type { ContractCriteria, ContractRow } from '../contracts.contract.ts';
import { readsAllContracts } from '../sight/contract-roles.ts';
import { contractInSight, facilityInSight } from '../sight/contract-sight.server.ts';
import { contractPlaces } from '../sight/facility-tiers.server.ts';

type Asking = { db: Db; user: Caller; day: IsoDate };

const TIERS = sql<number>`(select count(*) from contract_tier where contract_id = gpo_contract.id)`;
const LINES = sql<number>`(select count(*) from contract_line where contract_id = gpo_contract.id)`;

/** Counts the facilities with a roster entry on a day, or on the first day of a contract that has not begun. */
function rosterCount(day: IsoDate) {
  return sql<number>`(select count(distinct facility_id) from contract_roster where contract_id = gpo_contract.id and not excluded
    and valid_from <= greatest(gpo_contract.effective_from, ${day}::date) and (valid_to is null or valid_to >= ${day}::date))`;
}

const orderOn = (day: IsoDate) => ({
  sorts: {
    number: sql`lower(gpo_contract.number)`,
    gpoName: sql`lower(gpo.name)`,
    title: sql`lower(gpo_contract.title)`,
    category: sql`lower(gpo_contract.category)`,
    from: sql`gpo_contract.effective_from`,
    to: LAST_DAY,
    daysLeft: LAST_DAY,
    status: statusOn(day),
  },
  key: sql`gpo_contract.id`,
  first: { field: 'number', dir: 'asc' as const },
});

export async function contractPage(asking: Asking, criteria: ContractCriteria) {
  const { records, ...counts } = await pageFrom(contracts(asking, criteria), criteria, orderOn(asking.day));
  return { records: records.map((row) => forReader(asking.user, row)), ...counts };
}

export async function contractsAsCsv(asking: Asking, criteria: ContractCriteria): Promise<FileAnswer> {
  const rows = await allFrom(contracts(asking, criteria), criteria.sort, orderOn(asking.day));
  const all = readsAllContracts(asking.user);
  const header = ['Number', 'GPO', 'Title', 'Category', 'Tiers', 'Lines', ...(all ? ['Roster'] : [])];
  return csvAnswer('contracts.csv', [...header, 'From', 'To', 'Days left', 'Status'], rows, (row) => [
    row.number,
    row.gpoName ?? 'Local',
    row.title,
    row.category,
    row.tiers,
    row.lines,
    ...(all ? [row.roster] : []),
    formatDate(row.from),
    formatDate(row.to),
    row.daysLeft,
    row.status,
  ]);
}

/** The GPOs and categories of the contracts that the user may see. */
export async function contractChoices({ db, user, day }: Asking) {
  const seen = db.selectFrom('gpo_contract').where(contractInSight(user, day));
  const gpos = await seen
    .innerJoin('gpo', 'gpo.id', 'gpo_contract.gpo_id')
    .select(['gpo.id', 'gpo.name'])
    .groupBy(['gpo.id', 'gpo.name'])
    .orderBy(sql`lower(gpo.name)`)
    .execute();
  const categories = await seen
    .select('category')
    .where('category', '<>', '')
    .groupBy('category')
    .orderBy(sql`lower(category)`)
    .execute();
  return { gpos, categories: categories.map(({ category }) => category) };
}

/**
 * The contracts that a user can see and whose number, title, category or GPO contains the keyword, at most `limit`, ordered by number. Computing
 * which contracts a user can see is slow, so the first matches are checked first, and the others only if those are too few.
 */
export async function contractsByKeyWord({ db, user, day }: Asking, keyword: string, limit: number) {
  const result = db
    .selectFrom('gpo_contract')
    .leftJoin('gpo', 'gpo.id', 'gpo_contract.gpo_id')
    .orderBy(sql`lower(gpo_contract.number)`)
    .orderBy('gpo_contract.id');
  const matches = await result.select('gpo_contract.id').where(isNamed(keyword)).execute();
  const seenAmong = (ids: number[], most: number) =>
    ids.length === 0 || most === 0
      ? []
      : result
          .select(['gpo_contract.id', 'gpo_contract.number', 'gpo_contract.title', 'gpo.name as gpoName'])
          .select(statusOn(day).as('status'))
          .where('gpo_contract.id', '=', (eb) => eb.fn.any(eb.val(ids)))
          .where(contractInSight(user, day, ids))
          .limit(most)
          .execute();
  const ids = matches.map(({ id }) => id);
  const seen = await seenAmong(ids.slice(0, 2 * limit), limit);
  return [...seen, ...(await seenAmong(ids.slice(2 * limit), limit - seen.length))];
}

function isNamed(keyword: string) {
  return sql<boolean>`(${sql.join(
    ['number', 'title', 'category']
      .map((column) => holds(sql.ref(`gpo_contract.${column}`), keyword))
      .concat(holds(sql.ref('gpo.name'), keyword)),
    sql` or `,
  )})`;
}

function contracts({ db, user, day }: Asking, criteria: Omit<ContractCriteria, 'page' | 'pageSize'>) {
  const { keyword, gpoId, category, facilityId, itemId, status, endsWithinDays } = criteria;
  return db
    .selectFrom('gpo_contract')
    .leftJoin('gpo', 'gpo.id', 'gpo_contract.gpo_id')
    .select([
      'gpo_contract.id',
      'gpo_contract.number',
      'gpo.name as gpoName',
      'gpo_contract.title',
      'gpo_contract.category',
      'gpo_contract.effective_from as from',
      LAST_DAY.as('to'),
      daysLeftOn(day).as('daysLeft'),
      statusOn(day).as('status'),
      TIERS.as('tiers'),
      LINES.as('lines'),
      rosterCount(day).as('roster'),
    ])
    .where(contractInSight(user, day))
    .$if(Boolean(keyword), (query) => query.where(isNamed(keyword ?? '')))
    .$if(gpoId === 0, (query) => query.where('gpo_contract.gpo_id', 'is', null))
    .$if(Boolean(gpoId), (query) => query.where('gpo_contract.gpo_id', '=', gpoId ?? 0))
    .$if(Boolean(category), (query) => query.where('gpo_contract.category', '=', category ?? ''))
    .$if(Boolean(facilityId), (query) =>
      query.where(facilityInSight(user, day, sql`${facilityId ?? 0}::int`)).where(
        sql<boolean>`gpo_contract.id in (select contract_id
            from (${contractPlaces(sql`select ${facilityId ?? 0}::int as id`, day)}) place)`,
      ),
    )
    .$if(Boolean(itemId), (query) =>
      query.where('gpo_contract.id', 'in', (eb) =>
        eb
          .selectFrom('contract_line')
          .select('contract_id')
          .where('item_id', '=', itemId ?? 0),
      ),
    )
    .$if(Boolean(status), (query) => query.where(statusOn(day), '=', status ?? 'Active'))
    .$if(Boolean(endsWithinDays), (query) =>
      query
        .where('gpo_contract.state', '<>', 'Draft')
        .where(sql<boolean>`${daysLeftOn(day)} between 0 and ${endsWithinDays ?? 0}`),
    );
}

/** Hides the roster count from users who may not read rosters, such as sales representatives. */
function forReader(user: Caller, { roster, ...row }: ContractRow & { roster: number }): ContractRow {
  return readsAllContracts(user) ? { ...row, roster } : row;
}

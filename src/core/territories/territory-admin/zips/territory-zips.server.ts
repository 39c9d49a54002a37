// Lists the ZIPs of a territory, adds one ZIP or a pasted list, and ends assignments.
import { sql } from 'kysely';
import { csvAnswer } from '#platform/api/csv-answer.server.ts';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { invalid, notFound } from '#platform/api/http-error.ts';
import type { FileAnswer } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import { holds, startsWith } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { allFrom, pageFrom } from '#platform/db/page.server.ts';
import { requireFresh } from '#platform/history/record-change.server.ts';
import { recordPart } from '#platform/history/record-kit.server.ts';
import type { RecordAction } from '#platform/history/record-words.ts';
import { readZips } from '#core/territories/territories/typed-zips.ts';
import { lockZipAssignments } from '#core/territories/territories/write-assignments.server.ts';
import { addDays, formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { someOf } from '#platform/shared/first-few.ts';
import type { TerritoryAdmin, When, ZipsAdded } from '../territory-admin.contract.ts';
import { todayOf } from '../territory-list.server.ts';
import { readTerritory, span, wrongTerritory } from '../territory-record.server.ts';

type Context = { db: Db; user: Caller; services: Services };
type Criteria = ParsedInputOf<typeof TerritoryAdmin.GetTerritoryZips>;
type Given = ParsedInputOf<typeof TerritoryAdmin.AddTerritoryZips>;

const ORDER = {
  sorts: {
    zip: sql`zip_assignment.zip5`,
    city: sql`lower(zip.city)`,
    state: sql`zip.state`,
    from: sql`zip_assignment.valid_from`,
    to: sql`zip_assignment.valid_to`,
  },
  key: sql`zip_assignment.id`,
  first: { field: 'zip', dir: 'asc' as const },
};

export async function zipPage(db: Db, services: Services, criteria: Criteria) {
  return pageFrom(zips(db, criteria, await todayOf(db, services)), criteria, ORDER);
}

export async function zipsAsCsv(db: Db, services: Services, criteria: Criteria): Promise<FileAnswer> {
  const { name } = await readTerritory(db, criteria.territoryId);
  const rows = await allFrom(zips(db, criteria, await todayOf(db, services)), criteria.sort, ORDER);
  return csvAnswer('zips.csv', ['ZIP', 'City', 'State', 'Territory', 'From', 'To'], rows, (row) => [
    row.zip,
    row.city,
    row.state,
    name,
    row.from,
    row.to,
  ]);
}

function zips(db: Db, { territoryId, keyword, when }: Criteria, date: IsoDate) {
  return db
    .selectFrom('zip_assignment')
    .innerJoin('territory', 'territory.id', 'territory_id')
    .leftJoin('zip', 'zip.zip5', 'zip_assignment.zip5')
    .select(['zip_assignment.id', 'zip_assignment.zip5 as zip', 'valid_from as from', 'valid_to as to'])
    .select('territory.version')
    .select([sql<string>`coalesce(zip.city, '')`.as('city'), sql<string>`coalesce(zip.state, '')`.as('state')])
    .where('territory_id', '=', territoryId)
    .where(whenOf(when, date))
    .$if(Boolean(keyword), (query) =>
      query.where(
        sql<boolean>`(zip_assignment.zip5 like ${startsWith(keyword ?? '')} or ${holds(sql.ref('zip.city'), keyword ?? '')})`,
      ),
    );
}

/** The condition for current, future, or past assignments. */
export function whenOf(when: When, date: IsoDate) {
  switch (when) {
    case 'now':
      return sql<boolean>`valid_from <= ${date}::date and (valid_to is null or valid_to >= ${date}::date)`;
    case 'later':
      return sql<boolean>`valid_from > ${date}::date`;
    case 'over':
      return sql<boolean>`valid_to < ${date}::date`;
    case 'all':
      return sql<boolean>`true`;
  }
}

type Assignment = {
  id: number;
  zip5: string;
  territoryId: number;
  territory: string;
  from: IsoDate;
  to: IsoDate | null;
};

/**
 * Assigns ZIPs to a territory for some days. An assignment of another territory ends the day before and, if the input has a last day, resumes
 * afterwards. Future assignments on those days are removed. Refuses a ZIP whose assignment began between the first day and today, because the past
 * must not change. Throws 422 for an inactive territory, because no one would serve the ZIPs.
 */
export async function addZips({ db, user, services }: Context, input: Given): Promise<ZipsAdded> {
  const date = await todayOf(db, services);
  if (input.apply) await lockZipAssignments(db);
  const territory = await readTerritory(db, input.territoryId, input.apply ? 'lock' : undefined);
  const errors = wrongTerritory(territory);
  if (errors.length > 0) throw invalid(errors);
  const { found, bad } = readZips(input.zips);
  const to = input.to || null;
  const there = await overlapping(db, found, input.from, to);
  const answer: ZipsAdded = {
    applied: input.apply,
    added: [],
    same: [],
    taken: [],
    refused: bad.map((zip) => ({ zip, why: 'This is not a ZIP.' })),
    unknown: [],
  };
  const cut: Assignment[] = [];
  for (const zip of found) {
    const holds = there.get(zip) ?? [];
    const own = holds.find((hold) => hold.territoryId === territory.id);
    const begun = holds.find((hold) => hold.from >= input.from && hold.from <= date);
    if (own && own.from <= input.from && (own.to === null || (to !== null && own.to >= to))) answer.same.push(zip);
    else if (own) answer.refused.push({ zip, why: `It is already here ${span(own.from, own.to)}.` });
    else if (begun) {
      const why = `${begun.territory} has had it since ${formatDate(begun.from)}. Choose a later first day.`;
      answer.refused.push({ zip, why });
    } else {
      answer.added.push(zip);
      cut.push(...holds);
      answer.taken.push(...holds.map((hold) => ({ zip, territory: hold.territory })));
    }
  }
  const known = new Set(
    (
      await db
        .selectFrom('zip')
        .select('zip5')
        .where('zip5', '=', (eb) => eb.fn.any(eb.val(answer.added)))
        .execute()
    ).map(({ zip5 }) => zip5),
  );
  answer.unknown = answer.added.filter((zip) => !known.has(zip));
  if (!input.apply || answer.added.length === 0) return answer;

  await takeFrom(db, cut, input.from, to);
  await sql`insert into zip_assignment (zip5, territory_id, valid_from, valid_to)
    select zip, ${territory.id}::int, ${input.from}::date, ${to}::date from unnest(${answer.added}::text[]) as zip`.execute(
    db,
  );
  const days = span(input.from, to);
  await recordZips(db, user, territory, 'Add ZIPs', '', `${someOf(MAX_LISTED, answer.added)} ${days}`);
  for (const [id, held] of Map.groupBy(cut, (assignment) => assignment.territoryId)) {
    const [other] = held;
    if (!other) continue;
    const zipsTaken = held.map(({ zip5 }) => zip5);
    await recordZips(
      db,
      user,
      { id, name: other.territory },
      'ZIPs taken',
      someOf(MAX_LISTED, zipsTaken),
      `${territory.name} ${days}`,
    );
  }
  return answer;
}

/** Sets the last day of some assignments of a territory's ZIPs, and removes those that begin after it. Throws 409 if another user changed it. */
export async function endZips(
  { db, user, services }: Context,
  input: ParsedInputOf<typeof TerritoryAdmin.EndTerritoryZips>,
) {
  await lockZipAssignments(db);
  const territory = await readTerritory(db, input.territoryId, 'lock');
  await requireFresh(db, 'territory', territory, input.version);
  const rows = await db
    .selectFrom('zip_assignment')
    .select(['id', 'zip5 as name', 'valid_from as from', 'valid_to as to'])
    .where('territory_id', '=', territory.id)
    .where('id', 'in', input.ids)
    .orderBy('zip5')
    .forUpdate()
    .execute();
  const { ended, removed } = endingOf(rows, input.lastDay, await todayOf(db, services));
  await writeEnds(db, 'zip_assignment', { ended, removed }, input.lastDay);
  const names = (list: typeof rows) =>
    someOf(
      MAX_LISTED,
      list.map(({ name }) => name),
    );
  if (ended.length > 0)
    await recordZips(db, user, territory, 'End ZIPs', names(ended), `last day ${formatDate(input.lastDay)}`);
  if (removed.length > 0) await recordZips(db, user, territory, 'Remove ZIPs', names(removed), '');
  return { ended: ended.length, removed: removed.length };
}

type Dated = { id: number; name: string; from: IsoDate; to: IsoDate | null };

/** Finds which assignments end on a day and which to remove. An assignment cannot end before it began. */
export function endingOf<T extends Dated>(rows: T[], lastDay: IsoDate, date: IsoDate): { ended: T[]; removed: T[] } {
  if (rows.length === 0) throw notFound('assignment');
  const impossible = rows.find(({ from }) => from > lastDay && from <= date);
  if (impossible) {
    const message = `${impossible.name} has begun on ${formatDate(impossible.from)}: its last day cannot be earlier.`;
    throw invalid([{ path: 'lastDay', message }]);
  }
  return {
    ended: rows.filter(({ from, to }) => from <= lastDay && (to === null || to > lastDay)),
    removed: rows.filter(({ from }) => from > lastDay),
  };
}

export async function writeEnds(
  db: Db,
  table: 'zip_assignment' | 'account_override',
  { ended, removed }: { ended: { id: number }[]; removed: { id: number }[] },
  lastDay: IsoDate,
): Promise<void> {
  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);
  if (ended.length > 0) await db.updateTable(table).set({ valid_to: lastDay }).where('id', 'in', ids(ended)).execute();
  if (removed.length > 0) await db.deleteFrom(table).where('id', 'in', ids(removed)).execute();
}

/** Records a change of a territory's assignments in its history and returns its next version. */
export async function recordZips(
  db: Db,
  user: Caller,
  territory: { id: number; name: string },
  action: RecordAction,
  before: string,
  after: string,
): Promise<number> {
  const field = action.includes('ZIP') ? 'ZIPs' : 'Account override';
  return recordPart({ db, user }, 'territory', territory, action, { field, before, after });
}

/** ZIP assignments that are valid on any day of a period, by ZIP. */
async function overlapping(db: Db, results: string[], from: IsoDate, to: IsoDate | null) {
  const rows: Assignment[] = await db
    .selectFrom('zip_assignment')
    .innerJoin('territory', 'territory.id', 'territory_id')
    .select(['zip_assignment.id', 'zip5', 'territory_id as territoryId', 'territory.name as territory'])
    .select(['valid_from as from', 'valid_to as to'])
    .where('zip5', '=', (eb) => eb.fn.any(eb.val(results)))
    .where(
      sql<boolean>`valid_from <= coalesce(${to}::date, 'infinity') and coalesce(valid_to, 'infinity') >= ${from}::date`,
    )
    .orderBy('zip_assignment.id')
    .execute();
  return Map.groupBy(rows, ({ zip5 }) => zip5);
}

async function takeFrom(db: Db, cut: Assignment[], from: IsoDate, to: IsoDate | null): Promise<void> {
  const ids = cut.map(({ id }) => id);
  // After a temporary assignment, the ZIP returns to its previous territory.
  if (to) {
    await sql`insert into zip_assignment (zip5, territory_id, valid_from, valid_to)
      select zip5, territory_id, ${addDays(to, 1)}::date, valid_to from zip_assignment
       where id = any(${ids}) and (valid_to is null or valid_to > ${to}::date)`.execute(db);
  }
  await sql`delete from zip_assignment where id = any(${ids}) and valid_from >= ${from}::date`.execute(db);
  await sql`update zip_assignment set valid_to = ${addDays(from, -1)}::date where id = any(${ids})`.execute(db);
}

const MAX_LISTED = 20;

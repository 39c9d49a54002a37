// The import kind for ZIP assignments: plans them, writes them in one transaction, and undoes them.
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { ImportKindServer, ImportRun, Track, Undoing } from '#platform/data-import/kinds/import-kind.server.ts';
import { moveRefusals } from '#platform/data-import/running/merge-rows.server.ts';
import { undoTracks } from '#platform/data-import/running/undo-import.server.ts';
import {
  addTerritories,
  lockZipAssignments,
  moveSalesReps,
  moveZipAssignments,
  tellTerritories,
  writeSalesReps,
  writeZipAssignments,
} from '#core/territories/territories/write-assignments.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { plan } from './zip-assignment-plan.server.ts';
import { kindReport } from './zip-assignment-report.server.ts';
import { tazRows } from './zip-assignment-columns.server.ts';

const tracks: readonly Track[] = [
  {
    table: 'territory',
    key: { id: 'int' },
    scope: sql`t.name in (select r.territory from import_row r where r.makes and r.reason is null)`,
    name: sql`t.name`,
    many: 'territories',
    versioned: true,
    history: { type: 'territory', labels: { name: 'Name' } },
  },
  {
    table: 'zip_assignment',
    key: { id: 'int' },
    scope: sql`t.zip5 in (select zip5 from taz_end union select zip5 from taz_begin union select zip5 from taz_move)`,
    name: sql`t.zip5`,
    many: 'ZIPs',
  },
  {
    table: 'territory_rep',
    key: { id: 'int' },
    scope: sql`t.role = 'sales' and t.territory_id in (
      select y.id from taz_rep w join territory y on y.name = w.territory where w.outcome = 'new')`,
    name: sql`(select y.name from territory y where y.id = t.territory_id)`,
    many: 'representatives',
  },
];

export const tazKind: ImportKindServer = {
  kind: 'taz',
  label: 'ZIP assignments',
  hint: 'ZIPs and the territory that serves them. One row each; action is assign (also when it is empty) or end. Without dates, it applies from today.',
  roles: ['systemadmin', 'salesadmin'],
  // The users who serve a ZIP see its quotes, so API keys cannot import assignments.
  peopleOnly: true,
  rows: tazRows,
  asks: [
    {
      name: 'createTerritories',
      label: 'Create missing territories',
      hint: 'Each needs an existing region, from the file or from the next answer. Otherwise rows with unknown territories are refused.',
      type: 'tick',
      standard: false,
    },
    {
      name: 'region',
      label: 'Region of new territories',
      hint: 'For new territories without a region in the file.',
      type: 'text',
      standard: '',
    },
  ],
  tracks,
  compare: async (trx, run) => {
    await plan(trx, run);
    const report = await kindReport(trx, run);
    await moveRefusals(trx, run.headingOf);
    return report;
  },
  write,
  undo,
};

async function write(trx: Db, { author, comment }: ImportRun): Promise<void> {
  await addTerritories(
    trx,
    sql`select r.territory as name, max(r.region_id) as region_id from import_row r
        where r.makes and r.outcome in ('new', 'changed') group by r.territory`,
  );
  await moveZipAssignments(
    trx,
    sql`select m.id, t.id as territory_id from taz_move m join territory t on t.name = m.territory`,
  );
  await writeZipAssignments(trx, {
    ends: sql`select id, last_day from taz_end`,
    begins: sql`select b.zip5, t.id as territory_id, b.first_day, b.last_day from taz_begin b join territory t on t.name = b.territory`,
  });
  const rep = sql`select y.id as territory_id, w.user_id, w.first_day from taz_rep w
    join territory y on y.name = w.territory where w.outcome = 'new'`;
  await moveSalesReps(trx, rep);
  await writeSalesReps(trx, {
    ends: sql`select t.id, case when t.user_id <> w.user_id then w.first_day - 1 end as last_day
      from (${rep}) w join territory_rep t on t.territory_id = w.territory_id and t.role = 'sales'
      where coalesce(t.valid_to, 'infinity') >= w.first_day`,
    begins: sql`select * from (${rep}) w where not exists (
      select from territory_rep t where t.territory_id = w.territory_id and t.role = 'sales' and t.user_id = w.user_id
        and t.valid_from <= w.first_day and t.valid_to is null)`,
  });
  const { rows } = await sql<{ id: number; begins: number; ends: number; rep: string | null }>`
    select t.id, coalesce(b.n, 0)::int as begins, coalesce(e.n, 0)::int as ends, u.full_name as rep
    from territory t
    left join (select territory, count(*) as n from (select territory from taz_begin union all select territory from taz_move) x
      group by 1) b on b.territory = t.name
    left join (select territory_id, count(distinct id) as n from (select id, territory_id from taz_end
      union all select id, territory_id from taz_move) x group by 1) e on e.territory_id = t.id
    left join taz_rep w on w.territory = t.name and w.outcome = 'new' left join app_user u on u.id = w.user_id
    where (b.n > 0 or e.n > 0 or u.id is not null)
      and t.name not in (select r.territory from import_row r where r.makes and r.territory is not null)
    order by t.id`.execute(trx);
  await tellTerritories(
    trx,
    author,
    'Import',
    rows.map(({ id, begins, ends, rep: name }) => ({
      id,
      comment,
      changes: [
        ...(begins + ends > 0
          ? [
              {
                field: 'ZIPs',
                before: countOrNothing(ends, 'ends or changes', 'end or change'),
                after: countOrNothing(begins, 'begins', 'begin'),
              },
            ]
          : []),
        ...(name ? [{ field: 'Sales rep.', before: '', after: name }] : []),
      ],
    })),
  );
}

const countOrNothing = (count: number, singular: string, plural: string): string =>
  count > 0 ? countOf(count, singular, plural) : '';

/** Restores the exact earlier state, or refuses if a later import or edit changed the same ZIPs or representatives. */
async function undo(trx: Db, importId: number, by: Undoing): Promise<void> {
  await lockZipAssignments(trx);
  // The import may have just written tens of thousands of changes, for which the planner has no statistics yet.
  await sql`analyze data_import_change`.execute(trx);
  await sql`set local work_mem = '64MB'`.execute(trx);
  await sql`set local jit = off`.execute(trx);
  await requireFree(trx, importId);
  const { rows: touched } = await sql<{ id: number }>`
    select distinct coalesce((c.before->>'territory_id')::int, z.territory_id, p.territory_id) as id
    from data_import_change c
    left join zip_assignment z on c.table_name = 'zip_assignment' and z.id = (c.key->>'id')::int
    left join territory_rep p on c.table_name = 'territory_rep' and p.id = (c.key->>'id')::int
    where c.import_id = ${importId} and c.table_name <> 'territory' order by 1`.execute(trx);
  const { rows: created } = await sql<{ id: number }>`
    select (key->>'id')::int as id from data_import_change
    where import_id = ${importId} and table_name = 'territory'`.execute(trx);
  await undoTracks(trx, tracks, importId, by);
  const removedIds = new Set(created.map(({ id }) => id));
  await tellTerritories(
    trx,
    by.author,
    'Undo',
    touched
      .filter(({ id }) => id !== null && !removedIds.has(id))
      .map(({ id }) => ({ id, comment: by.comment, changes: [] })),
  );
}

/** Throws 409 if a later assignment covers days that the undo would restore. */
async function requireFree(trx: Db, importId: number): Promise<void> {
  const { rows } = await sql<{ zip: string; of: number }>`
    select x.zip5 as zip, count(*) over ()::int as of
    from data_import_change c join zip_assignment z on z.id = (c.key->>'id')::int
    join zip_assignment x on x.zip5 = z.zip5 and x.id <> z.id
      and x.valid_from > z.valid_to and x.valid_from <= coalesce((c.before->>'valid_to')::date, 'infinity')
    where c.import_id = ${importId} and c.table_name = 'zip_assignment' and c.before is not null and z.valid_to is not null
      and x.id not in (select (o.key->>'id')::int from data_import_change o
        where o.import_id = ${importId} and o.table_name = 'zip_assignment')
    limit 3`.execute(trx);
  const [first] = rows;
  if (!first) return;
  const names = rows.map(({ zip }) => zip).join(', ');
  throw new HttpError(
    409,
    `This import cannot be undone: ${first.of.toLocaleString('en-US')} of its ZIPs ${first.of === 1 ? 'was' : 'were'} reassigned since this import: ${names}${first.of > rows.length ? ', …' : ''}.`,
  );
}

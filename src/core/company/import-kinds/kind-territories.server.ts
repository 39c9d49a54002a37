// Territories and their regions, by name. ZIP assignments are a separate file.
import { sql } from 'kysely';
import { textOf, yesNo } from '#platform/data-import/reading/cell-values.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import type { ImportKind } from '#platform/data-import/kinds/kind-description.server.ts';

export const territories: ImportKind = {
  kind: 'territories',
  singular: 'territory',
  fields: {
    name: {
      label: 'territory',
      names: headings('territory name, territory, sales territory, territory id, name'),
      parse: textOf(100),
    },
    region: {
      label: 'region',
      names: headings('region name, region, sales region, district, area'),
      parse: textOf(100),
    },
    active: { label: 'active', names: headings('active, status, enabled'), parse: yesNo },
  },
  needs: [['name', 'region']],
  columns: {
    name: { type: 'text' },
    region: { type: 'text', only: 'compare' },
    region_id: { type: 'int', only: 'write', from: sql`(select g.id from region g where g.name = r.region)` },
    active: { type: 'boolean', fresh: sql`true` },
  },
  key: ['name'],
  keyForms: { name: sql`lower(name)` },
  keyLabel: 'territory',
  knownBy: sql`r.name`,
  repeats: 'refuse',
  resolve: [
    // Each region or territory has only one spelling: that of the table, otherwise the first one in the file.
    sql`update import_row r set region = g.name
     from (select distinct on (lower(name)) name from (
             select name, 0 as later, id::bigint as place from region
             union all select region, 1, min(row_no) from import_row where region is not null group by region) known
           order by lower(name), later, place) g
     where lower(r.region) = lower(g.name) and r.region <> g.name`,
    sql`update import_row r set name = t.name from territory t where lower(t.name) = lower(r.name) and t.name <> r.name`,
    sql`update import_row r set bad_column = 'region', bad_value = region, reason = 'is switched off: switch it on first'
     where r.active is not false and exists (select from region g where g.name = r.region and not g.active)`,
  ],
  neededForNew: { column: 'region', label: 'region' },
  table: 'territory',
  from: sql`(select y.*, g.name as region from territory y join region g on g.id = y.region_id) t`,
  match: sql`lower(t.name) = lower(r.name)`,
  versioned: true,
  before: [
    sql`insert into region (name) select region from import_row where outcome in ('new', 'changed') and region is not null
     group by region order by min(row_no) on conflict do nothing`,
  ],
};

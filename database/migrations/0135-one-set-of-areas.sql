-- Owner: zip-areas. The map shows the areas of the last imported file. Earlier imports are dropped, since their states had been joined with approximate
-- areas: the map shows the built-in areas until the file is imported again. Plans are drawn on what the map shows.
-- Locks: api_key, app_user, data_import, geo_file, geo_use, geo_version, geo_version_file, territory_plan
drop table geo_use, geo_version_file, geo_version, geo_file;
create table geo_file (
  import_id int not null references data_import,
  state text not null check (state ~ '^[A-Z]{2}$'),
  -- of the content
  sha text not null,
  -- the topology, gzipped
  packed bytea not null,
  -- ZIPs that have an area, in order with spaces between them
  zips text not null,
  -- by the last import, and back if that is undone
  replaced boolean not null default false,
  primary key (import_id, state)
);
create index geo_file_by_sha on geo_file (sha);
update data_import set undoable = false where kind = 'zip-areas';
alter table territory_plan drop column geo_version;

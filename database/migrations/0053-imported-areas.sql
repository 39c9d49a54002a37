-- Owner: zip-areas. Areas of ZIP codes from files, as versions that never change, and which version the map shows.
-- Locks: app_user, data_import
create table geo_file (
  -- of the content
  sha text primary key,
  state text not null check (state ~ '^[A-Z]{2}$'),
  -- the topology, gzipped
  packed bytea not null,
  -- ZIPs that have an area, in order with spaces between them; those of them whose area is approximate
  zips text not null,
  approximate text not null,
  created_at timestamptz not null default now()
);
-- states that are not in a version have the areas that come with the program
create table geo_version (
  sha text primary key,
  created_at timestamptz not null default now()
);
create table geo_version_file (
  version_sha text not null references geo_version on delete cascade,
  state text not null,
  file_sha text not null references geo_file,
  primary key (version_sha, state)
);
create index geo_version_file_of_file on geo_version_file (file_sha);
-- The last row is what the map shows; without a row, and with null, it shows the areas that come with the program.
create table geo_use (
  id int generated always as identity primary key,
  version_sha text references geo_version,
  import_id int references data_import,
  user_id int references app_user,
  created_at timestamptz not null default now()
);
create index geo_use_of_import on geo_use (import_id);
create index geo_use_of_user on geo_use (user_id);
create index geo_use_of_version on geo_use (version_sha);

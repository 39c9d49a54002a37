-- Owner: data-import. Held rows are accepted or rejected, also after the other rows were applied.
-- Locks: data_import_held
alter table data_import_held
  add column rejected boolean not null default false,
  -- accepted, and written since
  add column applied boolean not null default false;

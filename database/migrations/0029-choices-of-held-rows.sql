-- Owner: data-import. Held rows of which a person chooses what becomes: one of a few ways, or another record than the suggested one.
-- Locks: data_import_held
alter table data_import_held
  -- [{value, label}]: one of them is chosen with the acceptance
  add column ways jsonb not null default '[]',
  -- the chosen one, or the id of the record picked instead of the suggested one; '' for none
  add column way text not null default '',
  -- what the screen calls it
  add column way_label text not null default '';

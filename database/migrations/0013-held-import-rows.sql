-- Owner: data-import. Rows of a file that an import leaves out until somebody confirms them.
-- Locks: data_import
create table data_import_held (
  import_id int not null references data_import on delete cascade,
  line int not null,
  -- what a person knows the record by
  key text not null,
  -- the record as it is stored, and as the row would make it; a confirmation holds for just these
  was text not null,
  now text not null,
  -- what may have gone wrong, in a sentence; '' when nothing is known
  hint text not null default '',
  confirmed boolean not null default false,
  primary key (import_id, line)
);

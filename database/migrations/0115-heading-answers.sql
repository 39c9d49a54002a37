-- Owner: data-import. What people said of the headings of a kind of file: the field of the column, or '' for not used.
create table data_import_heading (
  kind text not null,
  heading text not null,
  field text not null,
  answered_at timestamptz not null default now(),
  primary key (kind, heading)
);

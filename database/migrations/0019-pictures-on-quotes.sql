-- Owner: quotes. Pictures on quotes: the company's choice, and the files that sent quotes show.
-- Locks: company, file, quote_revision

alter table company add column show_pictures boolean not null default false;

-- The renditions that a sent revision shows, named in its document. They stay as they were sent.
create table quote_revision_picture (
  quote_revision_id int not null references quote_revision on delete cascade,
  file_id int not null references file,
  primary key (quote_revision_id, file_id)
);
create index quote_revision_picture_file on quote_revision_picture (file_id);

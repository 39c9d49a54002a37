-- Owners: retention, mail, history, data-import, order-requests, quote-edit. After how many days what grows is cleared, and what was.
-- Locks: contract_loc, data_import, document_revision, file, import_inbox_file, mail, new_quote_key, order_file, picture, product_image, quote_file, quote_revision, quote_revision_document, quote_sending, record_event, session

create table retention (
  id int primary key default 1 check (id = 1),
  -- {kind: days}; null: forever; a kind that is not named has the default of src/features/operations/retention/retention-kinds.ts
  days jsonb not null default '{}',
  version int not null default 1
);
insert into retention default values;

create table retention_cleared (
  kind text primary key,
  -- what is older than this day was cleared, except what something still needs
  before_day date not null,
  -- the greatest number of a mail or an import that was cleared
  through bigint not null default 0,
  -- cleared, and not yet told in the history: the next try of a killed job goes on counting
  untold int not null default 0
);

-- Events of the history are deleted by the job of retention alone.
create function refuse_change_unless_cleared() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('quoteboard.clearing', true) = 'on' then return old; end if;
  raise exception '% rows are never changed, and deleted by retention alone', tg_table_name;
end $$;
drop trigger record_event_immutable on record_event;
create trigger record_event_immutable before update or delete on record_event for each row execute function refuse_change_unless_cleared();

-- The number of the mail that was queued, which stays when the mail is cleared: there is never a second one.
alter table quote_sending drop constraint quote_sending_mail_id_fkey;
create index quote_sending_mail on quote_sending (mail_id) where mail_id is not null;

-- Of a cleared file, its name stays and the digest of its content, by which it is found in the folder; content is empty.
alter table order_file
  add column cleared_at timestamptz,
  add column sha256 text not null default '';

alter table new_quote_key add column created_at timestamptz not null default now();

-- What goes, oldest first.
create index mail_sent on mail ((coalesce(sent_at, created_at)), id) where state = 'Sent';
create index session_by_last_use on session (last_used_at, id);
create index data_import_ended on data_import ((greatest(created_at, applied_at, undone_at)), id);
create index order_file_written on order_file (written_at, request_id) where written_at is not null and cleared_at is null;
create index new_quote_key_made on new_quote_key (created_at, quote_id);

-- Whoever deletes a file asks each of these.
create index contract_loc_file on contract_loc (file_id) where file_id is not null;
create index data_import_file on data_import (file_id);
create index data_import_refused_file on data_import (refused_file_id) where refused_file_id is not null;
create index document_revision_file on document_revision (file_id);
create index import_inbox_file_import on import_inbox_file (import_id) where import_id is not null;
create index picture_file on picture (file_id) where file_id is not null;
create index picture_thumb_file on picture (thumb_file_id) where thumb_file_id is not null;
create index picture_medium_file on picture (medium_file_id) where medium_file_id is not null;
create index picture_large_file on picture (large_file_id) where large_file_id is not null;
create index picture_print_file on picture (print_file_id) where print_file_id is not null;
create index product_image_file on product_image (file_id);
create index product_image_thumb_file on product_image (thumb_file_id) where thumb_file_id is not null;
create index quote_file_file on quote_file (file_id);
create index quote_revision_pdf on quote_revision (pdf_file_id) where pdf_file_id is not null;
create index quote_revision_document_file on quote_revision_document (file_id);

-- Owner: comments. What colleagues write about a quote and its lines, to each other or to the customer.
-- Locks: api_key, app_user, quote, quote_question

create table quote_comment (
  id int generated always as identity primary key,
  quote_id int not null references quote,
  revision int not null,
  -- the line it is about, and its words, which stay when the line goes
  item_id int,
  line text not null default '',
  to_customer boolean not null,
  -- the customer's question that it answers
  question_id int references quote_question,
  written_by int not null references app_user,
  written_by_key int references api_key,
  -- erased by deletion
  text text not null,
  mentioned int[] not null default '{}',
  -- the addresses of the customer to which it went by mail
  mailed_to text[] not null default '{}',
  written_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  deleted_by int references app_user,
  deleted_by_key int references api_key,
  version int not null default 1,
  search_text text generated always as (folded_text(text)) stored
);
create index quote_comment_quote on quote_comment (quote_id, id);
create index quote_comment_question on quote_comment (question_id) where question_id is not null;
create index quote_comment_text on quote_comment using gin (search_text gin_trgm_ops);
create trigger say_of_quote after insert or update on quote_comment for each row execute function say_of_quote();
-- the API key beside whoever did it (migration 0071)
create trigger written_by_by_key before insert or update of written_by on quote_comment for each row
  when (acting_key() is not null or new.written_by_key is not null) execute function keep_acting_key('written_by');
create trigger deleted_by_by_key before insert or update of deleted_by on quote_comment for each row
  when (acting_key() is not null or new.deleted_by_key is not null) execute function keep_acting_key('deleted_by');

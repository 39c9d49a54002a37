-- Owners: follow-up, mail. What a quote waits for: questions of the customer, and mail that did not go out.
-- Locks: mail, quote, quote_sending

create table quote_question (
  id int generated always as identity primary key,
  quote_id int not null references quote,
  revision int not null,
  asked_by text not null,
  email text not null,
  question text not null,
  asked_at timestamptz not null,
  -- who answered, and what, is an event of the quote
  answered_at timestamptz
);
create index quote_question_open on quote_question (quote_id) where answered_at is null;

alter table mail
  -- the recipients that the mail server refused when it took the mail for the others
  add column refused text[] not null default '{}',
  -- a person asked for another try
  add column again_at timestamptz,
  -- a person said that its trouble needs nothing more
  add column settled_at timestamptz;
-- The lists of quotes ask each quote for its mail that is not out.
create index mail_not_out on mail (quote_id) where quote_id is not null and settled_at is null and (state <> 'Sent' or refused <> '{}');
create index quote_sending_without_mail on quote_sending (quote_revision_id) where mail_id is null;

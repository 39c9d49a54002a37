-- Owner: quote-doc. How often the customer opened the page of a revision, and when last; viewed_at is the first time.
-- Locks: quote_revision

alter table quote_revision
  add column later_views int not null default 0,
  add column last_viewed_at timestamptz;

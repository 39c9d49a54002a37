-- Owner: quote-workflow. Since when the customer sees a file of a quote, so that the page of a replaced revision shows none that came later.
-- Locks: quote_file
alter table quote_file
  -- null: since it was uploaded
  add column shown_at timestamptz;

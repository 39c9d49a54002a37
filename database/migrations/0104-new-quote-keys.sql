-- Owner: quote-edit. A key of a new quote remembers what was sent with it, so that the same key with something else is refused. Null: older keys.
-- Locks: new_quote_key
alter table new_quote_key add column content_hash text;

-- Owner: quotes. What expires soon, for the line above Home and for those who are told.
-- Locks: quote

create index quote_expiring on quote (valid_until) where status_id = 'SentToCustomer';

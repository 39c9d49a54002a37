-- Owner: quotes-at-risk. The list no longer writes to customers. What was written is in the history of each quote.
-- Locks: api_key, app_user, quote, quote_risk_told
drop table quote_risk_told;

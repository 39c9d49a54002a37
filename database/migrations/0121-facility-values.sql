-- Owner: quote-edit. What the facility had when the quote took its values: later changes at the facility are told until the quote is sent. Null: not known.
-- Locks: quote
alter table quote add column facility_values jsonb;

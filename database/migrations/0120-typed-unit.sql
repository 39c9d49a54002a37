-- Owner: quote-edit. The price as somebody typed it and its unit, on a line that is now sold by another unit; null: typed for the line's own unit.
-- Locks: quote_item
alter table quote_item add column typed_as jsonb;

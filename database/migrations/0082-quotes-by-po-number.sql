-- Owner: palette. Quotes are found by parts of their PO number. Most quotes have none until they are won, and saving those costs nothing.
-- Locks: quote
create index quote_po_number on quote using gin (plain_text(po_number) gin_trgm_ops) where po_number <> '';

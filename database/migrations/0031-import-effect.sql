-- Owner: data-import. What a checked file would do to quotes, in money; worked out after the check. Null: this kind of file has no prices, or it has not been asked.
-- Locks: data_import
alter table data_import add column effect jsonb;

-- Owner: items. The best page of a word that many items have is found without reading them all: among the items of a high selling rank,
-- or in the order of rank from an index that holds all a search asks of an item.
-- Locks: item
create index item_search_top on item using gin (search_text gin_trgm_ops) where selling_rank_num >= 4;
create index item_by_rank on item (selling_rank_num desc, item_number) include (id, search_text, status, class_id, last_sold);

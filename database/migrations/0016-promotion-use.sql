-- Owner: quotes. Which quotes use a promotion is asked before it is ended; lines without one are not in the index.
create index quote_item_promotion on quote_item (promotion_id) where promotion_id is not null;

-- Owner: contracts. Which quotes have a price of a contract, and whether a line may be taken away: asked of all quote lines at once.
-- Locks: quote_item
create index quote_item_contract_line on quote_item (contract_line_id, quote_id) where contract_line_id is not null;

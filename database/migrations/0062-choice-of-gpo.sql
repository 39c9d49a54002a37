-- Owner: quote-edit. What somebody has to choose before a contract price can count on a line.
-- Locks: quote_item

-- 'Two GPOs: choose. …'; empty when there is nothing to choose
alter table quote_item add column price_choice text not null default '';

-- Owners: quote-edit. Why the whole quote is discounted.
-- Locks: quote

alter table quote add column discount_reason text not null default '';

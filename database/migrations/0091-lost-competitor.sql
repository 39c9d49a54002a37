-- Owner: quote-workflow. Who got the order of a lost quote, and for how much. A revision or a reopening clears both with the reason.
-- Locks: quote

alter table quote
  add column lost_competitor text not null default '',
  -- of the whole quote, in its currency; null: not known
  add column lost_competitor_price numeric(14, 4) check (lost_competitor_price >= 0);

-- Competitors are offered again, in the spelling of the first one who named them.
create index quote_lost_competitor on quote (lower(lost_competitor), lost_competitor) where lost_competitor <> '';

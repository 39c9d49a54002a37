-- Owner: quote-edit. What follows from typed prices and quantities is stored up to the 99,999,999,999 that money.ts computes with.
-- Locks: quote, quote_item, quote_revision
alter table quote_item
  alter column qty type numeric(15, 4),
  alter column manual_discount_pct type numeric(15, 4),
  alter column manual_price type numeric(15, 4),
  alter column manual_discount_amount type numeric(15, 4),
  alter column list_price type numeric(15, 4),
  alter column system_price type numeric(15, 4),
  alter column unit_price type numeric(15, 4),
  alter column discount_pct type numeric(15, 4),
  alter column quote_discount type numeric(15, 4),
  alter column line_total type numeric(15, 4),
  alter column cost type numeric(15, 4),
  alter column floor_price type numeric(15, 4),
  alter column contract_price type numeric(15, 4);
alter table quote
  alter column list_total type numeric(15, 4),
  alter column discount_total type numeric(15, 4),
  alter column subtotal type numeric(15, 4),
  alter column tax_amount type numeric(15, 4),
  alter column total_amount type numeric(15, 4),
  alter column savings type numeric(15, 4);
alter table quote_revision alter column total_amount type numeric(15, 4);

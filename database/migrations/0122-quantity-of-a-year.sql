-- Owner: savings. A quantity of a year keeps ten decimals: one of 7 months, times a price, was off by cents to dollars.
-- Locks: savings_row
alter table savings_row alter column qty_year type numeric(20, 10);

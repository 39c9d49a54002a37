-- Owner: company. To how many places a unit price that is computed is rounded: 2 (prices below one keep four) or 4.
-- Locks: company
-- A company that is at work keeps its four places; a new one, in which nobody is yet, starts with two.
alter table company add column price_places int not null default 2 check (price_places in (2, 4));
update company set price_places = 4 where exists (select from app_user);

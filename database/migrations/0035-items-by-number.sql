-- Owner: items. Lists of all items come by number from an index, also from far down, without sorting them all.
create index item_by_number on item (lower(item_number), item_number);

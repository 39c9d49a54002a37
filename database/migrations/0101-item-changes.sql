-- Owner: items. Searches are answered from the memory of each server. The database says which items have changed since a server read them.
-- Locks: item

-- The transaction that last changed what a search asks of the item. Those there are count as unchanged, because every server reads all of them first.
alter table item add column changed_in xid8 not null default '0';
alter table item alter column changed_in set default pg_current_xact_id();
create index item_changed_in on item (changed_in);

create function item_changes() returns trigger language plpgsql as $$
  begin
    new.changed_in := pg_current_xact_id();
    return new;
  end $$;
-- after item_mapped by its name, which writes product_words
create trigger item_searched_anew before update on item for each row
  when ((old.item_number, old.description, old.product_words, old.manufacturer, old.brand, old.manufacturer_no, old.status, old.class_id,
      old.last_sold, old.selling_rank_num) is distinct from (new.item_number, new.description, new.product_words, new.manufacturer, new.brand,
      new.manufacturer_no, new.status, new.class_id, new.last_sold, new.selling_rank_num))
  execute function item_changes();

drop index item_search_top;
drop index item_by_rank;

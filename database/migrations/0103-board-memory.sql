-- Owner: quote-edit. Each server keeps in memory what boards show beside their quotes: rules, people, items, prices of doubles. The database says when
-- that has changed.
-- Locks: account_price, app_user, approval_rule, company, configurable_model, contract_roster, facility, facility_apart, gpo_membership, item, item_class, item_unit, product, product_image, promotion, quote

-- Transactions that changed it, the latest among them. The latest changes with each of them, in whatever order they end.
create table board_change (
  changed_in xid8 primary key
);
insert into board_change values ('0');

create function note_board_change() returns trigger language plpgsql as $$
  begin
    if not exists (select from board_change where changed_in = pg_current_xact_id()) then
      -- Takes the place of the earliest that no other transaction holds, so that nobody waits and few rows remain.
      update board_change set changed_in = pg_current_xact_id()
        where changed_in = (select changed_in from board_change order by changed_in limit 1 for update skip locked);
      if not found then
        insert into board_change values (pg_current_xact_id());
      end if;
    end if;
    return null;
  end $$;

create trigger board_noted after insert or delete or truncate or update of full_name, active on app_user execute function note_board_change();
create trigger board_noted after insert or delete or truncate or update of item_number, description, base_unit, status, class_id, product_id on item
  execute function note_board_change();
create trigger board_noted after insert or delete or truncate or update on account_price execute function note_board_change();
create trigger board_noted after insert or delete or truncate or update on approval_rule execute function note_board_change();
create trigger board_noted after insert or delete or truncate or update on company execute function note_board_change();
create trigger board_noted after insert or delete or truncate or update on configurable_model execute function note_board_change();
create trigger board_noted after insert or delete or truncate or update on contract_roster execute function note_board_change();
create trigger board_noted after insert or delete or truncate or update on facility execute function note_board_change();
create trigger board_noted after insert or delete or truncate or update on facility_apart execute function note_board_change();
create trigger board_noted after insert or delete or truncate or update on gpo_membership execute function note_board_change();
create trigger board_noted after insert or delete or truncate or update on item_class execute function note_board_change();
create trigger board_noted after insert or delete or truncate or update on item_unit execute function note_board_change();
create trigger board_noted after insert or delete or truncate or update on product execute function note_board_change();
create trigger board_noted after insert or delete or truncate or update on product_image execute function note_board_change();
create trigger board_noted after insert or delete or truncate or update on promotion execute function note_board_change();

-- The newest open quotes of a facility are read from the index alone.
create index quote_open_at_facility on quote (facility_id, quote_date desc, id desc)
  include (num, revision, owner_id, sales_rep_id, region_id, total_amount, currn_idx) where status_id not in ('Won', 'Lost', 'Cancelled');
drop index quote_open_of_facility;

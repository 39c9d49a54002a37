-- Owner: risks. A quote that is made or edited is worked out a few minutes later: a price that ends soon is a risk that no change announces.
-- Locks: price_change, quote

-- when it is to be worked out; null: at once
alter table price_change add column due_at timestamptz;

-- A quote that is closed is at no risk; what else is done with one at risk is worked out again at once, and any other edit after five minutes, in
-- which further edits follow. Costs an edit one look into an index and one row.
create or replace function note_quote_change() returns trigger language plpgsql as $$
  declare
    at_risk constant boolean := exists (select from quote_risk where quote_id = new.id);
  begin
    if new.status_id in ('Won', 'Lost', 'Cancelled') then
      if at_risk then
        delete from quote_risk where quote_id = new.id and kind <> 'Rebill';
      end if;
    elsif at_risk then
      delete from quote_risk where quote_id = new.id and kind = 'Rebill';
      insert into price_change (what, quote_id) values ('quote', new.id);
    else
      insert into price_change (what, quote_id, due_at) values ('edit', new.id, new.updated_at + interval '5 minutes');
    end if;
    return null;
  end $$;
create trigger quote_made after insert on quote for each row execute function note_quote_change();

-- Owner: api-keys. Beside each column that says who did something, the API key by which it was done.
-- Locks: api_key, app_user, approval_request, cloud_picture, contract_file, contract_file_version, contract_folder, crm_push, document_revision, eligibility_request, facility_apart, facility_merge, geo_use, item, picture, quote_configuration, quote_file, quote_revision, quote_risk_told, quote_template, territory_plan, territory_plan_move, territory_plan_work

-- The API key of this transaction (`actByKey` in src/db/acting-key.server.ts). Null when a person or the program itself is at work.
create function acting_key() returns int language sql stable as $$
  select nullif(current_setting('quoteboard.key_id', true), '')::int
$$;

-- Fills the column named after the argument and `_key`, so that no statement that writes who did something can forget the key.
create function keep_acting_key() returns trigger language plpgsql as $$
begin
  return jsonb_populate_record(new, jsonb_build_object(tg_argv[0] || '_key', acting_key()));
end $$;

do $$
declare
  place text;
  who text;
begin
  for place, who in values
    ('approval_request', 'requested_by'), ('approval_request', 'decided_by'), ('cloud_picture', 'asked_by'),
    ('contract_file', 'updated_by'), ('contract_file', 'removed_by'), ('contract_file_version', 'uploaded_by'),
    ('contract_folder', 'removed_by'), ('crm_push', 'asked_by'), ('document_revision', 'uploaded_by'),
    ('eligibility_request', 'requested_by'), ('facility_apart', 'told_by'), ('facility_merge', 'merged_by'),
    ('facility_merge', 'undone_by'), ('geo_use', 'user_id'), ('item', 'mapped_by'), ('picture', 'created_by'),
    ('quote_configuration', 'changed_by'), ('quote_file', 'uploaded_by'), ('quote_revision', 'sent_by'),
    ('quote_risk_told', 'told_by'), ('quote_template', 'created_by'), ('territory_plan', 'changed_by'),
    ('territory_plan', 'asked_by'), ('territory_plan', 'published_by'), ('territory_plan_move', 'changed_by'),
    ('territory_plan_work', 'asked_by')
  loop
    execute format('alter table %I add column %I int references api_key', place, who || '_key');
    -- Also when the same person writes again, this time by hand: the trigger fires when a statement names the column, not when its value changes.
    execute format('create trigger %I before insert or update of %I on %I for each row
      when (acting_key() is not null or new.%I is not null) execute function keep_acting_key(%L)',
      who || '_by_key', who, place, who || '_key', who);
  end loop;
end $$;

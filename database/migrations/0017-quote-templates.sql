-- Who may use a quote template, what it says to the customer, how often it was used.
alter table quote_template
  -- empty: every role that writes quotes
  add column allowed_roles text[] not null default '{}',
  -- nobody but who made it
  add column owner_only boolean not null default false,
  add column created_by int references app_user,
  add column customer_message text not null default '',
  add column changed_at timestamptz not null default now(),
  add constraint quote_template_owner check (not owner_only or created_by is not null);
create index quote_template_of_quote on quote (template_id) where template_id is not null;
create index quote_template_item_of_item on quote_template_item (item_id);

-- Owner: quote-edit, data-import. A quote that is sent again because its answer was lost is the same quote; an undo of an import is work in the background.
-- What a screen calls a new quote before it has an id, for each person.
create table new_quote_key (
  user_id int not null references app_user,
  client_key text not null,
  quote_id int not null references quote on delete cascade,
  primary key (user_id, client_key)
);
create index new_quote_key_quote on new_quote_key (quote_id);

alter table data_import drop constraint data_import_state_check;
alter table data_import add constraint data_import_state_check
  check (state in ('Uploaded', 'Checking', 'Checked', 'Applying', 'Applied', 'Failed', 'Undoing', 'Undone'));
-- what a kind changes is changed by one at a time, be it applied or undone
drop index data_import_applying;
create unique index data_import_applying on data_import (kind) where state in ('Applying', 'Undoing');

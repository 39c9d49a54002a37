-- Owner: quote-edit. What the screen calls a line before it has an id: a line that is sent again because its answer was lost is the same line.
alter table quote_item add column client_key text;

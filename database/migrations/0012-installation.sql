-- Owner: mail. Where the database lies, so that a restored copy is noticed and holds its mail; mails that are not out are counted by an index.
-- Locks: mail
create table installation (
  id int primary key default 1 check (id = 1),
  -- the server, its timeline, and the number of the database there
  place text not null,
  mail_held_at timestamptz
);
create index mail_open on mail (state) where state <> 'Sent';

-- Owner: auth. An invitation is a one-time link by mail with which a new person chooses a password; one for each person, so a new one voids the old.
create table invitation (
  user_id int primary key references app_user on delete cascade,
  -- the link holds 256 random bits, this is their digest
  token_hash text not null unique,
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
-- When somebody was last here is asked for each person of a list, also after they have signed out.
create index session_last_used on session (user_id, last_used_at desc);

-- Owner: auth. Passkeys of people, and the questions that one passkey answers once.
-- Locks: app_user

create table passkey (
  id int generated always as identity primary key,
  user_id int not null references app_user on delete cascade,
  -- of the passkey, in base64url
  credential_id text not null unique,
  -- in COSE
  public_key bytea not null,
  -- of its last use; 0 for ever where the device does not count
  counter bigint not null default 0,
  -- how a browser reaches it: internal, hybrid, usb …
  transports text[] not null default '{}',
  -- one for all passkeys of a person, random: whom the device says that it is
  user_handle text not null,
  -- kept by an account at Apple, Google or the like, not on one device alone
  synced boolean not null default false,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkey_of_user on passkey (user_id);

create table passkey_challenge (
  challenge_hash text primary key,
  -- 'add', 'prove', 'second': of this person; 'sign-in': of anybody
  purpose text not null check (purpose in ('add', 'prove', 'second', 'sign-in')),
  user_id int references app_user on delete cascade,
  -- of 'add'
  user_handle text not null default '',
  expires_at timestamptz not null
);
create index passkey_challenge_expiry on passkey_challenge (expires_at);

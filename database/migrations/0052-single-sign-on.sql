-- Owner: single-sign-on. Signing in at a provider of the company by OpenID Connect.
-- Locks: app_user, session

create table sign_on_provider (
  id int primary key default 1 check (id = 1),
  -- '': none is set up
  issuer text not null default '',
  client_id text not null default '',
  -- sealed
  secret text not null default '',
  scopes text not null default 'openid profile email',
  -- what the button of the login screen says
  button text not null default '',
  -- whether a person who comes for the first time gets an account
  makes_people boolean not null default false,
  -- whether only one local administrator signs in by password
  local_off boolean not null default false,
  local_admin_id int references app_user,
  version int not null default 1
);
insert into sign_on_provider default values;

-- Who has this value of a claim gets these roles.
create table sign_on_role (
  position int primary key,
  claim text not null,
  value text not null,
  roles text[] not null
);

-- A person of the provider is known by issuer and subject alone, never by an e-mail address.
create table sign_on_identity (
  issuer text not null,
  subject text not null,
  user_id int not null references app_user on delete cascade,
  linked_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- Somebody is on the way to the provider: of what comes back, digests. Nonce and verifier are derived, not kept.
create table sign_on_attempt (
  state_hash text primary key,
  -- of what only the browser has that began
  browser_hash text not null,
  -- for a signed-in person who links their account
  user_id int references app_user on delete cascade,
  -- where it began: elsewhere it does not end
  issuer text not null,
  client_id text not null,
  expires_at timestamptz not null
);

-- Logout tokens that came already: each counts once.
create table sign_on_logout (
  issuer text not null,
  jti text not null,
  expires_at timestamptz not null,
  primary key (issuer, jti)
);

alter table session
  add column sign_on_issuer text,
  add column sign_on_subject text,
  add column sign_on_sid text;
create index session_of_subject on session (sign_on_subject) where sign_on_subject is not null;
create index session_of_sid on session (sign_on_sid) where sign_on_sid is not null;

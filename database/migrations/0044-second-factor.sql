-- Owner: auth. Authenticator codes as a second step of signing in, their recovery codes, and the roles that must have them.
-- Locks: app_user, session

create table second_factor (
  user_id int primary key references app_user on delete cascade,
  -- sealed; '': none is set up yet
  secret text not null default '',
  since timestamptz,
  -- the time step of the last code that was accepted: each counts once
  last_step bigint not null default 0,
  -- being set up, sealed, until its first code is typed
  pending text not null default '',
  pending_until timestamptz
);
create table recovery_code (
  user_id int not null references app_user on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);
-- The password was right, the code is still to come.
create table sign_in_challenge (
  token_hash text primary key,
  user_id int not null references app_user on delete cascade,
  -- the known device that it began on; '': none
  device text not null default '',
  expires_at timestamptz not null
);
create index sign_in_challenge_of_user on sign_in_challenge (user_id);
create table sign_in_rule (
  id int primary key default 1 check (id = 1),
  -- who signs in by password in one of these roles must have a second factor
  second_factor_roles text[] not null default '{}',
  version int not null default 1
);
insert into sign_in_rule default values;

-- Signed in without the second factor that the rules ask for: it is set up before anything else.
alter table session add column must_enroll boolean not null default false;

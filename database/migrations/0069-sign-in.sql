-- Locks: app_user, sign_in_rule
-- Temporary passwords mailed before the newest one, which stay good for their half hour: [{hash, until}].
alter table app_user add column temporary_earlier jsonb not null default '[]';
-- After so many days everybody signs in again, however often the session was used.
alter table sign_in_rule add column session_days int not null default 30 check (session_days between 1 and 365);

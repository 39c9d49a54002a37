-- Owner: pictures. Comparing with the cloud goes on where it stopped; what a person asked for a file that only the cloud has.
-- Locks: app_user, picture, cloud_picture, cloud_comparison
-- Where a comparison that broke off goes on.
alter table cloud_comparison add column next_cursor text;
-- What a job is about to do with a file that is unknown to us, for whom, and why it could not.
alter table cloud_picture add column step text not null default '' check (step in ('', 'TakeIn', 'Remove'));
alter table cloud_picture add column problem text not null default '';
alter table cloud_picture add column asked_by int references app_user;
create index picture_only_here on picture (id) where cloud_id is null and state in ('Uploaded', 'Filed');

-- Owner: pictures. Nobody compares the cloud with our pictures. Where a comparison has ended, pictures that are not in the cloud are only here from now on, so that they can be uploaded; what else it found is dropped.
-- Locks: api_key, app_user, cloud_comparison, cloud_picture
update picture set cloud_id = null, cloud_at = null
  where cloud_id is not null
    and not exists (select from cloud_picture there where there.cloud_id = picture.cloud_id)
    and exists (select from cloud_comparison where finished_at is not null and problem = '');
drop table cloud_picture;
drop table cloud_comparison;

-- Owner: contract-files. A folder or file that is removed is gone. What could still be brought back goes too: somebody removed it, and nobody should read it again. The job for orphaned files deletes the bytes.
-- Locks: api_key, app_user, contract_file, contract_file_version, contract_folder, file
create temporary table gone on commit drop as
  select v.file_id as id from contract_file f join contract_file_version v on v.contract_file_id = f.id where f.removed_at is not null;
delete from contract_file where removed_at is not null;
delete from file where id in (select id from gone)
  and not exists (select from contract_file_version v where v.file_id = file.id);
delete from contract_folder where removed_at is not null;

drop index contract_file_name;
drop index contract_file_removed;
drop trigger removed_by_by_key on contract_file;
alter table contract_file
  drop column removed_at,
  drop column removed_by,
  drop column removed_by_key,
  drop column removed_with;
create unique index contract_file_name on contract_file (contract_id, coalesce(folder_id, 0), name_key);

drop index contract_folder_name;
drop index contract_folder_removed;
drop trigger removed_by_by_key on contract_folder;
alter table contract_folder
  drop column removed_at,
  drop column removed_by,
  drop column removed_by_key,
  drop column removed_with;
create unique index contract_folder_name on contract_folder (contract_id, coalesce(parent_id, 0), name_key);

-- Owner: company-admin. The company's logos, each named by what it shows: a sent quote keeps the one it was sent with, whatever comes after.
create table company_logo (
  -- SHA-256 of the stored bytes, in base64url.
  id text primary key,
  file_id int not null references file,
  width int not null check (width > 0),
  height int not null check (height > 0)
);
alter table company add column logo_id text references company_logo;

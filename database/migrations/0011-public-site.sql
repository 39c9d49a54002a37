-- Owner: public-site. Since when the public site is locked, by whom, and when it opens by itself.
alter table company
  add column public_site_locked_at timestamptz,
  add column public_site_locked_by int references app_user,
  add column public_site_locked_until timestamptz;

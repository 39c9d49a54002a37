-- Owners: products, documents, items, quote-steps. The catalogue: what a product is, which items are mapped to it, and their documents.
-- Locks: app_user, file, item_class, product, item, product_document, quote_revision

-- Letters and digits alone, as numbers of manufacturers are compared: 'NX-100/B' is 'nx100b'.
create function bare_text(text) returns text language sql immutable parallel safe
  return regexp_replace(folded_text($1), '[^[:alnum:]]', '', 'g');

-- products --------------------------------------------------------------------------------------------------------
alter table product
  add column class_id int references item_class,
  add column manufacturer text not null default '',
  add column manufacturer_no text not null default '',
  add column replaced_by int references product,
  -- of a merged product: where its items went, and where its old address leads
  add column merged_into int references product,
  add column updated_at timestamptz not null default now(),
  add column search_text text generated always as
    (folded_text(name || ' ' || brand || ' ' || product_type || ' ' || manufacturer || ' ' || manufacturer_no)) stored;
update product set status = 'Draft' where status not in ('Draft', 'Active', 'Discontinued', 'Merged');
update product p set class_id = i.class_id, manufacturer = i.manufacturer,
    manufacturer_no = case when i.items = 1 then i.manufacturer_no else '' end
  from (select product_id, min(class_id) as class_id, count(*) as items, min(manufacturer_no) as manufacturer_no,
      case when count(distinct manufacturer) = 1 then min(manufacturer) else '' end as manufacturer
    from item where product_id is not null group by product_id) i where i.product_id = p.id;
alter table product
  add constraint product_status check (status in ('Draft', 'Active', 'Discontinued', 'Merged')),
  add constraint product_merged check ((merged_into is not null) = (status = 'Merged'));
create index product_search on product using gin (search_text gin_trgm_ops);
create index product_like on product using gin (folded_text(name) gin_trgm_ops);
create index product_by_name on product (folded_text(name), id);
create index product_number on product (bare_text(manufacturer_no)) where manufacturer_no <> '';
create index product_class on product (class_id);
create index product_newest on product (updated_at);
create index product_replaced on product (replaced_by) where replaced_by is not null;
create index product_merged_into on product (merged_into) where merged_into is not null;
-- the types to choose from; a product keeps the name of its type
create table product_type (name text primary key);
insert into product_type select distinct product_type from product where product_type <> '';

-- items and their products ----------------------------------------------------------------------------------------
alter table item
  add column mapping_state text not null default 'Unmapped'
    check (mapping_state in ('Unmapped', 'Suggested', 'Ignored', 'Conflict', 'Mapped')),
  -- why it is ignored, or what is in conflict
  add column mapping_note text not null default '',
  add column mapped_by int references app_user,
  add column mapped_at timestamptz,
  -- when item_suggestion was worked out; null: never, or for another text than the item has now
  add column suggested_at timestamptz,
  -- name and brand of its product, where they say more than the item's own description
  add column product_words text not null default '';
update item set mapping_state = 'Mapped' where product_id is not null;
update item i set product_words = concat_ws(' ', nullif(p.name, i.description), nullif(p.brand, ''))
  from product p where p.id = i.product_id and p.status <> 'Draft';

-- Items are found by the name and brand of their product too, with the same index and the same plans.
alter table item drop column search_text;
alter table item add column search_text text generated always as
  (folded_text(item_number || ' ' || description || case product_words when '' then '' else ' ' || product_words end)) stored;
create index item_search on item using gin (search_text gin_trgm_ops);
create index item_search_top on item using gin (search_text gin_trgm_ops) where selling_rank_num >= 4;
create index item_by_rank on item (selling_rank_num desc, item_number) include (id, search_text, status, class_id, last_sold);
-- what is to be mapped: new and best-sold items first
create index item_to_map on item ((selling_rank = 'NEW') desc, selling_rank_num desc, id desc) include (mapping_state, class_id)
  where mapping_state <> 'Mapped';
create index item_mapped_number on item (bare_text(manufacturer_no)) where product_id is not null and manufacturer_no <> '';

create function map_item() returns trigger language plpgsql as $$
  declare
    was item;
  begin
    if tg_op = 'UPDATE' then was := old; end if;
    if new.product_id is distinct from was.product_id then
      if new.product_id is not null then
        new.mapping_state := 'Mapped';
        new.mapping_note := '';
      elsif new.mapping_state = 'Mapped' then
        new.mapping_state := 'Unmapped';
        new.mapping_note := '';
      end if;
    elsif new.mapping_state = 'Mapped' and was.manufacturer_no <> ''
      and bare_text(new.manufacturer || new.manufacturer_no) <> bare_text(was.manufacturer || was.manufacturer_no) then
      new.mapping_state := 'Conflict';
      new.mapping_note := 'Its manufacturer number was ' || was.manufacturer_no || ' when it was mapped.';
    end if;
    if row(new.description, new.class_id, new.manufacturer, new.manufacturer_no)
      is distinct from row(was.description, was.class_id, was.manufacturer, was.manufacturer_no) then
      new.suggested_at := null;
    end if;
    new.product_words := coalesce((select concat_ws(' ', nullif(p.name, new.description), nullif(p.brand, ''))
      from product p where p.id = new.product_id and p.status <> 'Draft'), '');
    return new;
  end $$;
create trigger item_mapped before insert or update of product_id, description, class_id, manufacturer, manufacturer_no on item
  for each row execute function map_item();
-- Writing an item again works out its product's words again.
create function rename_items() returns trigger language plpgsql as $$
  begin
    update item set product_id = product_id where product_id = new.id;
    return null;
  end $$;
create trigger product_renamed after update of name, brand, status on product for each row
  when (row(old.name, old.brand, old.status = 'Draft') is distinct from row(new.name, new.brand, new.status = 'Draft'))
  execute function rename_items();

-- the best products for an item without one, kept when its page was looked at
create table item_suggestion (
  item_id int not null references item on delete cascade,
  product_id int not null references product on delete cascade,
  score int not null check (score between 50 and 100),
  -- in words, the weightiest first
  reasons text[] not null,
  primary key (item_id, product_id)
);
create index item_suggestion_product on item_suggestion (product_id);

-- documents -------------------------------------------------------------------------------------------------------
create table document_category (
  id int generated by default as identity primary key,
  name text not null,
  -- Internal: those who see cost and margin; Staff: everybody who signs in; Customer: goes to customers, too
  audience text not null check (audience in ('Internal', 'Staff', 'Customer')),
  -- ticked at first where a quote is sent
  offered boolean not null default false,
  version int not null default 1
);
create unique index document_category_name on document_category (lower(name));
insert into document_category (name, audience, offered) values
  ('Brochure', 'Customer', true), ('Specification', 'Customer', true), ('Instructions for use', 'Customer', false),
  ('Safety data sheet', 'Customer', false), ('Clearance', 'Staff', false), ('Warranty', 'Customer', false), ('Price sheet', 'Internal', false);
create table document (
  id int generated by default as identity primary key,
  category_id int not null references document_category,
  title text not null,
  -- 'en', 'es'
  language text not null default 'en',
  version int not null default 1,
  updated_at timestamptz not null default now(),
  search_text text generated always as (folded_text(title)) stored
);
create index document_category_of on document (category_id);
create index document_search on document using gin (search_text gin_trgm_ops);
create index document_by_title on document (search_text, id);
-- A reader gets the newest revision that is valid today.
create table document_revision (
  id int generated by default as identity primary key,
  document_id int not null references document,
  -- 'Rev. C'
  label text not null default '',
  file_id int not null references file,
  valid_from date not null,
  valid_to date,
  uploaded_by int references app_user,
  uploaded_at timestamptz not null default now(),
  check (valid_to >= valid_from)
);
create index document_revision_newest on document_revision (document_id, id desc);
create index document_revision_ends on document_revision (valid_to) where valid_to is not null;
create table document_link (
  id int generated by default as identity primary key,
  document_id int not null references document,
  product_id int references product,
  item_id int references item on delete cascade,
  check (num_nonnulls(product_id, item_id) = 1)
);
create unique index document_link_product on document_link (product_id, document_id) where product_id is not null;
create unique index document_link_item on document_link (item_id, document_id) where item_id is not null;
create index document_link_document on document_link (document_id);

-- What went with a sent revision of a quote (owner: quote-steps): the revisions of that day, whatever becomes of the documents.
create table quote_revision_document (
  id int generated by default as identity primary key,
  quote_revision_id int not null references quote_revision,
  document_revision_id int not null references document_revision,
  title text not null,
  category text not null,
  file_id int not null references file,
  unique (quote_revision_id, document_revision_id)
);

-- What stood in product_document moves over. The table itself stays for one version, which still reads it.
insert into document_category (name, audience)
  select min(d.category), 'Staff' from product_document d
  where d.category <> '' and not exists (select from document_category c where lower(c.name) = lower(d.category)) group by lower(d.category);
alter table document add column moved_from int;
insert into document (category_id, title, moved_from)
  select c.id, coalesce(nullif(min(d.title), ''), 'Document'), min(d.id)
  from product_document d join document_category c on lower(c.name) = coalesce(nullif(lower(d.category), ''), 'brochure')
  group by c.id, d.title, d.file_id;
insert into document_revision (document_id, file_id, valid_from)
  select n.id, d.file_id, f.created_at::date from document n join product_document d on d.id = n.moved_from join file f on f.id = d.file_id;
insert into document_link (document_id, product_id)
  select distinct n.id, d.product_id from product_document d
  join product_document first on first.title = d.title and first.file_id = d.file_id and lower(first.category) = lower(d.category)
  join document n on n.moved_from = first.id;
alter table document drop column moved_from;

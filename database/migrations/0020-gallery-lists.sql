-- Owner: pictures. What the gallery and its report look for among 300,000 places: those in use, those hidden from somebody, those removed.
-- Locks: product_image
create index product_image_live on product_image (product_id) where removed_at is null;
create index product_image_hidden on product_image (product_id) where hidden_roles <> '{}';
create index product_image_removed on product_image (removed_at) where removed_at is not null;

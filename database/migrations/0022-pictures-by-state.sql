-- Owner: pictures. Counts of pictures by state are read from a small index, not from all pictures.
-- Locks: picture
create index picture_state on picture (state);

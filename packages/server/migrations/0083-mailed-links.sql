-- The link while it waits for its mail; null before and after that, and for links that are not mailed.
alter table person_links add column url_sealed text;

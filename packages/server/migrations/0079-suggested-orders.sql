-- The order that the text of an entry names, or whose reported return was not taken: a suggestion for the person who resolves the item.
alter table rail_items add column suggested_payment_id uuid;

-- The people who count as the human who asked for an order outside. Orders of earlier rows name none.
alter table rail_payments add column people json;

-- The identities that count as the human who asked for payments that are made later. Payments of earlier rows name none.
alter table payment_batches add column people json not null default '[]';
alter table payment_schedules add column asker json;

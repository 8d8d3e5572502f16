-- Batches of payments whose items run from a time on. The error says why such a batch was not run.
alter table payment_batches add column scheduled_for timestamptz;
alter table payment_batches add column requires_funds bool;
alter table payment_batches add column error json;

-- How many events one request to an endpoint holds, and how long the first of them waits for others; null: one event a request.
alter table webhook_endpoints add column batch_events int4, add column batch_wait_ms int4;
alter table webhook_endpoints add constraint webhook_endpoints_batch check (
  (batch_events is null) = (batch_wait_ms is null) and batch_events between 1 and 100 and batch_wait_ms between 0 and 1000
);

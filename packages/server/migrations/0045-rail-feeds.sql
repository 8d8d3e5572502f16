-- How far the entries of a connector were read, and the job that reads on.
alter table rail_connections add column feed_cursor text;
alter table rail_connections add column feed_job_id uuid;

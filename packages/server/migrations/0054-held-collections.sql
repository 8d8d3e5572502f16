-- A collection that has settled may be held before its account is credited: for how many banking days, as its connection said when it was accepted; until when;
-- and the job that credits it, which is there as long as the money is in `paid-in`.
alter table rail_payments add column hold_days int4 not null default 0;
alter table rail_payments alter column hold_days drop default;
alter table rail_payments add column held_until timestamptz;
alter table rail_payments add column release_job_id uuid;
alter table rail_payments add constraint rail_payments_release
  check (release_job_id is null or (direction = 'PULL' and state = 'SETTLED' and held_until is not null));
update rail_routings r set connections = (
  select coalesce(json_agg((c::jsonb || '{"holdDays": 0}')::json order by n), '[]')
  from json_array_elements(r.connections) with ordinality each (c, n)
);

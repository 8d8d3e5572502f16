-- Which acts at a connection need a second token: {approval, payoutCeiling}; and the amount above which a credit waits for a person: creditCeiling.
-- Amounts are text.
alter table rail_connections add column control json not null default '{"approval": "NONE", "payoutCeiling": null, "creditCeiling": null}';
alter table rail_connections alter column control drop default;
-- The routing row has the ceiling and the calendar of each connection.
update rail_routings r set connections = (
  select coalesce(json_agg((c::jsonb || '{"payoutCeiling": null, "calendar": {"timeZone": "UTC", "holidays": []}}')::json order by n), '[]')
  from json_array_elements(r.connections) with ordinality each (c, n)
);

-- Acts that one token asked for and another one confirms or refuses. The request has what the act needs; it is judged again when it is confirmed.
create table rail_marks (
  platform_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  kind text not null,
  request json not null,
  state text not null,
  requested_by text not null,
  decided_by text,
  decided_at timestamptz,
  note text,
  result json,
  job_id uuid,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  constraint rail_marks_pkey primary key (platform_id, id),
  constraint rail_marks_state check (
    (state = 'WAITING' and decided_at is null and job_id is not null) or
    (state in ('CONFIRMED', 'REFUSED', 'EXPIRED') and decided_at is not null and job_id is null)
  ),
  constraint rail_marks_four_eyes check (decided_by is distinct from requested_by)
) with (fillfactor = 80);
create index rail_marks_waiting on rail_marks (platform_id, id) where state = 'WAITING';
create index rail_marks_connection on rail_marks (platform_id, connection_id, id);

-- HELD: it waits for a second token before it may be sent.
alter table rail_payments drop constraint rail_payments_state;
alter table rail_payments add constraint rail_payments_state check (
  state in ('HELD', 'QUEUED', 'SENDING', 'UNKNOWN', 'SENT', 'ACCEPTED', 'SETTLED', 'RETURNED', 'DECLINED', 'CANCELLED')
);
drop index rail_payments_open;
drop index rail_payments_state;
create index rail_payments_open on rail_payments (platform_id, connection_id, state, id)
  where state in ('HELD', 'QUEUED', 'SENDING', 'UNKNOWN', 'SENT', 'ACCEPTED');
create index rail_payments_state on rail_payments (platform_id, state, id)
  where state in ('HELD', 'QUEUED', 'SENDING', 'UNKNOWN', 'SENT', 'ACCEPTED');

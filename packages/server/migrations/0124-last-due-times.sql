-- The latest due time of a schedule that has a run. Schedules that were resumed, or got another rule, after a run was skipped ahead of its
-- time wait for that time again, and their job fails at the index of runs; with the time it goes on to the next one.
alter table payment_schedules add column last_due_at timestamptz;
update payment_schedules s
  set last_due_at = r.due_at
  from (
    select platform_id, schedule_id, max(due_at) as due_at
    from payment_schedule_runs where trigger = 'RULE' group by platform_id, schedule_id
  ) r
  where r.platform_id = s.platform_id and r.schedule_id = s.id;

/** Compares payment schedules with their runs, the payments that the runs made, and the jobs that they wait for. */

/** Each run that was made names a payment of its own; the schedule counts its runs. */
const RUNS_AND_PAYMENTS = `
  select 'payment_schedule_runs', 'run ' || r.id, 'its payment ' || r.transaction_id || ' is not there'
  from payment_schedule_runs r
  left join transactions t on t.platform_id = $1::uuid and t.id = r.transaction_id and t.type = 'OUTGOING'
  where r.platform_id = $1::uuid and r.transaction_id is not null and t.id is null
  union all
  select 'payment_schedule_runs', 'payment ' || r.transaction_id, count(*) || ' runs name it'
  from payment_schedule_runs r
  where r.platform_id = $1::uuid and r.transaction_id is not null
  group by r.transaction_id having count(*) > 1
  union all
  select 'payment_schedules', 'schedule ' || s.id, 'it counts ' || s.runs || ' runs, there are ' || made.count
  from payment_schedules s, lateral (
    select count(*) from payment_schedule_runs r
    where r.platform_id = $1::uuid and r.schedule_id = s.id and r.status in ('CREATED', 'REFUSED', 'WAITING')) made
  where s.platform_id = $1::uuid and s.runs <> made.count
  order by 1, 2`;

/** A schedule that is ACTIVE, and a run that is tried again, have a job. What it waits for has had no run. */
const JOBS_OF_SCHEDULES = `
  select 'payment_schedules', 'schedule ' || s.id, 'no job waits for its next run'
  from payment_schedules s left join jobs j on j.platform_id = $1::uuid and j.id = s.job_id
  where s.platform_id = $1::uuid and s.status = 'ACTIVE' and j.id is null
  union all
  select 'payment_schedules', 'schedule ' || s.id, 'it waits for a due time that has a run'
  from payment_schedules s
  join payment_schedule_runs r
    on r.platform_id = $1::uuid and r.schedule_id = s.id and r.trigger = 'RULE' and r.due_at = s.next_at
  where s.platform_id = $1::uuid
  union all
  select 'payment_schedule_runs', 'run ' || r.id, 'no job tries it again'
  from payment_schedule_runs r
  where r.platform_id = $1::uuid and r.status = 'WAITING' and not exists (
    select from jobs j
    where j.platform_id = $1::uuid and j.kind = 'retry-schedule-run' and j.payload ->> 'runId' = r.id::text)
  order by 1, 2`;

export const scheduleReconciliations: readonly string[] = [RUNS_AND_PAYMENTS, JOBS_OF_SCHEDULES];

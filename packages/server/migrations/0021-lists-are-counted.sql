-- A server of the version before that is in the middle of a commit ends it first, or is ended after its three seconds; what
-- it begins from here on fails. Nobody writes while rows are counted.
do $$
begin
  while exists (
    select 1 from pg_stat_activity
    where application_name = 'florin engine' and datname = current_database() and xact_start < now()
  ) loop
    perform pg_sleep(0.01);
    perform pg_stat_clear_snapshot();
  end loop;
end $$;
lock table platform_heads in share mode;

insert into list_totals
select platform_id, 'transactions', type || ' ' || status, count(*) from transactions group by 1, 3
union all
select platform_id, 'quotes', status, count(*) from quotes group by 1, 3
union all
select platform_id, 'customers', customer_type || case when deleted_at is null then ' live' else ' deleted' end, count(*)
from customers group by 1, 3
union all
select platform_id, 'internal_accounts',
  case when customer_id is null then 'platform ' else 'customer ' end || currency || ' ' || type, count(*)
from internal_accounts group by 1, 3
union all
select platform_id, 'external_accounts',
  case when customer_id is null then 'platform ' else 'customer ' end || currency ||
  case when deleted_at is null then ' live' else ' deleted' end, count(*)
from external_accounts group by 1, 3;

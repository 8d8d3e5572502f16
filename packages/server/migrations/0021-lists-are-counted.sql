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
select platform_id, list, floor(extract(epoch from created_at) / 86400), kind, count(*)
from (
  select platform_id, 'transactions' as list, created_at, type || ' ' || status as kind from transactions
  union all
  select platform_id, 'quotes', created_at, status from quotes
  union all
  select platform_id, 'customers', created_at,
    customer_type || case when deleted_at is null then ' live' else ' deleted' end
  from customers
  union all
  select platform_id, 'internal_accounts', created_at,
    case when customer_id is null then 'platform ' else 'customer ' end || currency || ' ' || type
  from internal_accounts
  union all
  select platform_id, 'external_accounts', created_at,
    case when customer_id is null then 'platform ' else 'customer ' end || currency ||
    case when deleted_at is null then ' live' else ' deleted' end
  from external_accounts
) rows
group by 1, 2, 3, 4;

/** Compares what positions have committed with the quotes under way. Each is about the platform $1. */

/** In production a quote that is executed and not over has its exchange committed in both currencies, and no other quote has. */
const COMMITTED = `
  with underway as (
    select q.sending_currency, q.receiving_currency, q.converted_minor, q.receiving_minor
    from quotes q join platforms p on p.platform_id = q.platform_id and p.id = q.platform_id
    where q.platform_id = $1::uuid and q.status = 'PROCESSING' and p.environment = 'PRODUCTION' and q.sending_currency <> q.receiving_currency
  ), wanted as (
    select currency, sum(minor) as minor from (
      select sending_currency, converted_minor from underway
      union all
      select receiving_currency, -receiving_minor from underway
    ) moves (currency, minor) group by 1
  ), stored as (
    select f.currency, f.committed_minor as minor from fx_positions f where f.platform_id = $1::uuid
  )
  select 'fx_positions', coalesce(s.currency, w.currency),
    coalesce(s.minor, 0) || ' is committed, quotes under way come to ' || coalesce(w.minor, 0)
  from stored s full join wanted w on w.currency = s.currency
  where coalesce(s.minor, 0) <> coalesce(w.minor, 0) order by 2`;

export const positionReconciliations: readonly string[] = [COMMITTED];

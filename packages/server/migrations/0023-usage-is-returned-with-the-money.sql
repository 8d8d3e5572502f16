-- When an agent's limits got back what an action used. Before, that happened when the payment failed, although its refund
-- was still to come or had failed. Such amounts are counted again, where they are in the currency of the policy.
alter table agent_actions add column usage_returned_at timestamptz;

update agents g set
  usage_day_count = g.usage_day_count + held.day_count,
  usage_day_minor = least(g.usage_day_minor + held.day_minor, 9000000000000000)::int8,
  usage_month_minor = least(g.usage_month_minor + held.month_minor, 9000000000000000)::int8
from (
  select a.platform_id, a.agent_id,
    count(*) filter (where used.day = a_g.usage_day) as day_count,
    coalesce(sum(a.counted_minor) filter (where used.day = a_g.usage_day), 0) as day_minor,
    coalesce(sum(a.counted_minor) filter (where left(used.day, 7) = left(a_g.usage_day, 7)), 0) as month_minor
  from agent_actions a
  join agents a_g on a_g.platform_id = a.platform_id and a_g.id = a.agent_id
  join transactions t on t.platform_id = a.platform_id and t.id = a.transaction_id
  cross join lateral (select to_char(a.executed_at at time zone 'UTC', 'YYYY-MM-DD') as day) used
  where a.status = 'FAILED' and t.refund ->> 'status' in ('PENDING', 'FAILED')
    and a.counted_currency = a_g.policy -> 'spendingLimits' ->> 'currency'
  group by a.platform_id, a.agent_id
) held
where g.platform_id = held.platform_id and g.id = held.agent_id;

update agent_actions a set usage_returned_at = a.updated_at
from transactions t, agents g
where t.platform_id = a.platform_id and t.id = a.transaction_id
  and g.platform_id = a.platform_id and g.id = a.agent_id
  and a.status = 'FAILED'
  and (
    coalesce(t.refund ->> 'status', 'COMPLETED') = 'COMPLETED'
    or a.counted_currency <> g.policy -> 'spendingLimits' ->> 'currency'
  );

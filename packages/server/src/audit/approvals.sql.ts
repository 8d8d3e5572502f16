/** Compares approvals with what came of them. Each is about the platform or workspace $1. */

/** The moves of the `adjustments` accounts: (account, currency, minor). */
export const MOVED_BY_ADJUSTMENTS = `
  select 'adjustments', t.currency, case t.direction when 'CREDIT' then -t.amount_minor else t.amount_minor end
  from adjustments t where t.platform_id = $1::uuid`;

const AGREED = `
  (select count(distinct d ->> 'by') from json_array_elements(t.decisions) d where d ->> 'outcome' = 'APPROVED')`;

/** Carried out is what enough people agreed to, and never by the agreement of the one who asked, but where that one was alone. */
const DECISIONS = `
  select 'approvals', t.id::text, 'is ' || t.state || ' with ' || ${AGREED} || ' of ' || t.approvals_needed || ' people'
  from approvals t
  where t.platform_id = $1::uuid and t.state in ('DONE', 'FAILED') and ${AGREED} < t.approvals_needed
  union all
  select 'approvals', t.id::text, 'was agreed to by the person who asked'
  from approvals t, json_array_elements(t.decisions) d
  where t.platform_id = $1::uuid and d ->> 'outcome' = 'APPROVED' and not (d ->> 'isOwn')::bool
    and (d ->> 'by' = 'Person:' || t.requester_id
      or exists (select from json_array_elements_text(t.requester_people) p where d ->> 'by' = 'Person:' || p.value))
  order by 2`;

/** An adjustment is of the approval that was carried out for it. */
const ADJUSTED = `
  select 'adjustments', a.id::text, 'its approval is ' || coalesce(t.state, 'not there')
  from adjustments a left join approvals t on t.platform_id = $1::uuid and t.id = a.approval_id
  where a.platform_id = $1::uuid and (t.state is distinct from 'DONE' or t.kind <> 'ADJUSTMENT' or t.result_id <> 'Adjustment:' || a.id)
  order by 2`;

export const approvalReconciliations: readonly string[] = [DECISIONS, ADJUSTED];

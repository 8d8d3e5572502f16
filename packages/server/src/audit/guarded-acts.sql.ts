/**
 * Compares acts of people with the approvals that they needed: ends of freezes and overridden rejections. The acts, and the policy at
 * their time, are in the audit entries, which the log's hashes cover. verify-approvals.ts checks the signatures.
 *
 * An entry cuts texts of more than 1,000 characters. After a policy that was cut, acts without an approval are not judged until the next
 * change of the policy. Entries from before the migration that set `guarded acts since` are not judged: versions before it did not hold
 * these acts back.
 */

import { freezeAccount, unfreezeAccount } from "../domain/accounts/freezes/freeze-account.ts";
import { freezeCustomer, unfreezeCustomer } from "../domain/customers/freeze-customer.ts";
import { reviewVerification } from "../domain/customers/verification/review-verification.ts";
import { type ApprovalKind, noteOf } from "../domain/people/approvals/approval-kinds.ts";
import { decideApproval } from "../domain/people/approvals/decide-approval.ts";
import { setPolicy } from "../domain/people/approvals/set-policy.ts";

const KINDS = ["UNFREEZE", "KYC_OVERRIDE"] as const satisfies readonly ApprovalKind[];
const ACTS = [
  unfreezeCustomer,
  unfreezeAccount,
  freezeCustomer,
  freezeAccount,
  reviewVerification,
  decideApproval,
].map(({ name }) => `'${name}'`);
const POLICY_ACTS = `'${setPolicy.name}', '${decideApproval.name}'`;

const waitsIn = (environment: "SANDBOX" | "PRODUCTION") =>
  Object.fromEntries(KINDS.map((kind) => [kind, noteOf(kind).defaults[environment].waits]));

/** Whether acts wait for approval when no policy was set, by environment and kind. */
const DEFAULTS = `'${JSON.stringify({ SANDBOX: waitsIn("SANDBOX"), PRODUCTION: waitsIn("PRODUCTION") })}'::json`;

/** The changes of an entry `e` as rows. */
const CHANGES = "json_to_recordset(e.changes::json) as c(field text, before json, after json)";

export const GUARDED_ACTS = `
  with policies as materialized (
    select e.command_seq, case json_typeof(c.after) when 'object' then c.after end as rules
    from audit_entries e, ${CHANGES}
    where e.platform_id = $1::uuid and e.act in (${POLICY_ACTS}) and c.field in ('rules', 'approval_policies.rules')
  ),
  changed as materialized (
    select e.command_seq, e.approval_id,
      case
        when c.field in ('frozen', 'customers.frozen', 'internal_accounts.frozen') and c.before #>> '{}' is not null
          and (c.after #>> '{}' is null or c.before #>> '{}' like '%"scope":"ALL"%' and c.after #>> '{}' like '%"scope":"DEBITS"%')
          then 'UNFREEZE'
        when c.field in ('status', 'verifications.status') and c.before #>> '{}' = 'REJECTED' and c.after #>> '{}' = 'APPROVED'
          then 'KYC_OVERRIDE'
      end as kind
    from audit_entries e, ${CHANGES}
    where e.platform_id = $1::uuid and e.actor_kind = 'person' and e.act in (${ACTS.join(", ")})
      and e.at >= (select value::timestamptz from deployment_facts where name = 'guarded acts since')
  ),
  judged as (
    select g.command_seq, g.kind, g.approval_id, t.state, t.kind as approval_kind,
      case
        when p.command_seq is not null and p.rules is null then 'unknown'
        else coalesce(p.rules -> g.kind ->> 'waits', ${DEFAULTS} -> own.environment ->> g.kind)
      end as waits
    from (select distinct command_seq, approval_id, kind from changed where kind is not null) g
    join platforms own on own.platform_id = $1::uuid and own.id = $1::uuid
    left join approvals t on t.platform_id = $1::uuid and t.id = g.approval_id
    left join lateral (
      select policies.command_seq, policies.rules from policies where policies.command_seq < g.command_seq
      order by policies.command_seq desc limit 1
    ) p on true
  )
  select 'audit_entries', 'command ' || command_seq,
    kind || case
      when approval_id is null then ' without an approval, which the policy of that time asked for'
      else ' by an approval that is ' || coalesce(approval_kind || ' and ' || state, 'not there')
    end
  from judged
  where case
    when approval_id is null then waits = 'true'
    else approval_kind is distinct from kind or state is distinct from 'DONE'
  end
  order by 2, 3`;

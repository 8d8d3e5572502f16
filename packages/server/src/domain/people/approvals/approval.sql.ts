/** Reads of approvals, of the policies behind them, and of the adjustments that came of them. */
import type { Reads } from "../../../postgres/database.ts";
import {
  type Condition,
  type ListPage,
  type ListQuery,
  listPage,
  listRows,
  tableSource,
} from "../../../tables/list-query.ts";
import { type Adjustment, adjustments } from "../../payments/adjustments/adjustment.ts";
import { toPersonId } from "../person.ts";
import { type Approval, approvals } from "./approval.ts";
import { type ApprovalPolicy, approvalPolicies } from "./approval-policy.ts";
import type { Approver } from "./decide-approval.ts";

const source = tableSource(approvals);

export function listApprovals(reads: Reads, query: ListQuery): Promise<ListPage<Approval>> {
  return listPage(reads, source, query);
}

/** A page without a count, for a list over several platforms. */
export function approvalRows(reads: Reads, query: ListQuery) {
  return listRows(reads, source, query);
}

/** What `ruleAgainst` says, for a list. */
export function decidableBy(approver: Approver): readonly (Condition | undefined)[] {
  const { personId, lineage, sameHuman, capabilities, isSuspended, isAlone } = approver;
  const others = [...new Set([...lineage, ...sameHuman])];
  return [
    { sql: isSuspended ? "false" : "t.state = 'PENDING'" },
    { sql: "t.capabilities::jsonb <@ ?::jsonb", value: JSON.stringify([...capabilities]) },
    ...(isAlone ? [] : others.flatMap(notAskedBy)),
    { sql: "not t.gainers::jsonb @> ?::jsonb", value: JSON.stringify([personId]) },
    ...sameHuman.map((id) => ({
      sql: "not t.decisions::jsonb @> ?::jsonb",
      value: JSON.stringify([{ by: toPersonId(id) }]),
    })),
  ];
}

function notAskedBy(id: string): readonly Condition[] {
  return [
    { sql: "t.requester_id is distinct from ?::uuid", value: id },
    { sql: "not t.requester_people::jsonb @> ?::jsonb", value: JSON.stringify([id]) },
  ];
}

export function listAdjustments(reads: Reads, query: ListQuery): Promise<ListPage<Adjustment>> {
  return listPage(reads, tableSource(adjustments), query);
}

const byId = {
  name: "approvals/get",
  text:
    `select ${approvals.selectList("t")} from approvals t ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid",
};

export async function findApproval(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<Approval | undefined> {
  const [approval] = await reads.rows(approvals, byId, [platformId, id]);
  return approval;
}

const policyOf = {
  name: "approval_policies/get",
  text:
    `select ${approvalPolicies.selectList("t")} from approval_policies t ` +
    "where t.platform_id = $1::uuid and t.id = $1::uuid",
};

/** Undefined where every rule has its default. */
export async function findApprovalPolicy(
  reads: Reads,
  platformId: string,
): Promise<ApprovalPolicy | undefined> {
  const [policy] = await reads.rows(approvalPolicies, policyOf, [platformId]);
  return policy;
}

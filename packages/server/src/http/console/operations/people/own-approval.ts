/** An approval as a person of the console is shown it: with what the person may do about it now. */
import Type from "typebox";
import {
  type ApproverRule,
  mayReject,
  ruleAgainst,
} from "../../../../domain/people/approvals/decide-approval.ts";
import { approverOf } from "../../../../domain/people/approvals/eligible-people.ts";
import { ApprovalSchema, approvalExample } from "../../../../wire/people/approval.ts";
import type { Services } from "../../../request/services.ts";
import { type FoundApproval, seenApproval } from "./find-approval.ts";

const RULES = [
  "CAPABILITY",
  "SUSPENDED",
  "REQUESTER",
  "SAME_HUMAN",
  "GAINS",
  "DECIDED_ALREADY",
] as const satisfies readonly ApproverRule[];

export const OwnApprovalSchema = Type.Object({
  ...ApprovalSchema.properties,
  mayDecide: Type.Boolean({ description: "Whether you may decide about it now." }),
  rule: Type.Optional(
    Type.Enum([...RULES], { description: "Why you may not decide about one that is `PENDING`." }),
  ),
  mayReject: Type.Boolean({ description: "Whether you may refuse it now." }),
  mayCancel: Type.Boolean({ description: "Whether you may take it back now." }),
});

export const ownApprovalExample = {
  ...approvalExample,
  mayDecide: true,
  mayReject: true,
  mayCancel: false,
};

export function ownApprovalJson(services: Services, found: FoundApproval): string {
  const { approval, person, place } = found;
  const isPending = approval.state === "PENDING";
  const rule = isPending ? ruleAgainst(approval, approverOf(person, place)) : undefined;
  const own = JSON.stringify({
    mayDecide: isPending && rule === undefined,
    rule,
    mayReject: isPending && mayReject(rule),
    mayCancel: isPending && approval.requesterId === person.id,
  });
  return `${seenApproval(services, found, approval).slice(0, -1)},${own.slice(1)}`;
}

import Type from "typebox";
import { noteOf } from "../../../../domain/people/approvals/approval-kinds.ts";
import { commentApproval as commentApprovalCommand } from "../../../../domain/people/approvals/comment-approval.ts";
import { capabilitiesIn } from "../../../../domain/people/approvals/eligible-people.ts";
import { filledText } from "../../../../wire/fields.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { wireApprovalComment } from "../../../../wire/people/approval-comment.ts";
import { shown } from "../../../request/noun.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { maskAnswer } from "../../masking.ts";
import { type FoundApproval, requireApproval } from "./find-approval.ts";

const LONGEST_COMMENT = 1_000;

/** The person asked, could ask for an order of this kind, or could decide about it. */
export function isConcerned({ approval, person, place }: FoundApproval): boolean {
  const held = capabilitiesIn(person, place.platform);
  return (
    approval.requesterId === person.id ||
    held.has(noteOf(approval.kind).asks) ||
    approval.capabilities.every((one) => held.has(one))
  );
}

const commentApproval = defineOperation({
  id: "commentApproval",
  ...route("POST /workspace/approvals/{approvalId}/comments", "PERSON"),
  tag: "Approvals",
  summary: "Comment on an order",
  description:
    "Of those who ask for orders of its kind and those who decide about them, whether it waits or has ended. A comment is never changed and never deleted, and no passkey signs it.",
  params: Type.Object({ approvalId: pathId("Approval") }),
  body: Type.Object({ comment: filledText(LONGEST_COMMENT) }),
  requestExample: { comment: wireApprovalComment.example.comment },
  answers: { 201: shown(wireApprovalComment, "The comment.") },
  refusals: ["INVALID_INPUT", "APPROVAL_NOT_FOUND", "APPROVAL_NOT_YOURS", "CONFLICT"],
  async handle({ principal, params: { approvalId }, body, idempotency }, services: Services) {
    const found = await requireApproval(services, principal, approvalId);
    const { platformId, isClear, person } = found;
    const answer = await submitForCaller(
      services.engine,
      { ...principal, platformId },
      {
        command: commentApprovalCommand,
        input: {
          approvalId: found.approval.id,
          authorId: person.id,
          authorName: person.name,
          comment: body.comment,
          isConcerned: isConcerned(found),
        },
        toAnswer: (comment) => ({ status: 201, body: wireApprovalComment.json(comment) }),
        idempotency,
      },
    );
    return isClear ? answer : maskAnswer(answer);
  },
});

export const approvalCommentOperations = [commentApproval];

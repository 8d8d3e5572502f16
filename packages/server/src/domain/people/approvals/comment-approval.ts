/** A comment of a person on an order that waits or has ended. It is never changed and never deleted, and it is in no event. */
import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { defineLookup, defineTable, fixed, type RowOf } from "../../../tables/tables.ts";
import { approvals } from "./approval.ts";

const columns = {
  id: fixed("uuid"),
  approvalId: fixed("uuid"),
  authorId: fixed("uuid"),
  /** The author's name at the time of the comment. */
  authorName: fixed("text"),
  comment: fixed("text"),
  createdAt: fixed("time"),
};

export interface ApprovalComment extends RowOf<typeof columns> {}

export const approvalComments = defineTable<ApprovalComment>("approval_comments", columns, {
  isFinal: () => true,
});

const commentsOf = defineLookup(approvalComments, { by: "approvalId" });

/** The answer that shows an approval has all of its comments. */
export const MOST_COMMENTS = 100;

export interface CommentApprovalInput
  extends Pick<ApprovalComment, "approvalId" | "authorId" | "authorName" | "comment"> {
  /** Whether the person could ask for orders of this kind, or decide about them. */
  readonly isConcerned: boolean;
}

/**
 * Adds a comment. Refuses, in this order: an unknown approval; with APPROVAL_NOT_YOURS a person who neither asked nor could decide; one
 * comment too many.
 */
export const commentApproval: Command<CommentApprovalInput, ApprovalComment> = {
  name: "comment-approval",
  needs: (_world, { approvalId }) => [approvals.ref(approvalId), commentsOf.of(approvalId)],
  decide(world, { isConcerned, ...input }) {
    if (world.find(approvals.ref(input.approvalId)) === undefined)
      throw new Refusal("APPROVAL_NOT_FOUND");
    if (!isConcerned) {
      const message =
        "Those who ask for such an order, and those who decide about it, comment on it.";
      throw new Refusal("APPROVAL_NOT_YOURS", { rule: "NOT_CONCERNED" }, message);
    }
    if (world.all(commentsOf.of(input.approvalId)).length >= MOST_COMMENTS) {
      const message = `An approval has ${MOST_COMMENTS} comments at most.`;
      throw new Refusal("CONFLICT", { limit: MOST_COMMENTS }, message);
    }
    return world.put(approvalComments, { id: world.newId(), ...input, createdAt: world.at });
  },
};

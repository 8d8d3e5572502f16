import type { ApprovalComment } from "../../domain/people/approvals/comment-approval.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const author = wireObject({}, ({ of }: Kit<ApprovalComment>) => ({
  id: of.id("Person", { from: "authorId", description: "`Person:<uuid>`", example: 20 }),
  name: of.text({
    from: "authorName",
    description: "As the person was called then.",
    example: "Ada Lovelace",
  }),
}));

export const wireApprovalComment = wireObject(
  "ApprovalComment",
  ({ of }: Kit<ApprovalComment>) => ({
    id: of.id("ApprovalComment", { description: "`ApprovalComment:<uuid>`", example: 42 }),
    author: of.object(author, { from: (comment) => comment }),
    comment: of.text({ example: "Is this the invoice of May?" }),
    createdAt: of.time({ example: "2026-11-21T10:05:00.000Z" }),
  }),
);

import type { Reads } from "../../../postgres/database.ts";
import { type ApprovalComment, approvalComments, MOST_COMMENTS } from "./comment-approval.ts";

const ofApproval = {
  name: "approval_comments/of-approval",
  text:
    `select ${approvalComments.selectList("t")} from approval_comments t where t.platform_id = $1::uuid ` +
    `and t.approval_id = $2::uuid order by t.id limit ${MOST_COMMENTS}`,
};

/** The comments on an approval, the first one first. */
export function findComments(
  reads: Reads,
  platformId: string,
  approvalId: string,
): Promise<readonly ApprovalComment[]> {
  return reads.rows(approvalComments, ofApproval, [platformId, approvalId]);
}

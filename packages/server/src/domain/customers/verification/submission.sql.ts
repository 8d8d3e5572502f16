import type { Reads } from "../../../postgres/database.ts";
import { type VerificationSubmission, verificationSubmissions } from "./submission.ts";

const lastTwo = {
  name: "verification-submissions/last-two",
  text:
    `select ${verificationSubmissions.selectList("t")} from verification_submissions t ` +
    "where t.platform_id = $1::uuid and t.customer_id = $2::uuid and t.id <= (select l.id from verification_submissions l " +
    "where l.platform_id = $1::uuid and l.verification_id = $3::uuid order by l.id desc limit 1) order by t.id desc limit 2",
};

/** The last submission of this verification, and the submission of the customer before it. None of a time before they were kept. */
export async function findSubmissions(
  reads: Reads,
  platformId: string,
  { id, customerId }: { readonly id: string; readonly customerId: string },
): Promise<readonly VerificationSubmission[]> {
  return reads.rows(verificationSubmissions, lastTwo, [platformId, customerId, id]);
}

import type { Reads } from "../../postgres/database.ts";
import { type PaymentApproval, paymentApprovals } from "./payment-approval.ts";

const byId = {
  name: "payment_approvals/get",
  text:
    `select ${paymentApprovals.selectList("t")} from payment_approvals t ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid",
};

/** The approval of a transaction; undefined when the platform had no endpoint. */
export async function findPaymentApproval(
  reads: Reads,
  platformId: string,
  transactionId: string,
): Promise<PaymentApproval | undefined> {
  const [approval] = await reads.rows(paymentApprovals, byId, [platformId, transactionId]);
  return approval;
}

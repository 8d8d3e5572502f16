import Type from "typebox";
import { toInternalAccountId } from "../../domain/accounts/internal/internal-account.ts";
import {
  type Adjustment,
  adjustmentDirections,
  adjustmentReasons,
  toAdjustmentId,
} from "../../domain/payments/adjustments/adjustment.ts";
import { toApprovalId } from "../../domain/people/approvals/approval.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { amountJson, CurrencyAmountSchema, DateTimeSchema, optional } from "../fields.ts";

export const AdjustmentSchema = Type.Object(
  {
    id: Type.String({ description: "`Adjustment:<uuid>`" }),
    amount: CurrencyAmountSchema,
    accountId: Type.String({ description: "`InternalAccount:<uuid>`" }),
    direction: Type.Enum([...adjustmentDirections], { description: "As the account sees it." }),
    reasonCode: Type.Enum([...adjustmentReasons]),
    note: Type.String(),
    documentId: Type.Optional(Type.String({ description: "`Document:<uuid>`" })),
    approvalId: Type.String({ description: "Who asked and who agreed." }),
    requestedBy: Type.String({ description: "`Person:<uuid>` or `Token:<uuid>`" }),
    postedAt: DateTimeSchema,
  },
  { $id: "Adjustment" },
);

export function adjustmentJson(adjustment: Adjustment): string {
  const { documentId } = adjustment;
  const members = {
    accountId: toInternalAccountId(adjustment.accountId),
    direction: adjustment.direction,
    reasonCode: adjustment.reasonCode,
    note: adjustment.note,
    ...optional("documentId", documentId === null ? null : toWireId("Document", documentId)),
    approvalId: toApprovalId(adjustment.approvalId),
    requestedBy: adjustment.requestedBy,
    postedAt: toIso(adjustment.createdAt),
  };
  const amount = amountJson(adjustment.amountMinor, adjustment.currency);
  return `{"id":"${toAdjustmentId(adjustment.id)}","amount":${amount},${JSON.stringify(members).slice(1)}`;
}

export const adjustmentExample = {
  id: "Adjustment:019a4f00-0000-7000-8000-000000000042",
  amount: { amount: 1250, currency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 } },
  accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
  direction: "CREDIT",
  reasonCode: "GOODWILL",
  note: "Apology for the late payout",
  approvalId: "Approval:019a4f00-0000-7000-8000-000000000041",
  requestedBy: "Token:019a4f00-0000-7000-8000-000000000007",
  postedAt: "2026-11-21T11:00:00.000Z",
};

import {
  type Adjustment,
  adjustmentDirections,
  adjustmentReasons,
} from "../../domain/payments/adjustments/adjustment.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const {
  schema: AdjustmentSchema,
  json: adjustmentJson,
  example: adjustmentExample,
} = wireObject("Adjustment", ({ of, maybe }: Kit<Adjustment>) => ({
  id: of.id("Adjustment", { description: "`Adjustment:<uuid>`", example: 42 }),
  amount: of.amount("amountMinor", { example: 1250n }),
  accountId: of.id("InternalAccount", { description: "`InternalAccount:<uuid>`", example: 2 }),
  direction: of.enum(adjustmentDirections, {
    description: "As the account sees it.",
    example: "CREDIT",
  }),
  reasonCode: of.enum(adjustmentReasons, { example: "GOODWILL" }),
  note: of.text({ example: "Apology for the late payout" }),
  documentId: maybe.id("Document", { description: "`Document:<uuid>`" }),
  approvalId: of.id("Approval", { description: "Who asked and who agreed.", example: 41 }),
  requestedBy: of.text({
    description: "`Person:<uuid>` or `Token:<uuid>`",
    example: "Token:019a4f00-0000-7000-8000-000000000007",
  }),
  postedAt: of.time({ from: "createdAt", example: "2026-11-21T11:00:00.000Z" }),
}));

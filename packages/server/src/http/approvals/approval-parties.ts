/** The parties of approvals: who pays and who is paid by what was asked for, and who asked. */
import type { Approval } from "../../domain/people/approvals/approval.ts";
import { type PartyReference, referenceTo } from "../../domain/reading/parties/party.ts";
import type { PaymentParties } from "../../domain/reading/parties/payment-parties.ts";
import { isJsonObject, type Json, type JsonObject } from "../../std/json.ts";

/** Only payments and adjustments have sides. */
export function partiesOfApproval(
  { requestedBy, kind }: Approval,
  content: JsonObject,
): PaymentParties {
  const by = referenceTo(requestedBy);
  if (kind !== "PAYMENT" && kind !== "ADJUSTMENT") return { by };
  const { source, destination, accountId, direction } = content;
  const [from, to] = direction === "CREDIT" ? [undefined, accountId] : [accountId, undefined];
  return {
    from: sideOf(source) ?? sideOf({ accountId: from ?? null }),
    to: sideOf(destination) ?? sideOf({ accountId: to ?? null }),
    by,
  };
}

export function sideOf(side: Json | undefined): PartyReference | undefined {
  if (side === undefined || !isJsonObject(side)) return undefined;
  const { accountId, umaAddress } = side;
  if (typeof umaAddress === "string") return { kind: "UMA", address: umaAddress };
  return typeof accountId === "string" ? referenceTo(accountId) : undefined;
}

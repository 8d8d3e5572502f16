/** The approval of a rejected verification as an order: its content, and its input when people have agreed. */

import Type, { type Static } from "typebox";
import type { OverrideRejectionInput } from "../../../domain/customers/verification/override-rejection.ts";
import { findVerification } from "../../../domain/customers/verification/verification.sql.ts";
import { toVerificationId } from "../../../domain/customers/verification/verification.ts";
import type { Approval } from "../../../domain/people/approvals/approval.ts";
import { requireId } from "../../../wire/ids.ts";
import type { Services } from "../../request/services.ts";
import { decisionBody } from "./decision-body.ts";

export function requireVerificationId(wireId: string): string {
  return requireId("Verification", wireId, "REFERENCE_NOT_FOUND");
}

export const OverrideContent = Type.Object({
  verificationId: Type.String(),
  outcome: Type.Literal("APPROVED"),
  note: decisionBody.properties.note,
});

/** With the rejection, where there is one. Any other decision does not wait, so its content is stored nowhere. */
export async function decisionContent(
  { reads }: Pick<Services, "reads">,
  platformId: string,
  { verificationId, ...body }: Pick<Static<typeof OverrideContent>, "verificationId">,
): Promise<object> {
  const verification = await findVerification(reads, platformId, verificationId);
  const content = { ...body, verificationId: toVerificationId(verificationId) };
  if (verification?.status !== "REJECTED") return content;
  const { decidedBy, decisionReason, decisionNote } = verification;
  const rejection = { decidedBy, reasonCode: decisionReason, note: decisionNote };
  return { ...content, rejection };
}

export function overrideInput(
  { verificationId, note }: Static<typeof OverrideContent>,
  { requestedBy }: Pick<Approval, "requestedBy">,
): OverrideRejectionInput {
  const id = requireVerificationId(verificationId);
  return { verificationId: id, by: requestedBy, note: note ?? null };
}

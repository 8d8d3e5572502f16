/** The stamp by which the owner of an embedded wallet agrees to a quote. */
import type { Environment } from "../../../domain/platforms/platform.ts";
import type { HeaderNote } from "../../operation.ts";
import { SANDBOX_WORD } from "../../owner-proof.ts";

export const ownerSignatureHeader: HeaderNote = {
  name: "Service-Wallet-Signature",
  description: "Required when the source is an embedded wallet, ignored otherwise.",
};

export function isSignedByOwner(
  environment: Environment,
  headers: Readonly<Record<string, string | undefined>>,
): boolean {
  return environment === "SANDBOX" && headers["service-wallet-signature"] === SANDBOX_WORD;
}

/** How `florin verify` checks the signed approvals of people. */
import { createHash } from "node:crypto";
import type { ApprovalChecks } from "../../audit/verify-approvals.ts";
import { contentIdentity } from "../../domain/people/approvals/approval.ts";
import { showingIdentity } from "../../domain/people/approvals/shown/kept-showing.ts";
import { createPasskeys } from "../../outside/people/passkeys/passkeys.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import type { JsonObject } from "../../std/json.ts";

export function approvalChecks(sealer: Sealer): ApprovalChecks {
  const passkeys = createPasskeys();
  return {
    async isSigned(assertion, challenge) {
      const { credentialId, publicKey, backupEligible, rpId, origin, ...proof } = assertion;
      const login = await passkeys.verify({
        passkey: {
          credentialId,
          publicKey,
          rpIdHash: createHash("sha256").update(rpId).digest("base64url"),
          origin,
          // The counter was checked when the assertion was made; with zero every counter passes here.
          signCount: 0,
          backupEligible,
          transports: [],
        },
        challenge,
        assertion: { credentialId, ...proof },
      });
      return login.kind === "proven" && login.userVerified;
    },
    open: (platformId, { contentSealed, sealId }) =>
      JSON.parse(
        sealer.open(contentSealed, contentIdentity(platformId, sealId)).toString("utf8"),
      ) as JsonObject,
    openShowing: (platformId, { textSealed, sealId }) =>
      sealer.open(textSealed, showingIdentity(platformId, sealId)).toString("utf8"),
  };
}

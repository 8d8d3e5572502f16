import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { platforms } from "../../platform.ts";
import { customers } from "../customer.ts";
import {
  LINK_LIFE_MS,
  linkHandle,
  type VerificationLink,
  verificationLinks,
} from "./verification-link.ts";

export interface CreateVerificationLinkInput {
  readonly customerId: string;
  readonly codeHash: string;
  /** Validated before the command: a URL that a browser may be redirected to. */
  readonly redirectUri: string | undefined;
  /** Whether the operator has set the public URL of this deployment. */
  readonly hasPublicUrl: boolean;
}

/**
 * Creates a link for a customer, whatever the status of its checks. Earlier links stay valid. Refuses, in this order: an
 * unknown customer, a deleted one, a production platform on a deployment without a public URL.
 */
export const createVerificationLink: Command<CreateVerificationLinkInput, VerificationLink> = {
  name: "create-verification-link",
  needs: (world, { customerId }) => [platforms.ref(world.platformId), customers.ref(customerId)],
  decide(world, { customerId, codeHash, redirectUri, hasPublicUrl }) {
    const customer = world.find(customers.ref(customerId));
    if (customer === undefined) throw new Refusal("USER_NOT_FOUND");
    if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
    const { environment } = world.get(platforms.ref(world.platformId));
    if (environment === "PRODUCTION" && !hasPublicUrl) {
      throw new Refusal("VERIFICATION_LINKS_NOT_CONFIGURED", { reason: "PUBLIC_URL is not set" });
    }

    world.claimHandle(linkHandle(codeHash));
    return world.put(verificationLinks, {
      id: world.newId(),
      codeHash,
      customerId,
      redirectUri: redirectUri ?? null,
      expiresAt: world.at + LINK_LIFE_MS,
      usedAt: null,
      createdAt: world.at,
    });
  },
};

/**
 * The answer about a user, once the lookup is verified. The same reads are made for every user; only for one who can be paid a token is
 * sealed and the answer is signed. Nothing is written.
 */
import type { CallbackTokens } from "../../../domain/uma/receiving/callback-token.ts";
import { lookupReceiver } from "../../../domain/uma/receiving/lookup-receiver.ts";
import { writeLookupAnswer } from "../../../formats/uma/lookup-message.ts";
import { UMA_VERSION } from "../../../formats/uma/version.ts";
import type { OwnKeyTools } from "../../operations/uma/own-keys.ts";
import type { Services } from "../../request/services.ts";
import { callbackOrigin } from "../callback-url.ts";
import { createPaymentFacts } from "../payment-facts.ts";
import { type FaultySignatureTools, signWith } from "../sandbox-faults.ts";
import { umaError, unknownUser } from "../uma-answer.ts";
import { lookupAnswer } from "./lookup-answer.ts";
import type { LookupTools } from "./lookups.ts";

export interface LookupAnswerTools
  extends OwnKeyTools,
    FaultySignatureTools,
    Pick<Services, "publicUrl"> {
  readonly callbackTokens: Pick<CallbackTokens, "make">;
}

export function createLookupAnswers(tools: LookupAnswerTools): LookupTools["answer"] {
  const paymentFacts = createPaymentFacts(tools);
  return async (verified, { served, isAmongSandboxes }, fault) => {
    const { platformId, address, vaspDomain, signedAddress } = verified;
    const { key, ...facts } = await paymentFacts({ platformId, address, isAmongSandboxes });
    const now = tools.clock.now();
    if (key.notAfter <= now) return expiredKey;
    const receiver = lookupReceiver(facts);
    // While no connection makes invoices no user can be paid: the answer tells nothing of this one, and is not counted as a search for users.
    if (receiver === undefined) return facts.assets.length === 0 ? unknownUser : undefined;
    const grant = { platformId, customerId: receiver.customer.id, address, vaspDomain };
    const made = { umaVersion: UMA_VERSION, at: now, isAmongSandboxes };
    const token = tools.callbackTokens.make({ ...grant, ...made });
    const origin = callbackOrigin(served, tools.publicUrl());
    const answer = lookupAnswer({
      platform: facts.platform,
      receiver,
      signedAddress,
      callback: `${origin}/uma/pay/${token}`,
      signature: await signWith(tools, fault, {
        ...{ platformId, key, vaspDomain },
        ...{ addresses: [signedAddress], kind: "lookup-answer" },
      }),
    });
    const umaVersion = fault === "VERSION_0_3" ? "0.3" : UMA_VERSION;
    return { status: 200, body: writeLookupAnswer({ ...answer, umaVersion }) };
  };
}

const expiredKey = umaError(
  424,
  "CERT_CHAIN_EXPIRED",
  "The certificate of the key that signs here has expired.",
);

/** Asks other institutions about the receivers at their addresses. */
import type { RefusalCode } from "../../../engine/refusal.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { CounterpartyKeys } from "../keys/counterparty-keys.port.ts";
import type { UmaKey } from "../keys/uma-key.ts";
import type { LookedUp } from "./looked-up.ts";

export interface LookupQuestion {
  readonly platformId: string;
  /** The normalized address that is looked up. */
  readonly receiver: string;
  /** The domain under which the platform asks. */
  readonly ownDomain: string;
  readonly isSubjectToTravelRule: boolean;
  /** The key that signs the request. */
  readonly key: UmaKey;
}

/** The keys that a domain publishes, with the version of the answer that they have signed. */
export interface Signer {
  readonly keys: CounterpartyKeys;
  /** Undefined when the policy refuses the keys, before anything is asked. */
  readonly version: string | undefined;
}

export interface FoundOutside {
  readonly kind: "found";
  readonly signer: Signer;
  readonly answer: LookedUp;
  /** The answer as it came. */
  readonly body: string;
}

export interface LookupRefused {
  readonly kind: "refused";
  readonly code: RefusalCode;
  readonly details: JsonObject;
  /** Undefined when no signature held and the policy has nothing against the keys. */
  readonly signer?: Signer | undefined;
}

export type LookupOutcome = FoundOutside | LookupRefused;

export interface OutsideLookups {
  /** Host time decides about signatures and nonces. Never rejects because of the other side. */
  ask(question: LookupQuestion): Promise<LookupOutcome>;
}

/** The answers that were accepted, for all servers. */
export interface AcceptedAnswers {
  /** False when the platform has accepted the same answer before. `signedAt` is its own time, in milliseconds. */
  use(
    platformId: string,
    answer: {
      readonly kind: "lookup-answer" | "pay-answer";
      readonly domain: string;
      readonly text: string;
      readonly signedAt: number;
    },
  ): Promise<boolean>;
}

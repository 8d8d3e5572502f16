/** Policies and counterparties, for what exchanges messages with other institutions. Answers may be a second old. */
import type { CounterpartyKeys } from "../keys/counterparty-keys.port.ts";
import type { CounterpartyFacts, CounterpartyFault } from "./judge-counterparty.ts";
import type { CounterpartyOverrides } from "./uma-counterparty.ts";
import type { NetworkChoice, UmaPolicy } from "./uma-policy.ts";

/** The keys that were fetched stand in place of what they say. */
export interface ExchangeFacts extends Omit<CounterpartyFacts, "keys"> {
  readonly keys?: CounterpartyKeys | undefined;
}

export interface UmaPolicies {
  /**
   * Judges by what is known so far: call it before the keys are fetched, and again with them. Undefined when nothing speaks against the
   * exchange. `domain` is in lower case and may have a port.
   */
  judge(
    platformId: string,
    domain: string,
    facts: ExchangeFacts,
  ): Promise<CounterpartyFault | undefined>;
  /** The policy with what the platform has set otherwise for this domain. */
  settingsFor(platformId: string, domain: string): Promise<UmaPolicy & CounterpartyOverrides>;
  /** Of a sandbox; every other platform has `SIMULATED`. */
  networkOf(platformId: string): Promise<NetworkChoice>;
  /** Forgets all entries, after a change on this server. */
  forget(): void;
}

/** What a message whose signature held tells about its sender. */
export interface Sighting {
  readonly platformId: string;
  readonly domain: string;
  readonly version: string | undefined;
  readonly keys: Pick<CounterpartyKeys, "signingKey">;
}

/** Notes counterparties. No message waits for it. */
export interface CounterpartySightings {
  /** Call it also for a message that the policy refuses because of its key. */
  note(sighting: Sighting): void;
  /** The keys of a domain could not be used because their certificates have expired. */
  noteExpired(platformId: string, domain: string): void;
  /** The domain has asked for so many unknown users that it is sent away for a time: call it once for each time. */
  noteProbing(platformId: string, domain: string): void;
}

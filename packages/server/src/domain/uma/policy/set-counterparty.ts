/** What a platform sets about another institution. */
import type { Command } from "../../../engine/command.ts";
import { invalidField, Refusal, wrongState } from "../../../engine/refusal.ts";
import { platforms } from "../../platform.ts";
import {
  type CounterpartyOverrides,
  type CounterpartyRoom,
  type CounterpartyStatus,
  counterpartyByDomain,
  makeRoom,
  newCounterparty,
  refuseFull,
  roomRefs,
  type UmaCounterparty,
  umaCounterparties,
} from "./uma-counterparty.ts";

export interface SetCounterpartyInput {
  readonly domain: string;
  readonly status: CounterpartyStatus;
  readonly overrides: CounterpartyOverrides;
  readonly room: CounterpartyRoom;
}

/**
 * Sets the status and the overrides of a counterparty, which is made when it is unknown. Refuses, in this order: a domain of the platform
 * itself; one more when all that there may be have a status.
 */
export const setCounterparty: Command<SetCounterpartyInput, UmaCounterparty> = {
  name: "set-uma-counterparty",
  needs: (world, { domain, room }) => [
    platforms.ref(world.platformId),
    counterpartyByDomain.of(domain),
    ...roomRefs(room),
  ],
  decide(world, { domain, status, overrides, room }) {
    const { umaDomains } = world.get(platforms.ref(world.platformId));
    if (umaDomains.includes(domain))
      throw invalidField("domain", "is a domain of the platform itself");
    const [found] = world.all(counterpartyByDomain.of(domain));
    if (found === undefined) refuseFull(room);

    if (found === undefined) makeRoom(world, room);
    const before = found ?? newCounterparty(world, domain);
    return world.put(umaCounterparties, { ...before, status, overrides, updatedAt: world.at });
  },
};

export interface AcceptKeyInput {
  readonly domain: string;
  /** The key that the person has looked at; any when undefined. */
  readonly fingerprint: string | undefined;
}

/**
 * Accepts the changed signing key of a counterparty whose keys are pinned. Refuses, in this order: an unknown counterparty; one without a
 * key to accept; another key than the one that was looked at.
 */
export const acceptKey: Command<AcceptKeyInput, UmaCounterparty> = {
  name: "accept-uma-counterparty-key",
  needs: (_world, { domain }) => [counterpartyByDomain.of(domain)],
  decide(world, { domain, fingerprint }) {
    const [found] = world.all(counterpartyByDomain.of(domain));
    if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    if (found.keyState !== "CHANGED")
      throw wrongState({
        object: "key",
        status: found.keyState,
        needed: "CHANGED",
        action: "accepted",
      });
    if (fingerprint !== undefined && fingerprint !== found.keyFingerprint) throw changedAgain();

    return world.put(umaCounterparties, { ...found, keyState: "OK", updatedAt: world.at });
  },
};

function changedAgain(): Refusal {
  const message = "The counterparty has another key now: look at it again before accepting it.";
  return new Refusal("CONFLICT", { field: "fingerprint" }, message);
}

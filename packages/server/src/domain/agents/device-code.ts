/**
 * A device code: a person gives it to an agent, which redeems it once for its access token. LIVE → REDEEMED, EXPIRED (by
 * time), or VOID (replaced by another code). Only its hash is stored; a lost code is replaced by a new one.
 */
import type { World } from "../../engine/command.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../tables/tables.ts";

const columns = {
  id: fixed("uuid"),
  agentId: fixed("uuid"),
  codeHash: fixed("text"),
  /** Ids of the people who issued the code. */
  people: fixed<readonly string[]>("json"),
  createdAt: fixed("time"),
  expiresAt: fixed("time"),
  redeemedAt: mutable<number | null>("time"),
  voidedAt: mutable<number | null>("time"),
};

export interface DeviceCode extends RowOf<typeof columns> {}

export const deviceCodes = defineTable<DeviceCode>("agent_device_codes", columns, {
  isFinal: (code) => code.redeemedAt !== null || code.voidedAt !== null,
});

export const deviceCodesByHash = defineLookup(deviceCodes, { by: "codeHash" });

/** The live code of an agent, expired or not: one at most. */
export const liveCodesOf = defineLookup(deviceCodes, {
  by: "agentId",
  where: {
    sql: "t.redeemed_at is null and t.voided_at is null",
    holds: (code) => code.redeemedAt === null && code.voidedAt === null,
  },
});

const DEVICE_CODE_LIFE_MS = 24 * 60 * 60 * 1000;

/** Digits and letters without I, L, O and U, which are easily misread. */
const SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const PREFIX = "SERVICE-AGENT";

/** The number of random bytes for a code: one for each symbol. */
export const DEVICE_CODE_BYTES = 28;

/** A code from random bytes: five bits of each byte select a symbol, 140 bits in all. */
export function deviceCodeFrom(bytes: Buffer): string {
  const symbols = [...bytes].map((byte) => SYMBOLS[byte % 32]).join("");
  return `${PREFIX}-${symbols.match(/.{4}/g)?.join("-")}`;
}

/** The key of a device code in the deployment's directory. */
export function deviceCodeHandle(codeHash: string): string {
  return `device-code:${codeHash}`;
}

export function putDeviceCode(
  world: World,
  {
    agentId,
    codeHash,
    people = world.actor.people ?? [],
  }: {
    readonly agentId: string;
    readonly codeHash: string;
    /** Ids of the people who issued the code, when other people approved it; when absent, the caller's. */
    readonly people?: readonly string[] | undefined;
  },
): DeviceCode {
  world.claimHandle(deviceCodeHandle(codeHash));
  return world.put(deviceCodes, {
    id: world.newId(),
    agentId,
    codeHash,
    people,
    createdAt: world.at,
    expiresAt: world.at + DEVICE_CODE_LIFE_MS,
    redeemedAt: null,
    voidedAt: null,
  });
}

/** Makes the agent's live code VOID. */
export function voidLiveCodes(world: World, agentId: string): void {
  for (const code of world.all(liveCodesOf.of(agentId))) {
    world.put(deviceCodes, { ...code, voidedAt: world.at });
  }
}

/**
 * A fault that a sandbox provokes in its next answers to other institutions: one of each platform. It is a row, so any server sees it, and a
 * restart keeps it. Each exchange that the fault can be in takes one; at 0 there is none.
 */
import type { Command } from "../../../engine/command.ts";
import { platformRowFinderOf } from "../../../tables/find-row.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import type { ExchangeKind } from "../exchanges/exchange-log.port.ts";

export const sandboxFaultKinds = [
  "BAD_SIGNATURE",
  "OLD_TIMESTAMP",
  "REPLAYED_NONCE",
  "WRONG_CURRENCY",
  "VERSION_0_3",
  "VERSION_9",
  "HANG",
  "HUGE",
  "REDIRECT",
  "REFUSE_KYC",
  "WRONG_AMOUNT",
  "SHORT_EXPIRY",
] as const;
export type SandboxFaultKind = (typeof sandboxFaultKinds)[number];

export const MOST_FAULTS = 100;

/** The exchanges in which a fault cannot be, as their messages do not have what it is about. */
const NOT_IN: Readonly<Partial<Record<SandboxFaultKind, ExchangeKind>>> = {
  WRONG_CURRENCY: "LOOKUP",
  WRONG_AMOUNT: "LOOKUP",
  SHORT_EXPIRY: "LOOKUP",
  VERSION_0_3: "PAY_REQUEST",
};

const columns = {
  /** The platform's id. */
  id: fixed("uuid"),
  kind: mutable<SandboxFaultKind>("text"),
  /** The answers that are still to have it. */
  next: mutable("int4"),
  updatedAt: mutable("time"),
};

export interface SandboxFault extends RowOf<typeof columns> {}

export const sandboxFaults = defineTable<SandboxFault>("uma_sandbox_faults", columns);

/** Undefined while none was set. */
export const findSandboxFault = platformRowFinderOf(sandboxFaults);

export function isIn(
  fault: Pick<SandboxFault, "kind" | "next"> | undefined,
  exchange: ExchangeKind,
): boolean {
  return fault !== undefined && fault.next > 0 && NOT_IN[fault.kind] !== exchange;
}

/** Replaces the fault. */
export const setSandboxFault: Command<Pick<SandboxFault, "kind" | "next">, SandboxFault> = {
  name: "set-uma-sandbox-fault",
  needs: ({ platformId }) => [sandboxFaults.ref(platformId)],
  decide: (world, { kind, next }) =>
    world.put(sandboxFaults, { id: world.platformId, kind, next, updatedAt: world.at }),
};

/** The fault of an exchange, which is used up by it. Two exchanges at once take two. */
export const takeSandboxFault: Command<ExchangeKind, SandboxFaultKind | undefined> = {
  name: "take-uma-sandbox-fault",
  needs: ({ platformId }) => [sandboxFaults.ref(platformId)],
  decide(world, exchange) {
    const fault = world.find(sandboxFaults.ref(world.platformId));
    if (fault === undefined || !isIn(fault, exchange)) return undefined;
    world.put(sandboxFaults, { ...fault, next: fault.next - 1, updatedAt: world.at });
    return fault.kind;
  },
};

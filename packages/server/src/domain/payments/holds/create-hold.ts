import type { Command, Loaded } from "../../../engine/command.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { ledgerAccounts } from "../../../ledger/chart.ts";
import { toIso } from "../../../std/clock.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { refuseFrozenDebit } from "../../accounts/freezes/freeze.ts";
import {
  emitBalance,
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { refuseLowBalance } from "../../accounts/internal/low-balance.ts";
import { refuseWithoutRoom } from "../../accounts/internal/system-room.ts";
import { customers } from "../../customers/customer.ts";
import { refuseUnlessReady } from "../../customers/readiness.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { Metadata } from "../../metadata.ts";
import { type Hold, holdSubject, holds, moneyNeeds } from "./hold.ts";

/** The longest life of a hold, and that of one without a time of its own. */
export const LONGEST_HOLD_DAYS = 366;
const LONGEST_HOLD_MS = LONGEST_HOLD_DAYS * 86_400_000;

export interface CreateHoldInput {
  readonly accountId: string;
  readonly amountMinor: bigint;
  /** Platform time. */
  readonly expiresAt: number | undefined;
  readonly description: string | undefined;
  readonly metadata: Metadata | null;
}

/**
 * Holds money of an internal account. The amount limits of the platform are those of its captures.
 *
 * Refuses, in this order: an unknown account; an embedded wallet; an account that is not active; an end that is past or too far away; a
 * customer who is not ready; a freeze; too low a balance; books without room.
 */
export const createHold: Command<CreateHoldInput, Hold> = {
  name: "create-hold",
  needs: createHoldNeeds,
  decide(world, input) {
    const { accountId, amountMinor } = input;
    const account = world.find(internalAccounts.ref(accountId));
    if (account === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    refuseAccount(account);
    const expiresAt = input.expiresAt ?? world.at + LONGEST_HOLD_MS;
    refuseEnd(expiresAt, world.at);
    const { currency, customerId } = account;
    if (customerId !== null) refuseUnlessReady(world.get(customers.ref(customerId)));
    refuseFrozenDebit(account, "internalAccountId");
    refuseLowBalance(world, { accountId, currency, minor: amountMinor });
    refuseWithoutRoom(world, [{ system: "in-flight", currency, minor: amountMinor }]);

    world.post({
      reason: "hold.place",
      legs: [
        { account: accountId, minor: -amountMinor },
        { system: "in-flight", currency, minor: amountMinor, heldFor: accountId },
      ],
    });
    const id = world.newId();
    const expiryJobId = scheduleJob(world, {
      kind: "expire-hold",
      payload: { holdId: id },
      dueAt: expiresAt,
    });
    const hold = world.put(holds, {
      id,
      accountId,
      currency,
      amountMinor,
      capturedMinor: 0n,
      status: "OPEN",
      expiresAt,
      expiryJobId,
      description: input.description ?? null,
      metadata: input.metadata,
      transactionIds: [],
      createdAt: world.at,
      updatedAt: world.at,
    });
    world.emit("HOLD.CREATED", holdSubject(hold));
    emitBalance(world, accountId);
    return hold;
  },
};

function createHoldNeeds(world: Loaded, { accountId }: CreateHoldInput): readonly AnyRef[] {
  const refs: AnyRef[] = [internalAccounts.ref(accountId), ledgerAccounts.ref(accountId)];
  const account = world.find(internalAccounts.ref(accountId));
  if (account === undefined) return refs;
  const { currency, customerId } = account;
  refs.push(...moneyNeeds({ accountId, currency }));
  if (customerId !== null) refs.push(customers.ref(customerId));
  return refs;
}

function refuseAccount({ type, status }: InternalAccount): void {
  if (type === "EMBEDDED_WALLET") {
    const message = "is an embedded wallet, whose money the platform does not move";
    throw invalidField("internalAccountId", message);
  }
  if (status !== "ACTIVE") throw invalidField("internalAccountId", "is not active");
}

function refuseEnd(expiresAt: number, now: number): void {
  if (expiresAt <= now) throw invalidField("expiresAt", `must be later than ${toIso(now)}`);
  const latest = now + LONGEST_HOLD_MS;
  if (expiresAt > latest)
    throw invalidField("expiresAt", `must be at most ${LONGEST_HOLD_DAYS} days away`);
}

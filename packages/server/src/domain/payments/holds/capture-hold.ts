import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import type { Metadata } from "../../metadata.ts";
import { type Transaction, toTransactionId } from "../transactions/transaction.ts";
import { bookTransferNeeds, moveBetween, refuseBookTransfer } from "../transfers/book-transfer.ts";
import { failureAtOnce } from "../transfers/new-transfer.ts";
import type { RailRulesOf } from "../transfers/payment-rail.port.ts";
import { payOut, refuseTransferOut } from "../transfers/transfer-out.ts";
import { transferNeeds } from "../transfers/transfer-rules.ts";
import {
  ending,
  type Hold,
  heldMinorOf,
  holdNeeds,
  holdSubject,
  holds,
  releaseMoney,
  requireOpenHold,
  toHoldId,
} from "./hold.ts";

/** The most captures of one hold: its row names the payments. */
export const MOST_CAPTURES = 100;

export interface CaptureHoldInput {
  readonly holdId: string;
  /** All that is left when absent. */
  readonly amountMinor: bigint | undefined;
  /** Where the money goes: an internal account by a book transfer, an external one by a transfer out. */
  readonly destination: { readonly kind: "INTERNAL" | "EXTERNAL"; readonly id: string };
  readonly paymentRail: string | undefined;
  readonly remittanceInformation: string | undefined;
  readonly description: string | undefined;
  readonly metadata: Metadata | null;
  /** Whether the rest is released; false keeps it held. */
  readonly isFinal: boolean;
  readonly rails: RailRulesOf;
}

export interface Captured {
  readonly hold: Hold;
  readonly transaction: Transaction;
}

/**
 * Pays from the money of a hold. The release of the money and the payment are one commit, so no other payment can take it in between. A
 * payment that fails at once leaves the hold as it is.
 *
 * Refuses, in this order: an unknown hold; one that has ended; more than is left of it; the hundred and first capture; whatever a book
 * transfer or a transfer out of this amount is refused for, except the balance.
 */
export const captureHold: Command<CaptureHoldInput, Captured> = {
  name: "capture-hold",
  needs: captureNeeds,
  decide(world, input) {
    const hold = requireOpenHold(world, input.holdId, "captured");
    const capture = { hold, input, minor: amountOf(hold, input.amountMinor) };
    if (hold.transactionIds.length >= MOST_CAPTURES) throw tooMany();
    return input.destination.kind === "INTERNAL"
      ? captureOnTheBooks(world, capture)
      : captureByPayout(world, capture);
  },
};

interface Capture {
  readonly hold: Hold;
  readonly input: CaptureHoldInput;
  readonly minor: bigint;
}

function captureNeeds(world: Loaded, { holdId, destination }: CaptureHoldInput): readonly AnyRef[] {
  const accountId = world.find(holds.ref(holdId))?.accountId;
  const refs = holdNeeds(world, holdId);
  if (accountId === undefined) return refs;
  const { kind, id } = destination;
  return kind === "INTERNAL"
    ? [...refs, ...bookTransferNeeds(world, { sourceId: accountId, destinationId: id })]
    : [...refs, ...transferNeeds(world, { internalId: accountId, externalId: id })];
}

function amountOf(hold: Hold, wanted: bigint | undefined): bigint {
  const left = heldMinorOf(hold);
  const minor = wanted ?? left;
  if (minor <= left) return minor;
  const { currency } = hold;
  throw new Refusal(
    "AMOUNT_OUT_OF_RANGE",
    { field: "amount", currency, left: Number(left) },
    `amount: ${left} of this hold can still be captured, in the smallest unit of ${currency}.`,
  );
}

function tooMany(): Refusal {
  const message = `The hold was captured ${MOST_CAPTURES} times, which is the most; release it and pay without it.`;
  return new Refusal("CONFLICT", { most: MOST_CAPTURES }, message);
}

function captureOnTheBooks(world: World, capture: Capture): Captured {
  const { hold, input, minor } = capture;
  const order = {
    sourceId: hold.accountId,
    destinationId: input.destination.id,
    amountMinor: minor,
    description: input.description,
    metadata: input.metadata,
    holdId: toHoldId(hold.id),
  };
  const sides = refuseBookTransfer(world, order);
  const left = take(world, capture);
  return taken(world, left, moveBetween(world, sides, order));
}

function captureByPayout(world: World, capture: Capture): Captured {
  const { hold, input, minor } = capture;
  const order = {
    internalId: hold.accountId,
    externalId: input.destination.id,
    amountMinor: minor,
    paymentRail: input.paymentRail,
    remittanceInformation: input.remittanceInformation,
    description: input.description,
    metadata: input.metadata,
    rails: input.rails,
    holdId: toHoldId(hold.id),
  };
  const carried = refuseTransferOut(world, order);
  if (failureAtOnce(carried) !== undefined) {
    return { hold, transaction: payOut(world, order, carried) };
  }
  const left = take(world, capture);
  return taken(world, left, payOut(world, order, carried));
}

/** Makes the captured money available to the payment that follows, and of a final capture the rest to the account. */
function take(world: World, { hold, input, minor }: Capture): Hold {
  const heldMinor = heldMinorOf(hold);
  releaseMoney(world, hold, input.isFinal ? heldMinor : minor);
  const capturedMinor = hold.capturedMinor + minor;
  if (!input.isFinal && minor < heldMinor) return { ...hold, capturedMinor, updatedAt: world.at };
  return { ...hold, capturedMinor, status: "CAPTURED", ...ending(world, hold) };
}

function taken(world: World, hold: Hold, transaction: Transaction): Captured {
  const transactionIds = [...hold.transactionIds, toTransactionId(transaction.id)];
  const captured = world.put(holds, { ...hold, transactionIds });
  world.emit("HOLD.CAPTURED", holdSubject(captured));
  return { hold: captured, transaction };
}

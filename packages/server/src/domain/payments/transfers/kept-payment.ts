/** A payment that is kept as JSON and made later, by the functions of the single call. */
import type { Actor, Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import type { Metadata } from "../../metadata.ts";
import type { BatchMembers } from "../transactions/batch-members.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { type BookTransferInput, bookTransfer, bookTransferNeeds } from "./book-transfer.ts";
import type { RailRulesOf } from "./payment-rail.port.ts";
import { type TransferOutInput, transferOut } from "./transfer-out.ts";
import { transferNeeds } from "./transfer-rules.ts";

export const keptPaymentKinds = ["TRANSFER_OUT", "BOOK"] as const;
export type KeptPaymentKind = (typeof keptPaymentKinds)[number];

/** A type, not an interface: an interface is not assignable to a JSON type. Absent members are left out. */
export type KeptPayment = {
  readonly kind: KeptPaymentKind;
  /** The uuid of an internal account. */
  readonly sourceId: string;
  /** The uuid of an external account, or for BOOK of an internal one. */
  readonly destinationId: string;
  /** In minor units, as text: JSON has no whole numbers of this size. */
  readonly minor: string;
  readonly paymentRail?: string;
  readonly remittanceInformation?: string;
  readonly description?: string;
  readonly metadata?: Metadata;
};

/**
 * Who asked for a payment that is made later, with the identities that counted as the same human then. An order above a ceiling is released
 * by another human than these.
 */
export type Asker = {
  readonly kind: Actor["kind"];
  readonly id: string;
  readonly people: readonly string[];
};

/** The actor of the command, with `others`: the identities behind what the command changes. */
export function askerIn(
  { actor: { kind, id, people = [] } }: World,
  others: readonly string[] = [],
): Asker {
  return { kind, id, people: [...new Set([...people, ...others])] };
}

/** The rows that the payment can touch. */
export function keptPaymentNeeds(world: Loaded, kept: KeptPayment): readonly AnyRef[] {
  const { kind, sourceId, destinationId } = kept;
  return kind === "BOOK"
    ? bookTransferNeeds(world, kept)
    : transferNeeds(world, { internalId: sourceId, externalId: destinationId });
}

/** A payment that is made now: under the rules of the rails, and for an item of a batch with the members that name it. */
export type MadePayment = KeptPayment & {
  readonly rails: RailRulesOf;
  readonly batch?: BatchMembers;
};

/** Makes the payment. Refuses whatever the single call refuses. */
export function makePayment(world: World, payment: MadePayment): Transaction {
  return payment.kind === "BOOK"
    ? bookTransfer.decide(world, bookInput(payment))
    : transferOut.decide(world, transferInput(payment));
}

/** Refuses a payment that would be refused now for another reason than the balance. Answers the transaction that it would make, if any. */
export function refuseImpossible(
  world: World,
  kept: KeptPayment,
  rails: RailRulesOf,
): Transaction | undefined {
  const outcome = world.attempt(() => world.rehearse(() => makePayment(world, { ...kept, rails })));
  if (!(outcome instanceof Refusal)) return outcome;
  if (outcome.code !== "INSUFFICIENT_BALANCE") throw outcome;
  return undefined;
}

function bookInput(payment: MadePayment): BookTransferInput {
  const { sourceId, destinationId, minor, description, metadata = null, batch } = payment;
  return { sourceId, destinationId, amountMinor: BigInt(minor), description, metadata, batch };
}

function transferInput(payment: MadePayment): TransferOutInput {
  const { sourceId, destinationId, minor, metadata = null, ...terms } = payment;
  return {
    internalId: sourceId,
    externalId: destinationId,
    amountMinor: BigInt(minor),
    paymentRail: terms.paymentRail,
    remittanceInformation: terms.remittanceInformation,
    description: terms.description,
    metadata,
    rails: terms.rails,
    batch: terms.batch,
  };
}

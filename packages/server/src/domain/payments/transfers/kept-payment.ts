/** A payment that is kept as JSON and made later, by the functions of the single call. */
import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import type { Metadata } from "../../metadata.ts";
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

/** The rows that the payment can touch. */
export function keptPaymentNeeds(world: Loaded, kept: KeptPayment): readonly AnyRef[] {
  const { kind, sourceId, destinationId } = kept;
  return kind === "BOOK"
    ? bookTransferNeeds(world, kept)
    : transferNeeds(world, { internalId: sourceId, externalId: destinationId });
}

/** Makes the payment. Refuses whatever the single call refuses. */
export function makePayment(world: World, kept: KeptPayment, rails: RailRulesOf): Transaction {
  return kept.kind === "BOOK"
    ? bookTransfer.decide(world, bookInput(kept))
    : transferOut.decide(world, transferInput(kept, rails));
}

/** Refuses a payment that would be refused now for another reason than the balance. Answers the transaction that it would make, if any. */
export function refuseImpossible(
  world: World,
  kept: KeptPayment,
  rails: RailRulesOf,
): Transaction | undefined {
  const outcome = world.attempt(() => world.rehearse(() => makePayment(world, kept, rails)));
  if (!(outcome instanceof Refusal)) return outcome;
  if (outcome.code !== "INSUFFICIENT_BALANCE") throw outcome;
  return undefined;
}

function bookInput({
  sourceId,
  destinationId,
  minor,
  description,
  metadata,
}: KeptPayment): BookTransferInput {
  const amountMinor = BigInt(minor);
  return { sourceId, destinationId, amountMinor, description, metadata: metadata ?? null };
}

function transferInput(kept: KeptPayment, rails: RailRulesOf): TransferOutInput {
  return {
    internalId: kept.sourceId,
    externalId: kept.destinationId,
    amountMinor: BigInt(kept.minor),
    paymentRail: kept.paymentRail,
    remittanceInformation: kept.remittanceInformation,
    description: kept.description,
    metadata: kept.metadata ?? null,
    rails,
  };
}

/** Shared by transfers out and in: the new transaction, and the payload of the rail's job. */

import type { World } from "../../../engine/command.ts";
import { toIso } from "../../../std/clock.ts";
import type { JsonObject } from "../../../std/json.ts";
import { railAddress, toExternalAccountId } from "../../accounts/external/external-account.ts";
import { toInternalAccountId } from "../../accounts/internal/internal-account.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { Metadata } from "../../metadata.ts";
import type { TransactionType } from "../../platform.ts";
import { carrierPort } from "../carrier/carrier.port.ts";
import type { BatchMembers } from "../transactions/batch-members.ts";
import { beneficiaryReference } from "../transactions/delivery.ts";
import type { FailureFacts } from "../transactions/failure.ts";
import type { RefundMembers } from "../transactions/incoming-refund.ts";
import {
  type Party,
  referenceFrom,
  type Transaction,
  transactions,
} from "../transactions/transaction.ts";
import type { RailRules } from "./payment-rail.port.ts";
import { type Carried, ownerOf, railFor } from "./transfer-rules.ts";

export interface NewTransfer extends Carried {
  readonly type: TransactionType;
  readonly amountMinor: bigint;
  readonly agentId: string | undefined;
  /** The rail that the caller chose; when absent, the account's first rail. */
  readonly paymentRail: string | undefined;
  readonly remittanceInformation: string | undefined;
  readonly description: string | undefined;
  readonly metadata: Metadata | null;
  /** Set when the transfer gives an incoming payment back. */
  readonly refund: RefundMembers | undefined;
  /** Set when the transfer captures a hold: the wire id of the hold. */
  readonly holdId: string | undefined;
  /** Set when the transfer takes the money of an incoming UMA payment on: the wire id of that payment. */
  readonly depositOf?: string | undefined;
  /** Set when the transfer is an item of a batch. */
  readonly batch?: BatchMembers | undefined;
}

export function newTransfer(world: World, transfer: NewTransfer): Transaction {
  const { type, accounts, amountMinor, agentId } = transfer;
  const { internal, external } = accounts;
  const { currency } = internal;
  const isOut = type === "OUTGOING";
  const here: Party = { type: "ACCOUNT", accountId: toInternalAccountId(internal.id), currency };
  const there: Party = { type: "ACCOUNT", accountId: toExternalAccountId(external.id), currency };
  const id = world.newId();
  const { customerId, platformCustomerId } = ownerOf(accounts);
  return {
    id,
    type,
    status: "PENDING",
    customerId,
    platformCustomerId,
    source: isOut ? here : there,
    destination: isOut ? there : here,
    sourceAccountId: isOut ? internal.id : external.id,
    destinationAccountId: isOut ? external.id : internal.id,
    sentMinor: amountMinor,
    sentCurrency: currency,
    receivedMinor: amountMinor,
    receivedCurrency: currency,
    quoteId: null,
    agentId: agentId ?? null,
    reference: isOut ? null : referenceFrom("TI", id),
    description: transfer.description ?? null,
    failureReason: null,
    failure: null,
    refund: null,
    details: withExpectation(world, transfer, detailsOf(transfer, id)),
    metadata: transfer.metadata,
    outcome: null,
    createdAt: world.at,
    updatedAt: world.at,
    settledAt: null,
  };
}

/** Adds the time at which a connection is expected to have settled the transfer. */
function withExpectation(
  world: World,
  { carrier, type }: NewTransfer,
  details: JsonObject,
): JsonObject {
  if (carrier.kind !== "connection") return details;
  const at = world.port(carrierPort).expectedAt(world, carrier.choice, type);
  return { ...details, expectedSettlementAt: toIso(at) };
}

function detailsOf({ type, accounts, carrier, ...transfer }: NewTransfer, id: string): JsonObject {
  const paymentRail =
    carrier.kind === "connection"
      ? carrier.choice.paymentRail
      : railFor(accounts.external, transfer.paymentRail);
  if (type === "INCOMING") return { paymentRail };
  const reference = beneficiaryReference(id);
  const { remittanceInformation, refund, holdId, depositOf, batch } = transfer;
  if (refund !== undefined) return { paymentRail, reference, ...refund };
  if (depositOf !== undefined) return { paymentRail, reference, depositOf };
  if (holdId !== undefined) {
    const remittance = remittanceInformation === undefined ? undefined : { remittanceInformation };
    return { paymentRail, reference, ...remittance, holdId };
  }
  return remittanceInformation === undefined
    ? { paymentRail, reference, ...batch }
    : { paymentRail, reference, remittanceInformation, ...batch };
}

interface Pending {
  readonly transfer: NewTransfer;
  readonly pending: Transaction;
}

/**
 * Hands the transfer to its carrier: an order to a connection, or a job that calls the rail and is due at the commit. Answers the
 * transaction, which shows the order.
 */
export function carryTransfer(world: World, { transfer, pending }: Pending): Transaction {
  const { carrier, accounts, amountMinor, remittanceInformation, type } = transfer;
  if (carrier.kind === "rail") {
    scheduleRail(world, { transfer, pending }, carrier.rail);
    return pending;
  }
  world.port(carrierPort).order(world, {
    transactionId: pending.id,
    direction: type === "OUTGOING" ? "OUT" : "PULL",
    choice: carrier.choice,
    external: accounts.external,
    amountMinor,
    remittance: remittanceInformation,
  });
  return world.get(transactions.ref(pending.id));
}

function scheduleRail(world: World, { transfer, pending }: Pending, rail: RailRules): void {
  const { accounts, amountMinor, refund, type } = transfer;
  const { internal, external } = accounts;
  scheduleJob(world, {
    kind: type === "OUTGOING" ? "send-payout" : "pull-funds",
    dueAt: world.at,
    payload: {
      transactionId: pending.id,
      rail: rail.name,
      minor: amountMinor.toString(),
      currency: internal.currency,
      ...railAddress(external),
      acceptedAt: world.at,
      ...(refund === undefined ? undefined : { isRefund: true }),
    },
  });
}

/** Why the transfer fails before any money moves: a rule of the sandbox's rail alone. */
export function failureAtOnce({ accounts, carrier }: Carried): FailureFacts | undefined {
  return carrier.kind === "rail" ? carrier.rail.failureAtOnce(accounts.external) : undefined;
}

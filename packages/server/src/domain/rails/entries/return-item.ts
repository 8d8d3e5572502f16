/** Gives money that is in suspense back to its payer, as the entry told the payer's account. */
import type { Loaded, World } from "../../../engine/command.ts";
import { needsSecondToken } from "../marks/rail-mark.ts";
import { addBackOrder } from "../orders/back-order.ts";
import { maskedIdentifier, toRailPaymentId } from "../orders/rail-payment.ts";
import { connectionEntryOf } from "../routes/routing.ts";
import type { RailEntry } from "./rail-entry.ts";
import { type NewItem, openItem, type RailItem, railItems } from "./rail-item.ts";

/** The rail of an order that gives money back: that by which it came is the connection's matter. */
const RETURN_RAIL = "RETURN";
/** The type of an account of which no more is known than what an entry told. */
const PAYER_ACCOUNT = "PAYER_ACCOUNT";

/** The payer of an entry that did not tell the account, as a person has found it out. */
export type PayerDetails = { readonly name?: string; readonly account: string };

/** Why the money of the entry cannot be ordered back, as the end of "the money …"; undefined when it can. */
export function returnObstacle(
  world: Loaded,
  entry: RailEntry,
  details?: PayerDetails,
): string | undefined {
  if (entry.direction === "DEBIT") return "went out";
  const account = entry.payer?.account ?? details?.account;
  if (account === undefined) {
    return "came without the account of its payer; complete it with details, which another token confirms";
  }
  const connection = connectionEntryOf(world, entry.connectionId);
  const isRefusing =
    connection === undefined ||
    connection.status === "SETUP" ||
    (connection.status === "PAUSED" && connection.newPayments === "REFUSE");
  return isRefusing ? "came by a connection that takes no orders now" : undefined;
}

/** Orders a part of an item back. Answers the id of the order. */
export function orderItemBack(
  world: World,
  entry: RailEntry,
  part: {
    readonly itemId: string;
    readonly amountMinor: bigint;
    readonly transactionId: string | null;
    readonly details?: PayerDetails | undefined;
  },
): string {
  const { connectionId, currency, payer } = entry;
  const { itemId, amountMinor, transactionId, details } = part;
  const account = payer?.account ?? details?.account ?? "";
  const order = {
    connectionId,
    currency,
    amountMinor,
    transactionId,
    itemId,
    originalEntryId: entry.id,
    paymentRail: RETURN_RAIL,
    counterparty: {
      accountType: PAYER_ACCOUNT,
      accountInfo: { account },
      name: payer?.name ?? details?.name ?? null,
      identifierMasked: maskedIdentifier(account),
    },
  };
  return addBackOrder(world, order, { isTyped: isTypedAlone(world, entry) }).id;
}

/** A second token has seen the payer's account where the line, or the account in its resolution, waited for one. */
function isTypedAlone(world: Loaded, { source, payer, connectionId }: RailEntry): boolean {
  const isTold = source === "MANUAL" && payer?.account !== undefined;
  return isTold && !needsSecondToken(world, connectionId);
}

/** Sets money aside that is to go back: as an item that is ordered back at once, or that waits for a person where it cannot be. */
export function setAsideForPayer(
  world: World,
  entry: RailEntry,
  item: NewItem & { readonly amountMinor: bigint },
): RailItem {
  if (returnObstacle(world, entry) !== undefined) return openItem(world, entry, item);
  const { reason, amountMinor, transactionId = null, paymentId = null } = item;
  const { connectionId, direction, currency } = entry;
  const itemId = world.newId();
  const orderId = orderItemBack(world, entry, { itemId, amountMinor, transactionId });
  const part = {
    kind: "RETURN",
    paymentId: toRailPaymentId(orderId),
    minor: amountMinor.toString(),
  } as const;
  return world.put(railItems, {
    id: itemId,
    connectionId,
    entryId: entry.id,
    accountId: null,
    transactionId,
    paymentId,
    suggestedPaymentId: item.suggestedPaymentId ?? null,
    reason,
    direction,
    currency,
    amountMinor,
    state: "RESOLVED",
    agedDays: 0,
    jobId: null,
    resolution: {
      parts: [part],
      note: "Given back by itself",
      by: `${world.actor.kind} ${world.actor.id}`,
    },
    resolvedAt: world.at,
    createdAt: world.at,
  });
}

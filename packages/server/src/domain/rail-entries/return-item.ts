/** Gives money that is in suspense back to its payer, as the entry told the payer's account. */
import type { Loaded, World } from "../../engine/command.ts";
import { addBackOrder } from "../rail-payments/back-order.ts";
import { maskedIdentifier, toRailPaymentId } from "../rail-payments/rail-payment.ts";
import { connectionEntryOf } from "../rail-routes/routing.ts";
import type { RailEntry } from "./rail-entry.ts";
import { type NewItem, openItem, type RailItem, railItems } from "./rail-item.ts";

/** The rail of an order that gives money back: that by which it came is the connection's matter. */
const RETURN_RAIL = "RETURN";
/** The type of an account of which no more is known than what an entry told. */
const PAYER_ACCOUNT = "PAYER_ACCOUNT";

/** Why the money of the entry cannot be ordered back, as the end of "the money …"; undefined when it can. */
export function returnObstacle(world: Loaded, entry: RailEntry): string | undefined {
  if (entry.direction === "DEBIT") return "went out";
  if (entry.payer?.account === undefined) return "came without the account of its payer";
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
  },
): string {
  const { connectionId, currency, payer } = entry;
  const account = payer?.account ?? "";
  const { itemId, amountMinor, transactionId } = part;
  const order = addBackOrder(world, {
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
      name: payer?.name ?? null,
      identifierMasked: maskedIdentifier(account),
    },
  });
  return order.id;
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

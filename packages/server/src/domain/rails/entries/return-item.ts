/** Returns money in suspense to its payer, at the account that the entry names. */
import type { Loaded, World } from "../../../engine/command.ts";
import { needsSecondToken } from "../marks/rail-mark.ts";
import { addBackOrder } from "../orders/back-order.ts";
import { maskedIdentifier, toRailPaymentId } from "../orders/rail-payment.ts";
import { connectionEntryOf } from "../routes/routing.ts";
import type { RailEntry } from "./rail-entry.ts";
import { type NewItem, openItem, type RailItem, railItems } from "./rail-item.ts";

/** The rail name of an order that returns money; the connection knows by which rail the money came. */
const RETURN_RAIL = "RETURN";
/** The type of an account that is known only from an entry. */
const PAYER_ACCOUNT = "PAYER_ACCOUNT";

/** The payer's account as a person supplies it, for an entry that lacks it. */
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

/** Whether one token alone typed in the payer's account. At FOUR_EYES a second one confirmed the line; details always need one. */
function isTypedAlone(world: Loaded, { source, payer, connectionId }: RailEntry): boolean {
  const isTold = source === "MANUAL" && payer?.account !== undefined;
  return isTold && !needsSecondToken(world, connectionId);
}

/** Makes an item of money that must go back, and orders it back at once; if that is impossible, the item waits for a person. */
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

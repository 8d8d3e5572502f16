/**
 * Leases of payment orders: who makes an order by hand at the bank now. A lease is a notice to the others at the desk. It changes nothing
 * of the order, and a mark needs none.
 */
import type { Command, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import { isOpen, railPayments } from "../orders/rail-payment.ts";

const columns = {
  /** The id of the order. */
  id: fixed("uuid"),
  personId: mutable("uuid"),
  personName: mutable("text"),
  /** In platform time. */
  until: mutable("time"),
};

export interface OrderLease extends RowOf<typeof columns> {}

export const orderLeases = defineTable<OrderLease>("rail_order_leases", columns);

/** The duration of a lease, in platform time. A page that shows the orders renews their leases before they end. */
export const ORDER_LEASE_MS = 10 * 60_000;

/** The most orders of one call. */
export const MOST_LEASED = 500;

/** The lease if it runs at this time. */
export function runningLease(lease: OrderLease | undefined, at: number): OrderLease | undefined {
  return lease !== undefined && lease.until > at ? lease : undefined;
}

export interface LeaseRailOrdersInput {
  readonly paymentIds: readonly string[];
  readonly personId: string;
  readonly personName: string;
  /** Ends the leases of this person instead. */
  readonly isRelease: boolean;
}

export interface LeasedOrder {
  readonly paymentId: string;
  /** The lease that runs after the call: of this person, or of another one who has it. */
  readonly lease: OrderLease | undefined;
}

/**
 * Takes orders for a person, renews the leases of this person, or ends them. An order that another person has keeps its lease, and an
 * order that is over gets none. Refuses an unknown order before anything is taken.
 */
export const leaseRailOrders: Command<LeaseRailOrdersInput, readonly LeasedOrder[]> = {
  name: "lease-rail-orders",
  isLarge: true,
  needs: (_world, { paymentIds }) =>
    paymentIds.flatMap((id) => [railPayments.ref(id), orderLeases.ref(id)]),
  decide(world, { paymentIds, ...person }) {
    for (const id of paymentIds) {
      if (world.find(railPayments.ref(id)) === undefined) {
        throw new Refusal("REFERENCE_NOT_FOUND", undefined, "The platform has no such order.");
      }
    }
    return paymentIds.map((id) => ({ paymentId: id, lease: leaseAfter(world, id, person) }));
  },
};

function leaseAfter(
  world: World,
  id: string,
  { personId, personName, isRelease }: Omit<LeaseRailOrdersInput, "paymentIds">,
): OrderLease | undefined {
  const before = world.find(orderLeases.ref(id));
  const running = runningLease(before, world.at);
  if (running !== undefined && running.personId !== personId) return running;
  if (isRelease) {
    if (running !== undefined) world.put(orderLeases, { ...running, until: world.at });
    return undefined;
  }
  if (!isOpen(world.get(railPayments.ref(id)))) return running;
  const until = world.at + ORDER_LEASE_MS;
  return world.put(orderLeases, { id, personId, personName, until });
}

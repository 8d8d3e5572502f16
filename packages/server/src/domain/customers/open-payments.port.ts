/** What the deletion of a customer needs of payments and of UMA, which depend on customers. */
import type { Loaded } from "../../engine/command.ts";
import { definePort } from "../../engine/port.ts";
import type { AnyRef } from "../../tables/tables.ts";

/**
 * NONE: no transaction of the customer is in flight, and none has a refund in flight. AWAITED: each that is waits for an invoice that its
 * connector is to cancel. UNDER_WAY: another one is.
 */
export type OpenPaymentsState = "NONE" | "AWAITED" | "UNDER_WAY";

export interface OpenPayments {
  needs(world: Loaded, customerId: string): readonly AnyRef[];
  stateOf(world: Loaded, customerId: string): OpenPaymentsState;
}

export const openPaymentsPort = definePort<OpenPayments>("open payments of a customer");

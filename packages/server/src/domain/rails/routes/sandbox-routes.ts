/** The routes to the built-in layer of sandboxes. They are no rows: a sandbox that has the layer has one for each currency, behind all others. */
import { currencies } from "../../../money/currency.ts";
import { isOfInvoice, UMA_ADDRESS, type Wanted } from "../../payments/carrier/carrier.port.ts";
import { LEAST_INVOICE_SECONDS, MOST_INVOICE_SECONDS } from "../../uma/policy/uma-policy.ts";
import { SANDBOX_LAYER } from "../../uma/sandbox-layer.ts";
import type { SettlementLayer } from "../connections/settlement.ts";
import type { ConnectionEntry, RouteEntry } from "./routing.ts";

export const SANDBOX_SETTLEMENT: SettlementLayer = {
  layer: SANDBOX_LAYER,
  send: true,
  receive: true,
  assets: currencies.map(({ code, decimals }) => ({ identifier: code, currency: code, decimals })),
  invoiceSeconds: { min: LEAST_INVOICE_SECONDS, max: MOST_INVOICE_SECONDS },
  exactAmounts: false,
  partialPayments: false,
};

export function isSandboxConnection({ kind }: Pick<ConnectionEntry, "kind">): boolean {
  return kind === "SANDBOX";
}

export function layersOf(connection: ConnectionEntry): readonly SettlementLayer[] {
  return isSandboxConnection(connection) ? [SANDBOX_SETTLEMENT] : (connection.settlement ?? []);
}

/** The route that can carry such an invoice; its id is that of the connection. */
export function sandboxRoutes(
  connections: readonly ConnectionEntry[],
  wanted: Wanted,
): readonly RouteEntry[] {
  if (!isOfInvoice(wanted)) return [];
  const { direction, currency } = wanted;
  return connections.filter(isSandboxConnection).map(({ id }) => ({
    id,
    priority: Number.MAX_SAFE_INTEGER,
    direction,
    currency,
    accountTypes: direction === "INVOICE" ? null : [UMA_ADDRESS],
    paymentRails: null,
    min: null,
    max: null,
    connectionId: id,
    enabled: true,
    fallbackAfterSeconds: null,
  }));
}

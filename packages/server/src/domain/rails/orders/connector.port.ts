/** What jobs and operations need from a connector: its description, sending it an order, asking it about an order. */

import type { JsonObject } from "../../../std/json.ts";
import type { Environment } from "../../platform.ts";
import type { OpenInvoiceInput } from "../../uma/incoming/open-invoice.ts";
import type { UmaInvoice } from "../../uma/incoming/uma-invoice.ts";
import type { ConnectorBalance } from "../books/record-rail-balances.ts";
import type { Described } from "../connections/activate-rail-connection.ts";
import type { ExchangeOutcome } from "../connections/exchange-health.ts";
import type { RailConnection } from "../connections/rail-connection.ts";
import type { ToldEntry } from "../entries/rail-entry.ts";
import type { FeedPage } from "../entries/record-rail-feed.ts";
import type { RailPayment } from "./rail-payment.ts";
import type { RailReport } from "./rail-report.ts";

/** A connection of a platform, with its sealed secrets. */
export interface ConnectorAddress {
  readonly platformId: string;
  readonly environment: Environment;
  readonly connection: RailConnection;
}

export interface ConnectorOrder extends ConnectorAddress {
  readonly payment: RailPayment;
  /** The bank reference of the entry whose money goes back. */
  readonly original?: string | undefined;
}

export interface ConnectorAnswer {
  readonly outcome: ExchangeOutcome;
  /** Undefined when the exchange brought no report about the payment. */
  readonly report: RailReport | undefined;
  /** When to ask again, where the connector says so. */
  readonly askAgainInMs: number | undefined;
}

export interface ConnectorCancelAnswer extends ConnectorAnswer {
  /** True when the connector has no call to cancel an order. */
  readonly isRefused?: boolean;
}

export interface ConnectorFeed {
  readonly outcome: ExchangeOutcome;
  /** The page, or what is wrong with it; undefined when the exchange brought none. */
  readonly page: FeedPage | { readonly fault: string } | undefined;
}

/** Payment instructions that a connector is asked for. */
export interface ConnectorFundingOrder extends ConnectorAddress {
  readonly id: string;
  readonly currency: string;
  readonly customerName: string;
  /** The payee of the money, under its wire id. */
  readonly purpose:
    | { readonly kind: "ACCOUNT"; readonly accountId: string }
    | {
        readonly kind: "QUOTE";
        readonly quoteId: string;
        readonly amountMinor: bigint;
        readonly expiresAt: number;
      };
}

export interface ConnectorFunding {
  readonly outcome: ExchangeOutcome;
  /** The instructions, or what is wrong with them; undefined when the exchange brought nothing. */
  readonly told: readonly JsonObject[] | { readonly fault: string } | undefined;
}

/** An invoice that a connector is asked for, or about. */
export interface ConnectorInvoiceOrder extends ConnectorAddress {
  readonly invoice: UmaInvoice;
}

export interface NewConnectorInvoice extends ConnectorInvoiceOrder {
  /** Host time. */
  readonly expiresAt: number;
  /** What the layer commits the invoice to, as it can. */
  readonly metadata: string;
  readonly umaAddress: string;
}

export interface ConnectorInvoiceText {
  readonly outcome: ExchangeOutcome;
  /** Undefined when the exchange brought no invoice. */
  readonly made: Pick<OpenInvoiceInput, "text" | "expiresAt" | "nodePubKey" | "utxos"> | undefined;
}

export interface ConnectorInvoiceState {
  readonly outcome: ExchangeOutcome;
  /**
   * `open`: money may still come. `ended`: none will be taken from now on. `paid`: it came. `not-received`: the connector has no such
   * invoice. Undefined when the exchange said nothing about it.
   */
  readonly status: "open" | "paid" | "ended" | "not-received" | undefined;
  /** All money for it that the connector has booked. */
  readonly entries: readonly ToldEntry[];
}

/** An invoice of another institution, before it is paid. */
export interface ForeignInvoice extends ConnectorAddress {
  readonly layer: string;
  readonly invoice: string;
}

export interface InspectedInvoice {
  readonly layer: string;
  readonly identifier: string;
  /** In units of the asset; null for an invoice that leaves the amount to the payer. */
  readonly amountMinor: bigint | null;
  /** Host time. */
  readonly expiresAt: number;
}

export interface ConnectorInspection {
  readonly outcome: ExchangeOutcome;
  /** `none`: it is no invoice of the layer. Undefined when the exchange said nothing. */
  readonly inspected: InspectedInvoice | "none" | undefined;
}

/** One check of a test call. */
export interface ConnectorCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  readonly ms: number;
}

export interface Connectors {
  describe(address: ConnectorAddress): Promise<Described>;
  /** Sends the order with the payment's id as its idempotency key; a connector that has the order answers its state. */
  submit(order: ConnectorOrder): Promise<ConnectorAnswer>;
  inquire(order: ConnectorOrder): Promise<ConnectorAnswer>;
  cancel(order: ConnectorOrder): Promise<ConnectorCancelAnswer>;
  /** The page of its entries after the cursor. */
  entries(address: ConnectorAddress, after: string | null): Promise<ConnectorFeed>;
  /** The payment instructions for the id. The same id gets the same answer. */
  instructions(order: ConnectorFundingOrder): Promise<ConnectorFunding>;
  /** An invoice under its id. The same id gets the same answer. */
  makeInvoice(order: NewConnectorInvoice): Promise<ConnectorInvoiceText>;
  invoiceState(order: ConnectorInvoiceOrder): Promise<ConnectorInvoiceState>;
  /** Asks that no money be taken for an invoice any more. */
  cancelInvoice(order: ConnectorInvoiceOrder): Promise<ConnectorInvoiceState>;
  /** Tells what an invoice asks for. Moves nothing. */
  inspectInvoice(invoice: ForeignInvoice): Promise<ConnectorInspection>;
  /** Its balances; undefined when it reports no valid ones. */
  balances(address: ConnectorAddress): Promise<readonly ConnectorBalance[] | undefined>;
  /** A dry run, which moves nothing. */
  test(address: ConnectorAddress): Promise<readonly ConnectorCheck[]>;
}

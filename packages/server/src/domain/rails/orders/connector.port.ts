/** What jobs and operations need from a connector: to be described, to be given an order, to be asked about one. */

import type { JsonObject } from "../../../std/json.ts";
import type { Environment } from "../../platform.ts";
import type { ConnectorBalance } from "../books/record-rail-balances.ts";
import type { Described } from "../connections/activate-rail-connection.ts";
import type { ExchangeOutcome } from "../connections/exchange-health.ts";
import type { RailConnection } from "../connections/rail-connection.ts";
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
  /** The keeper's reference of the entry whose money goes back. */
  readonly original?: string | undefined;
}

export interface ConnectorAnswer {
  readonly outcome: ExchangeOutcome;
  /** Undefined when the exchange told nothing of the payment. */
  readonly report: RailReport | undefined;
  /** When to ask again, where the connector says so. */
  readonly askAgainInMs: number | undefined;
}

export interface ConnectorCancelAnswer extends ConnectorAnswer {
  /** It cancels nothing: there is no such call. */
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
  /** What the money is for, as the API names it. */
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
  /** What it told, or what is wrong with that; undefined when the exchange brought nothing. */
  readonly told: readonly JsonObject[] | { readonly fault: string } | undefined;
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
  /** Gives the order under the payment's id; a connector that has it answers what became of it. */
  submit(order: ConnectorOrder): Promise<ConnectorAnswer>;
  inquire(order: ConnectorOrder): Promise<ConnectorAnswer>;
  cancel(order: ConnectorOrder): Promise<ConnectorCancelAnswer>;
  /** The page of its entries after the cursor. */
  entries(address: ConnectorAddress, after: string | null): Promise<ConnectorFeed>;
  /** Where payers pay to, under the id; the same id has the same answer. */
  instructions(order: ConnectorFundingOrder): Promise<ConnectorFunding>;
  /** Its balances; undefined when it tells none that are sound. */
  balances(address: ConnectorAddress): Promise<readonly ConnectorBalance[] | undefined>;
  /** A dry run, which moves nothing. */
  test(address: ConnectorAddress): Promise<readonly ConnectorCheck[]>;
}

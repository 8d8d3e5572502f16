/** Orders of several payments and orders about own accounts, and the command of the product for each. */
import {
  changeAccount,
  closeAccount,
  openAdditionalAccount,
} from "../../src/domain/accounts/internal/additional-accounts.ts";
import { cancelBatch } from "../../src/domain/payments/batches/cancel-batch.ts";
import { createBatch } from "../../src/domain/payments/batches/create-batch.ts";
import { bookLegs } from "../../src/domain/payments/transfers/book-legs.ts";
import { sandboxRails } from "../kit/rails.ts";

/** A payment of several that one order makes. */
export interface Payment {
  readonly kind: "BOOK" | "TRANSFER_OUT";
  readonly sourceId: string;
  /** An external account, or an internal one for BOOK. */
  readonly destinationId: string;
  readonly minor: bigint;
}

export type AccountOrder =
  | {
      readonly kind: "open-account";
      readonly name: string;
      readonly currency: "USD" | "EUR";
      readonly customerId: string | null;
    }
  | { readonly kind: "rename-account"; readonly internalId: string; readonly name: string }
  | { readonly kind: "close-account"; readonly internalId: string };

export type BulkOrder = {
  readonly kind: "book-legs";
  readonly legs: readonly Payment[];
};

export type BatchOrder =
  | {
      readonly kind: "create-batch";
      readonly mode: "INDEPENDENT" | "ALL_OR_NOTHING";
      readonly requiresFunds: boolean;
      readonly items: readonly Payment[];
    }
  | { readonly kind: "cancel-batch"; readonly batchId: string };

interface Ordered {
  readonly command: unknown;
  readonly input: unknown;
}

export function accountCommandOf(order: AccountOrder): Ordered {
  switch (order.kind) {
    case "open-account": {
      const { name, currency } = order;
      const customerId = order.customerId ?? undefined;
      const input = { name, currency, customerId, metadata: null, platformHas: 0 };
      return { command: openAdditionalAccount, input };
    }
    case "rename-account": {
      const { internalId: accountId, name } = order;
      return { command: changeAccount, input: { accountId, name, metadata: undefined } };
    }
    case "close-account":
      return { command: closeAccount, input: { accountId: order.internalId } };
  }
}

export function bulkCommandOf(order: BulkOrder): Ordered {
  const legs = order.legs.map(({ sourceId, destinationId, minor }) => ({
    ...{ sourceId, destinationId, amountMinor: minor },
    ...{ description: undefined, metadata: null },
  }));
  return { command: bookLegs({ legs }), input: { legs } };
}

export function batchCommandOf(order: BatchOrder): Ordered {
  if (order.kind === "cancel-batch")
    return { command: cancelBatch, input: { batchId: order.batchId } };
  const { mode, requiresFunds } = order;
  const items = order.items.map(({ kind, sourceId, destinationId, minor }, place) => ({
    ...{ reference: `item-${place}`, kind, sourceId, destinationId },
    ...{ amountMinor: minor, terms: null },
  }));
  const more = { name: undefined, metadata: null, rails: sandboxRails };
  return { command: createBatch, input: { mode, requiresFunds, items, ...more } };
}

export function isBatchOrder(order: { readonly kind: string }): order is BatchOrder {
  return order.kind === "create-batch" || order.kind === "cancel-batch";
}

export function isAccountOrder(order: { readonly kind: string }): order is AccountOrder {
  return ["open-account", "rename-account", "close-account"].includes(order.kind);
}

export function isBulkOrder(order: { readonly kind: string }): order is BulkOrder {
  return order.kind === "book-legs";
}

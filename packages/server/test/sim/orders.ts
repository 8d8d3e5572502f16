/** The orders of the simulation, and the command of the product for each order. */

import { createHash } from "node:crypto";
import { checkAccountInfo } from "../../src/domain/accounts/external/account-info.ts";
import { createExternalAccount } from "../../src/domain/accounts/external/create-external-account.ts";
import { deleteExternalAccount } from "../../src/domain/accounts/external/delete-external-account.ts";
import {
  freezeAccount,
  unfreezeAccount,
} from "../../src/domain/accounts/freezes/freeze-account.ts";
import { createAgentQuote } from "../../src/domain/agents/create-agent-quote.ts";
import { createCustomer } from "../../src/domain/customers/create-customer.ts";
import { deleteCustomer } from "../../src/domain/customers/delete-customer.ts";
import { captureHold } from "../../src/domain/payments/holds/capture-hold.ts";
import { createHold } from "../../src/domain/payments/holds/create-hold.ts";
import { releaseHold } from "../../src/domain/payments/holds/end-hold.ts";
import { createQuote } from "../../src/domain/payments/quotes/create-quote.ts";
import { executeQuote } from "../../src/domain/payments/quotes/execute-quote.ts";
import { fundQuote } from "../../src/domain/payments/quotes/fund-quote.ts";
import { bookTransfer } from "../../src/domain/payments/transfers/book-transfer.ts";
import { refundIncoming } from "../../src/domain/payments/transfers/refund-incoming.ts";
import { transferIn } from "../../src/domain/payments/transfers/transfer-in.ts";
import { transferOut } from "../../src/domain/payments/transfers/transfer-out.ts";
import { advanceClock } from "../../src/domain/platforms/sandbox/advance-clock.ts";
import { fundInternalAccount } from "../../src/domain/platforms/sandbox/fund-internal-account.ts";
import { updateConfig } from "../../src/domain/platforms/update-config.ts";
import type { Command, Submission } from "../../src/engine/command.ts";
import { assert } from "../../src/std/assert.ts";
import { sandboxRails } from "../kit/rails.ts";
import { type AgentOrder, agentCommandOf } from "./agent-orders.ts";
import {
  type AccountOrder,
  accountCommandOf,
  type BatchOrder,
  type BulkOrder,
  batchCommandOf,
  bulkCommandOf,
} from "./bulk-orders.ts";
import { isScheduleOrder, type ScheduleOrder, scheduleCommandOf } from "./schedule-orders.ts";

export type QuoteOrder =
  | {
      readonly kind: "make-quote";
      /** The paying account; null for a quote that is funded by a push payment. */
      readonly fromId: string | null;
      /** The customer, if the order names one. */
      readonly customerId: string | null;
      readonly to: { readonly kind: "internal" | "external"; readonly id: string };
      readonly side: "SENDING" | "RECEIVING";
      readonly minor: bigint;
      readonly executes: boolean;
      /** The ordering agent; null for the platform. */
      readonly agentId: string | null;
    }
  | { readonly kind: "execute-quote"; readonly quoteId: string }
  | {
      readonly kind: "fund-quote";
      readonly quoteId: string;
      readonly currency: string;
      /** Null for the requested amount. */
      readonly minor: bigint | null;
    };

export type HoldOrder =
  | {
      readonly kind: "create-hold";
      readonly internalId: string;
      readonly minor: bigint;
      /** Platform time; null for the longest life. */
      readonly expiresAt: number | null;
    }
  | {
      readonly kind: "capture-hold";
      readonly holdId: string;
      readonly to: { readonly kind: "INTERNAL" | "EXTERNAL"; readonly id: string };
      /** Null for all that is left. */
      readonly minor: bigint | null;
      readonly isFinal: boolean;
    }
  | { readonly kind: "release-hold"; readonly holdId: string };

export type Order =
  | QuoteOrder
  | AgentOrder
  | HoldOrder
  | AccountOrder
  | BulkOrder
  | BatchOrder
  | ScheduleOrder
  | {
      readonly kind: "create-customer";
      readonly platformCustomerId: string;
      readonly fullName: string;
      readonly currencies: readonly string[];
    }
  | { readonly kind: "delete-customer"; readonly customerId: string }
  | {
      readonly kind: "create-external";
      readonly customerId: string | null;
      readonly currency: "USD" | "EUR";
      readonly accountNumber: string;
    }
  | { readonly kind: "delete-external"; readonly externalId: string; readonly isPlatforms: boolean }
  | { readonly kind: "fund"; readonly internalId: string; readonly minor: bigint }
  | {
      readonly kind: "transfer-out" | "transfer-in";
      readonly internalId: string;
      readonly externalId: string;
      readonly minor: bigint;
    }
  | {
      readonly kind: "book-transfer";
      readonly fromId: string;
      readonly toId: string;
      readonly minor: bigint;
    }
  | {
      readonly kind: "refund";
      readonly transactionId: string;
      /** Null for all that is left. */
      readonly minor: bigint | null;
    }
  | { readonly kind: "freeze" | "unfreeze"; readonly internalId: string }
  | { readonly kind: "set-limits"; readonly min: number; readonly max: number }
  | { readonly kind: "advance"; readonly seconds: number };

export interface Asked {
  readonly order: Order;
  readonly key: string | undefined;
}

export function toSubmission(
  platformId: string,
  { order, key }: Asked,
): Submission<unknown, unknown> {
  const { command, input } = commandOf(order);
  return {
    platformId,
    command: command as Command<unknown, unknown>,
    input,
    actor: { kind: "token", id: "sim" },
    toAnswer: (output) => ({ status: 200, body: textOf(output) }),
    ...(key === undefined
      ? {}
      : { idempotency: { scope: "sim", key, bodyDigest: digestOf(textOf(order)) } }),
  };
}

export function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, member) =>
    typeof member === "bigint" ? member.toString() : member,
  );
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function commandOf(order: Order): { readonly command: unknown; readonly input: unknown } {
  if (isScheduleOrder(order)) return scheduleCommandOf(order);
  switch (order.kind) {
    case "create-customer":
      return { command: createCustomer, input: newCustomer(order) };
    case "delete-customer":
      return { command: deleteCustomer, input: { customerId: order.customerId } };
    case "create-external":
      return { command: createExternalAccount, input: newExternal(order) };
    case "delete-external":
      return {
        command: deleteExternalAccount,
        input: { accountId: order.externalId, owner: order.isPlatforms ? "platform" : "customer" },
      };
    case "fund":
      return {
        command: fundInternalAccount,
        input: { accountId: order.internalId, amountMinor: order.minor },
      };
    case "transfer-out":
    case "transfer-in":
      return {
        command: order.kind === "transfer-out" ? transferOut : transferIn,
        input: {
          internalId: order.internalId,
          externalId: order.externalId,
          amountMinor: order.minor,
          rails: sandboxRails,
        },
      };
    case "book-transfer":
      return {
        command: bookTransfer,
        input: {
          sourceId: order.fromId,
          destinationId: order.toId,
          amountMinor: order.minor,
          description: undefined,
          metadata: null,
        },
      };
    case "refund":
      return {
        command: refundIncoming,
        input: {
          transactionId: order.transactionId,
          amountMinor: order.minor ?? undefined,
          reason: "OTHER",
          note: undefined,
          rails: sandboxRails,
        },
      };
    case "freeze": {
      const freeze = { reason: "OTHER", scope: "DEBITS", note: null };
      return { command: freezeAccount, input: { accountId: order.internalId, freeze } };
    }
    case "unfreeze":
      return { command: unfreezeAccount, input: { accountId: order.internalId } };
    case "create-hold":
    case "capture-hold":
    case "release-hold":
      return holdCommandOf(order);
    case "open-account":
    case "rename-account":
    case "close-account":
      return accountCommandOf(order);
    case "book-legs":
      return bulkCommandOf(order);
    case "create-batch":
    case "cancel-batch":
      return batchCommandOf(order);
    case "set-limits":
      return { command: updateConfig, input: limitsOf(order) };
    case "advance":
      return { command: advanceClock, input: { seconds: order.seconds } };
    case "make-quote": {
      const { agentId } = order;
      if (agentId === null) return { command: createQuote, input: newQuote(order) };
      return { command: createAgentQuote, input: { agentId, terms: newQuote(order) } };
    }
    case "execute-quote":
      return {
        command: executeQuote,
        input: { quoteId: order.quoteId, owner: undefined },
      };
    case "fund-quote": {
      const { quoteId, currency, minor } = order;
      return { command: fundQuote, input: { quoteId, currency, minor: minor ?? undefined } };
    }
    default:
      return agentCommandOf(order);
  }
}

function holdCommandOf(order: HoldOrder): { readonly command: unknown; readonly input: unknown } {
  switch (order.kind) {
    case "create-hold": {
      const { internalId: accountId, minor: amountMinor, expiresAt } = order;
      const more = { description: undefined, metadata: null };
      const input = { accountId, amountMinor, expiresAt: expiresAt ?? undefined, ...more };
      return { command: createHold, input };
    }
    case "capture-hold": {
      const { holdId, to: destination, minor, isFinal } = order;
      const more = { paymentRail: undefined, remittanceInformation: undefined };
      const terms = { ...more, description: undefined, metadata: null, rails: sandboxRails };
      const input = { holdId, destination, amountMinor: minor ?? undefined, isFinal, ...terms };
      return { command: captureHold, input };
    }
    case "release-hold":
      return { command: releaseHold, input: { holdId: order.holdId } };
  }
}

function newCustomer(order: Extract<Order, { kind: "create-customer" }>) {
  return {
    customer: {
      platformCustomerId: order.platformCustomerId,
      customerType: "INDIVIDUAL",
      region: null,
      email: null,
      phoneNumber: null,
      address: null,
      fullName: order.fullName,
      birthDate: null,
      nationality: null,
      profile: {},
      businessInfo: null,
      identitySealed: null,
      identityHasSsnForm: null,
    },
    umaAddress: undefined,
    currencies: order.currencies,
    wallet: undefined,
  };
}

function newExternal(order: Extract<Order, { kind: "create-external" }>) {
  const { currency, accountNumber } = order;
  const place =
    currency === "USD"
      ? { accountType: "USD_ACCOUNT", accountNumber, routingNumber: "021000021" }
      : { accountType: "EUR_ACCOUNT", iban: `DE89${accountNumber.padStart(18, "1")}` };
  const beneficiary = {
    ...{ beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
    ...{ birthDate: "1990-04-05", countryOfResidence: "DE" },
  };
  const info = checkAccountInfo(currency, { ...place, beneficiary });
  assert(info.ok, "the account of an order is sound");
  return {
    customerId: order.customerId ?? undefined,
    currency,
    info,
    platformAccountId: undefined,
    defaultUmaDepositAccount: false,
  };
}

function newQuote(order: Extract<QuoteOrder, { kind: "make-quote" }>) {
  const { fromId, to, side, minor, executes } = order;
  const customerId = order.customerId ?? undefined;
  return {
    source:
      fromId === null
        ? { kind: "realtime", currency: "USD", customerId, cryptoNetwork: undefined }
        : { kind: "internal", id: fromId, customerId },
    destination: { ...to, paymentRail: undefined },
    lockedSide: side,
    lockedMinor: minor,
    immediatelyExecute: executes,
    description: undefined,
    purposeOfPayment: undefined,
    senderCustomerInfo: {},
    remittanceInformation: undefined,
    bodySha256: "",
  };
}

/** Only dollars have limits. */
function limitsOf({ min, max }: { readonly min: number; readonly max: number }) {
  const more = {
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ["INCOMING", "OUTGOING"],
  };
  return {
    supportedCurrencies: [
      { currencyCode: "USD", minAmount: min, maxAmount: max, ...more },
      { currencyCode: "EUR", minAmount: 1, maxAmount: 100_000_000_000, ...more },
    ],
  };
}

const AGENT_KINDS: ReadonlySet<Order["kind"]> = new Set<AgentOrder["kind"]>([
  ...(["create-agent", "issue-code", "redeem-code", "update-agent", "update-policy"] as const),
  ...(["delete-agent", "submit", "decide"] as const),
]);

export function isHoldOrder(order: Order): order is HoldOrder {
  return order.kind.endsWith("-hold");
}

/** Whether the order is about agents or their actions. */
export function isAgentOrder(order: Order): order is AgentOrder {
  return AGENT_KINDS.has(order.kind);
}

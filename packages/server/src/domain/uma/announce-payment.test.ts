import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import {
  customer,
  external,
  internal,
  PLATFORM,
  platform,
} from "../../../test/kit/payment-rows.ts";
import { type ExternalAccount, externalAccounts } from "../accounts/external/external-account.ts";
import { type InternalAccount, internalAccounts } from "../accounts/internal/internal-account.ts";
import { type Customer, customers } from "../customers/customer.ts";
import { type Platform, platforms } from "../platform.ts";
import {
  type ReceiveUmaPaymentInput,
  receiveUmaPayment,
} from "../platforms/sandbox/receive-uma-payment.ts";
import type { PaymentOrder } from "./announce-payment.ts";

const byAddress = {
  kind: "address",
  umaAddress: customer.umaAddress,
  customerId: customer.id,
} as const;

const order: ReceiveUmaPaymentInput = {
  senderUmaAddress: `$success.usd@${platform.sandboxUmaDomain}`,
  receiver: byAddress,
  currency: "USD",
  amountMinor: 500n,
};

interface State {
  readonly platform?: Partial<Platform>;
  readonly customer?: Partial<Customer>;
  readonly internal?: Partial<InternalAccount>;
  readonly others?: readonly InternalAccount[];
  /** The default deposit account; there is none without it. */
  readonly deposit?: Partial<ExternalAccount>;
}

function announce(state: State, more: Partial<ReceiveUmaPaymentInput> = {}) {
  const input = { ...order, ...more };
  const deposit = { ...external, defaultUmaDepositAccount: true, ...state.deposit };
  const tables = [
    rowsOf(platforms, { ...platform, ...state.platform }),
    rowsOf(customers, { ...customer, ...state.customer }),
    rowsOf(internalAccounts, ...(state.others ?? []), { ...internal, ...state.internal }),
    rowsOf(externalAccounts, ...(state.deposit === undefined ? [] : [deposit])),
  ];
  const world = worldFor({ command: receiveUmaPayment, input, platformId: PLATFORM, tables });
  let destination: string | null = null;
  const refusal = refusalOf(world, () => {
    destination = receiveUmaPayment.decide(world, input).destinationAccountId;
  });
  return refusal?.code ?? destination;
}

describe("an incoming payment goes", () => {
  it("to the customer's own account in its currency", () => {
    expect(announce({})).toBe(internal.id);
    expect(announce({}, { receiver: { kind: "customer", customerId: customer.id } })).toBe(
      internal.id,
    );
  });

  it("never to an embedded wallet, for any order of the accounts", () => {
    const holding = { currency: "USDB", type: "INTERNAL_CRYPTO" } as const;
    const wallet: InternalAccount = {
      ...internal,
      id: external.id,
      currency: "USDB",
      type: "EMBEDDED_WALLET",
    };
    const dollars = { currency: "USDB" };
    expect(announce({ internal: holding, others: [wallet] }, dollars)).toBe(internal.id);
    expect(announce({ internal: { ...holding, type: "EMBEDDED_WALLET" } }, dollars)).toBe(
      "INVALID_CURRENCY",
    );
  });

  it("to the default deposit account while that is active and in its currency", () => {
    expect(announce({ deposit: {} })).toBe(external.id);
    expect(announce({ deposit: { currency: "EUR" } })).toBe(internal.id);
    for (const status of ["PENDING", "UNDER_REVIEW", "INACTIVE"] as const) {
      expect(announce({ deposit: { status } })).toBe(internal.id);
    }
    expect(announce({ deposit: { deletedAt: DECIDED_AT } })).toBe(internal.id);
  });

  it("to no account when the customer has dropped the currency, or the account is not active", () => {
    expect(announce({ customer: { currencies: ["EUR"] } })).toBe("INVALID_CURRENCY");
    expect(announce({ customer: { currencies: ["EUR"] }, deposit: {} })).toBe("INVALID_CURRENCY");
    for (const status of ["PENDING", "CLOSED", "FROZEN", "FAILED"] as const) {
      expect(announce({ internal: { status } })).toBe("INVALID_CURRENCY");
    }
  });
});

describe("an address", () => {
  it.each<readonly [string, Partial<Customer>]>([
    ["was given up since it was looked up", { umaAddress: "$moved@p.test" }],
    ["belonged to a customer who is deleted by now", { deletedAt: DECIDED_AT }],
  ])("belongs to no customer when it %s", (_why, change) => {
    expect(announce({ customer: change })).toBe("UMA_NOT_FOUND");
  });

  it("belongs to no customer when none was found at it", () => {
    const receiver: PaymentOrder["receiver"] = { ...byAddress, customerId: undefined };
    expect(announce({}, { receiver })).toBe("UMA_NOT_FOUND");
  });
});

describe("a payment that is refused", () => {
  it("reports errors in one order, for every combination of faults", () => {
    const [usd, ...rest] = platform.supportedCurrencies;
    if (usd === undefined) throw new Error("no currency");
    const outgoing = { ...usd, enabledTransactionTypes: ["OUTGOING"] as const };
    const notReady = { customer: { kycStatus: "PENDING" } } satisfies State;
    const frozen = { ...notReady, internal: { status: "FROZEN" } } as const;
    const oneWay = { ...frozen, platform: { supportedCurrencies: [outgoing, ...rest] } };
    const tooMuch = { amountMinor: 1_000_001n };
    expect([
      announce(oneWay, { ...tooMuch, senderUmaAddress: "$nobody@x.test" }),
      announce({ ...oneWay, customer: { deletedAt: DECIDED_AT } }, tooMuch),
      announce(oneWay, tooMuch),
      announce(frozen, tooMuch),
      announce(frozen),
      announce(notReady),
    ]).toEqual([
      "UMA_NOT_FOUND",
      "UMA_NOT_FOUND",
      "INVALID_CURRENCY",
      "AMOUNT_OUT_OF_RANGE",
      "INVALID_CURRENCY",
      "USER_NOT_READY",
    ]);
  });
});

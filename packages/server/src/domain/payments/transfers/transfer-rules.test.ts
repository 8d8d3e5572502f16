import { describe, expect, it } from "vitest";
import { refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import {
  customer,
  external,
  internal,
  PLATFORM,
  platform,
} from "../../../../test/kit/payment-rows.ts";
import { sandboxRails } from "../../../../test/kit/rails.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../../ledger/chart.ts";
import {
  type ExternalAccount,
  externalAccounts,
} from "../../accounts/external/external-account.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import { type Platform, platforms } from "../../platform.ts";
import { type TransferInInput, transferIn } from "./transfer-in.ts";
import { type TransferOutInput, transferOut } from "./transfer-out.ts";

interface State {
  readonly platform?: Partial<Platform>;
  readonly customer?: Partial<Customer>;
  readonly internal?: Partial<InternalAccount>;
  readonly external?: Partial<ExternalAccount>;
}

const input: TransferInInput & TransferOutInput = {
  internalId: internal.id,
  externalId: external.id,
  amountMinor: 100n,
  paymentRail: undefined,
  remittanceInformation: undefined,
  rails: sandboxRails,
};

function tablesIn(state: State) {
  const { id, currency, createdAt } = { ...internal, ...state.internal };
  const ledger = newInternalLedgerAccount(id, currency, createdAt);
  return [
    rowsOf(platforms, { ...platform, ...state.platform }),
    rowsOf(customers, { ...customer, ...state.customer }),
    rowsOf(internalAccounts, { ...internal, ...state.internal }),
    rowsOf(externalAccounts, { ...external, ...state.external }),
    rowsOf(ledgerAccounts, { ...ledger, balanceMinor: 1_000n }),
  ];
}

const commands = { out: transferOut, in: transferIn } as const;

function refused(way: "in" | "out", state: State, more: Partial<typeof input> = {}) {
  const command = commands[way];
  const asked = { ...input, ...more };
  const world = worldFor({ command, input: asked, platformId: PLATFORM, tables: tablesIn(state) });
  return refusalOf(world, () => command.decide(world, asked));
}

/** `made`, or what was refused: the first field, where one is named. */
function outcomeOf(...asked: Parameters<typeof refused>) {
  const refusal = refused(...asked);
  return refusal?.details?.field ?? refusal?.code ?? "made";
}

describe.each(["out", "in"] as const)("a transfer %s", (way) => {
  const inside = way === "out" ? "source.accountId" : "destination.accountId";
  const outside = way === "out" ? "destination.accountId" : "source.accountId";

  it("goes between two accounts that are active", () => {
    expect(outcomeOf(way, {})).toBe("made");
  });

  it.each(["PENDING", "CLOSED", "FROZEN", "FAILED"] as const)(
    "is refused when the account inside is %s",
    (status) => {
      expect(outcomeOf(way, { internal: { status } })).toBe(inside);
    },
  );

  it.each(["PENDING", "UNDER_REVIEW", "INACTIVE"] as const)(
    "is refused when the account outside is %s",
    (status) => {
      expect(outcomeOf(way, { external: { status } })).toBe(outside);
    },
  );

  it("reports errors in one order, for every combination of faults", () => {
    const notReady = { customer: { kycStatus: "REJECTED" } } satisfies State;
    const euros = { ...notReady, external: { currency: "EUR" } } satisfies State;
    const inactive = { ...euros, external: { status: "INACTIVE", ...euros.external } } as const;
    const frozen = { ...inactive, internal: { status: "FROZEN" } } as const;
    const foreign = { ...frozen, external: { customerId: PLATFORM, ...frozen.external } };
    const wallet = {
      ...foreign,
      internal: { type: "EMBEDDED_WALLET", ...foreign.internal },
    } as const;
    const gone = { ...wallet, external: { deletedAt: 1, ...wallet.external } };
    const states: readonly State[] = [gone, wallet, foreign, frozen, inactive, euros, notReady];
    const tooMuch = { amountMinor: 1_000_001n };
    expect(states.map((state) => outcomeOf(way, state, tooMuch))).toEqual([
      outside,
      inside,
      outside,
      inside,
      outside,
      "INVALID_CURRENCY",
      "AMOUNT_OUT_OF_RANGE",
    ]);
    expect(outcomeOf(way, notReady)).toBe("USER_NOT_READY");
  });
});

it("no money is pulled from an account that cannot be pulled from, independent of its owner", () => {
  const iban = "DE89370400440532013000";
  const euros = {
    currency: "EUR",
    accountType: "EUR_ACCOUNT",
    accountInfo: { accountType: "EUR_ACCOUNT", iban },
  } as const;
  const state = { internal: { currency: "EUR" }, external: euros };
  expect(outcomeOf("in", state)).toBe("source.accountId");
  expect(outcomeOf("out", state)).toBe("made");
  const ofPlatform = { internal: { customerId: null }, external: { customerId: null } };
  expect(outcomeOf("in", ofPlatform)).toBe("made");
  const both = {
    internal: { ...state.internal, customerId: null },
    external: { ...euros, customerId: null },
  };
  expect(outcomeOf("in", both)).toBe("source.accountId");
});

it("one customer pays into no account of another, and the platform into none of a customer", () => {
  expect(outcomeOf("out", { external: { customerId: null } })).toBe("made");
  expect(outcomeOf("out", { internal: { customerId: null } })).toBe("destination.accountId");
  expect(outcomeOf("in", { internal: { customerId: null } })).toBe("source.accountId");
});

it("production reports an unknown rail before a missing rail", () => {
  const production = { platform: { environment: "PRODUCTION" } } as const;
  expect(outcomeOf("out", production, { paymentRail: "SPEI" })).toBe("destination.paymentRail");
  expect(outcomeOf("out", production, { paymentRail: "WIRE" })).toBe("NOT_IMPLEMENTED");
  expect(outcomeOf("in", production)).toBe("NOT_IMPLEMENTED");
});

it("in production the missing rail is the requested one, or else the account's first", () => {
  const production = { platform: { environment: "PRODUCTION" } } as const;
  expect([
    refused("out", production, { paymentRail: "WIRE" })?.details,
    refused("out", production)?.details,
    refused("in", production)?.details,
  ]).toMatchObject([
    { rail: "WIRE", direction: "OUT", missing: "CONNECTION" },
    { rail: "ACH", direction: "OUT", missing: "CONNECTION" },
    { rail: "ACH", direction: "PULL", missing: "CONNECTION" },
  ]);
});

it("to a wallet money goes over its network, and over nothing else", () => {
  const spark = {
    internal: { currency: "USDB" },
    external: {
      currency: "USDB",
      accountType: "SPARK_WALLET",
      accountInfo: { accountType: "SPARK_WALLET", address: "spark1a" },
    },
  } as const;
  expect(outcomeOf("out", spark, { paymentRail: "SPARK" })).toBe("made");
  expect(refused("out", spark, { paymentRail: "ACH" })?.details).toMatchObject({
    reason: "is not a rail of the destination: one of SPARK",
    supported: ["SPARK"],
  });
});

it("an embedded wallet is refused with the operation that pays from it or into it", () => {
  const wallet = { internal: { type: "EMBEDDED_WALLET" } } as const;
  expect([refused("out", wallet)?.message, refused("in", wallet)?.message]).toEqual([
    "source.accountId: is an embedded wallet, which pays through quotes, with its owner's signature",
    "destination.accountId: is an embedded wallet, which is paid through quotes",
  ]);
});

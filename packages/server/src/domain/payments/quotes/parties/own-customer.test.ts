/** Which customers of the same platform a production quote to their UMA address is made for. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../../test/kit/decide-alone.ts";
import {
  customer,
  internal,
  PLATFORM,
  platform,
  quoteTerms,
} from "../../../../../test/kit/payment-rows.ts";
import type { Freeze } from "../../../accounts/freezes/freeze.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../../accounts/internal/internal-account.ts";
import { type Customer, customers } from "../../../customers/customer.ts";
import { platforms } from "../../../platform.ts";
import { type CreateQuoteInput, createQuote } from "../create-quote.ts";
import type { QuotedReceiver } from "./quote-parties.ts";

const PAYEE = "018f0000-0000-7000-8000-0000000000f0";

const receiver: QuotedReceiver = {
  umaAddress: "$bea@p.test",
  currency: "USD",
  minMinor: 1n,
  maxMinor: 1_000_000n,
  requiredPayerFields: [],
  counterpartyInformation: {},
  home: { kind: "customer", platformId: PLATFORM, customerId: PAYEE },
};

const payeeAccount: InternalAccount = {
  ...internal,
  id: "018f0000-0000-7000-8000-0000000000f1",
  customerId: PAYEE,
};

interface State {
  readonly environment?: "SANDBOX" | "PRODUCTION";
  readonly payer?: Partial<Customer>;
  readonly payee?: Partial<Customer>;
  /** Undefined: the payee has no account. */
  readonly account?: Partial<InternalAccount> | undefined;
  readonly receiver?: Partial<QuotedReceiver>;
}

const freezeOf = (scope: Freeze["scope"]): Freeze => ({
  scope,
  reason: "OTHER",
  note: null,
  since: new Date(DECIDED_AT).toISOString(),
});

function answerTo(state: State) {
  const { environment = "PRODUCTION" } = state;
  const input: CreateQuoteInput = {
    ...quoteTerms,
    destination: { kind: "uma", receiver: { ...receiver, ...state.receiver } },
  };
  const hasAccount = !("account" in state) || state.account !== undefined;
  const tables = [
    rowsOf(platforms, { ...platform, environment }),
    rowsOf(
      customers,
      { ...customer, ...state.payer },
      { ...customer, id: PAYEE, umaAddress: receiver.umaAddress, ...state.payee },
    ),
    rowsOf(
      internalAccounts,
      internal,
      ...(hasAccount ? [{ ...payeeAccount, ...state.account }] : []),
    ),
  ];
  const world = worldFor({ command: createQuote, input, platformId: PLATFORM, tables });
  const refusal = refusalOf(world, () => createQuote.decide(world, input));
  return refusal === undefined ? "made" : [refusal.code, refusal.details?.field];
}

describe("a quote to the address of a customer of the same platform", () => {
  it("is made, within one currency and without a rail", () => {
    expect(answerTo({})).toBe("made");
  });

  const self = {
    home: { kind: "customer", platformId: PLATFORM, customerId: customer.id },
  } as const;
  /** In the order in which they are refused. */
  const faults: readonly (readonly [string, State, readonly [string, string?]])[] = [
    [
      "was deleted",
      { payee: { deletedAt: DECIDED_AT } },
      ["INVALID_INPUT", "destination.umaAddress"],
    ],
    ["is the payer", { receiver: self }, ["SELF_PAYMENT"]],
    ["has no account", { account: undefined }, ["INVALID_CURRENCY", "destination.currency"]],
    [
      "has closed the account",
      { account: { status: "CLOSED" } },
      ["INVALID_CURRENCY", "destination.currency"],
    ],
    [
      "has a frozen account",
      { account: { frozen: freezeOf("ALL") } },
      ["INVALID_CURRENCY", "destination.currency"],
    ],
    [
      "has an account of another currency",
      { account: { currency: "EUR" } },
      ["INVALID_CURRENCY", "destination.currency"],
    ],
    [
      "has a wallet alone",
      { account: { type: "EMBEDDED_WALLET" } },
      ["INVALID_CURRENCY", "destination.currency"],
    ],
    [
      "has dropped the currency",
      { payee: { currencies: ["EUR"] } },
      ["INVALID_CURRENCY", "destination.currency"],
    ],
    ["is not ready", { payee: { kycStatus: "PENDING" } }, ["USER_NOT_READY"]],
    ["is frozen", { payee: { frozen: freezeOf("ALL") } }, ["CUSTOMER_FROZEN"]],
    ["takes less", { receiver: { maxMinor: 9_999n } }, ["AMOUNT_OUT_OF_RANGE"]],
    ["takes more alone", { receiver: { minMinor: 10_001n } }, ["AMOUNT_OUT_OF_RANGE"]],
  ];

  it.each(faults)("is refused when the payee %s", (_why, state, [code, field]) => {
    expect(answerTo(state)).toEqual([code, field]);
  });

  it("is refused for the first of several faults", () => {
    const [deleted, , none, , , , , , unready, frozen, less] = faults.map(([, state]) => state);
    const all = [deleted, none, unready, frozen, less];
    const codes = all.map((_fault, from) => {
      const some = all.slice(from);
      const merged = Object.assign({}, ...some, {
        payee: Object.assign({}, ...some.map((each) => each?.payee)),
      });
      return answerTo(merged)[0];
    });
    expect(codes).toEqual([
      "INVALID_INPUT",
      "INVALID_CURRENCY",
      "USER_NOT_READY",
      "CUSTOMER_FROZEN",
      "AMOUNT_OUT_OF_RANGE",
    ]);
  });

  it("is made for a payee who may only receive", () => {
    expect(answerTo({ payee: { frozen: freezeOf("DEBITS") } })).toBe("made");
    expect(answerTo({ account: { frozen: freezeOf("DEBITS") } })).toBe("made");
  });

  it("is refused for a payer who is not ready or frozen, before the payee", () => {
    const payee = { kycStatus: "REJECTED" } as const;
    expect(answerTo({ payer: { kycStatus: "PENDING" }, payee })).toEqual([
      "USER_NOT_READY",
      undefined,
    ]);
    const frozen = freezeOf("DEBITS");
    expect(answerTo({ payer: { frozen } })).toEqual(["CUSTOMER_FROZEN", undefined]);
  });

  it("asks about the payee in a sandbox when the money comes, as before", () => {
    const payee = { frozen: freezeOf("ALL") };
    expect(answerTo({ environment: "SANDBOX", payee, account: undefined })).toBe("made");
  });
});

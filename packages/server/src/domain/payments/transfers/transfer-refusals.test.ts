/** Every refusal of a transfer in its documented order: each row has the fault that is named and all that are looked for after it. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import {
  customer,
  external,
  internal,
  PLATFORM,
  platform,
} from "../../../../test/kit/payment-rows.ts";
import { sandboxRails } from "../../../../test/kit/rails.ts";
import {
  ledgerAccounts,
  newInternalLedgerAccount,
  newSystemAccount,
} from "../../../ledger/chart.ts";
import { INT8_MAX } from "../../../ledger/postings.ts";
import {
  type ExternalAccount,
  externalAccounts,
} from "../../accounts/external/external-account.ts";
import type { Freeze } from "../../accounts/freezes/freeze.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import { platforms, type SupportedCurrency } from "../../platform.ts";
import { transferIn } from "./transfer-in.ts";
import { transferOut } from "./transfer-out.ts";

interface State {
  readonly internal?: Partial<InternalAccount> | "absent";
  readonly external?: Partial<ExternalAccount> | "absent";
  readonly customer?: Partial<Customer>;
  readonly currencies?: readonly SupportedCurrency[];
  readonly amountMinor?: bigint;
  readonly paymentRail?: string;
  readonly availableMinor?: bigint;
  /** Of what the rail has carried in dollars, in and out. */
  readonly carriedMinor?: bigint;
}

type Way = "out" | "in";
const commands = { out: transferOut, in: transferIn } as const;

const isThere = <Row>(row: Row, change: Partial<Row> | "absent" = {}): readonly Row[] =>
  change === "absent" ? [] : [{ ...row, ...change }];

function refusalWith(way: Way, state: State) {
  const { amountMinor = 100n, availableMinor = 1_000n, carriedMinor = 0n, paymentRail } = state;
  const { currencies: supportedCurrencies = platform.supportedCurrencies } = state;
  const input = {
    ...{ internalId: internal.id, externalId: external.id, amountMinor, paymentRail },
    ...{ remittanceInformation: undefined, rails: sandboxRails },
  };
  const ledger = newInternalLedgerAccount(internal.id, "USD", DECIDED_AT);
  const clearing = newSystemAccount({ system: "rail-clearing", currency: "USD" }, DECIDED_AT);
  const command = commands[way];
  const world = worldFor({
    command,
    input,
    platformId: PLATFORM,
    tables: [
      rowsOf(platforms, { ...platform, supportedCurrencies }),
      rowsOf(customers, { ...customer, ...state.customer }),
      rowsOf(internalAccounts, ...isThere(internal, state.internal)),
      rowsOf(externalAccounts, ...isThere(external, state.external)),
      rowsOf(
        ledgerAccounts,
        { ...ledger, balanceMinor: availableMinor },
        { ...clearing, balanceMinor: carriedMinor },
      ),
    ],
  });
  return refusalOf(world, () => command.decide(world, input));
}

const usd = (change: Partial<SupportedCurrency>): readonly SupportedCurrency[] =>
  platform.supportedCurrencies.map((each) =>
    each.currencyCode === "USD" ? { ...each, ...change } : each,
  );
const frozen: Freeze = {
  reason: "OTHER",
  scope: "ALL",
  note: null,
  since: "2026-11-01T00:00:00.000Z",
};

describe.each(["out", "in"] as const)("a transfer %s is refused", (way) => {
  const [inside, outside] =
    way === "out"
      ? ["source.accountId", "destination.accountId"]
      : ["destination.accountId", "source.accountId"];
  const onlyOther = way === "out" ? ("INCOMING" as const) : ("OUTGOING" as const);
  const noRoom = way === "out" ? INT8_MAX / 2n : -INT8_MAX / 2n;

  // From the last fault that is looked for to the first: each row has those above it as well.
  const full: State = { carriedMinor: noRoom };
  const isFrozen: State = { ...full, internal: { frozen } };
  const notReady: State = { ...isFrozen, customer: { kycStatus: "PENDING" } };
  const tooMuch: State = { ...notReady, amountMinor: 1_000_001n };
  const otherWay: State = { ...tooMuch, currencies: usd({ enabledTransactionTypes: [onlyOther] }) };
  const euros: State = { ...otherWay, external: { currency: "EUR" } };
  const inactive: State = { ...euros, external: { currency: "EUR", status: "INACTIVE" } };
  const closed: State = { ...inactive, internal: { frozen, status: "CLOSED" } };
  const foreign: State = {
    ...closed,
    external: { currency: "EUR", status: "INACTIVE", customerId: PLATFORM },
  };
  const wallet: State = {
    ...foreign,
    internal: { frozen, status: "CLOSED", type: "EMBEDDED_WALLET" },
  };
  const gone: State = { ...wallet, external: { currency: "EUR", deletedAt: 1 } };
  const nowhere: State = { ...wallet, external: "absent" };
  const nobody: State = { ...nowhere, internal: "absent" };

  it.each<readonly [what: string, state: State, code: string, field: string | undefined]>([
    ["an unknown account inside", nobody, "REFERENCE_NOT_FOUND", inside],
    ["an unknown account outside", nowhere, "REFERENCE_NOT_FOUND", outside],
    ["a deleted account outside", gone, "REFERENCE_NOT_FOUND", outside],
    ["an embedded wallet", wallet, "INVALID_INPUT", inside],
    ["another customer's account", foreign, "INVALID_INPUT", outside],
    ["an account inside that is not active", closed, "INVALID_INPUT", inside],
    ["an account outside that is not active", inactive, "INVALID_INPUT", outside],
    ["two currencies", euros, "INVALID_CURRENCY", undefined],
    ["a currency that is not moved this way", otherWay, "INVALID_CURRENCY", undefined],
    ["an amount outside the limits", tooMuch, "AMOUNT_OUT_OF_RANGE", undefined],
    ["a customer who is not ready", notReady, "USER_NOT_READY", undefined],
    ["a freeze", isFrozen, "ACCOUNT_FROZEN", inside],
    ["books without room", full, "AMOUNT_OUT_OF_RANGE", undefined],
  ])("for %s, before what is listed below it", (_what, state, code, field) => {
    const refusal = refusalWith(way, state);
    expect([refusal?.code, refusal?.details?.field]).toEqual([code, field]);
  });

  it("for a currency that the platform does not support any more", () => {
    const currencies = platform.supportedCurrencies.filter(
      ({ currencyCode }) => currencyCode !== "USD",
    );
    expect(refusalWith(way, { currencies })?.code).toBe("INVALID_CURRENCY");
  });

  it.each([
    [99n, "AMOUNT_OUT_OF_RANGE"],
    [100n, undefined],
    [5_000n, undefined],
    [5_001n, "AMOUNT_OUT_OF_RANGE"],
  ])("or not, with an amount of %s between the limits 100 and 5000", (amountMinor, code) => {
    const currencies = usd({ minAmount: 100, maxAmount: 5_000 });
    const refusal = refusalWith(way, { currencies, amountMinor, availableMinor: 10_000n });
    expect(refusal?.code).toBe(code);
    if (code !== undefined)
      expect(refusal?.details).toEqual({ currency: "USD", minAmount: 100, maxAmount: 5_000 });
  });

  it.each([
    ["APPROVED", null, undefined],
    ["PENDING", null, "USER_NOT_READY"],
    ["REJECTED", null, "USER_NOT_READY"],
    ["UNVERIFIED", null, "USER_NOT_READY"],
    ["APPROVED", DECIDED_AT, "USER_NOT_READY"],
  ] as const)("or not, for a customer who is %s, deleted at %s", (kycStatus, deletedAt, code) => {
    expect(refusalWith(way, { customer: { kycStatus, deletedAt } })?.code).toBe(code);
  });

  it.each([
    ["its own", { frozen }, "ACCOUNT_FROZEN"],
    ["its customer's", { customerFreeze: frozen }, "CUSTOMER_FROZEN"],
    [
      "its own, of debits",
      { frozen: { ...frozen, scope: "DEBITS" } },
      way === "out" ? "ACCOUNT_FROZEN" : undefined,
    ],
    [
      "its customer's, of debits",
      { customerFreeze: { ...frozen, scope: "DEBITS" } },
      way === "out" ? "CUSTOMER_FROZEN" : undefined,
    ],
  ] as const)("or not, with a freeze that is %s", (_whose, change, code) => {
    expect(refusalWith(way, { internal: change })?.code).toBe(code);
  });
});

describe("a transfer out is refused", () => {
  it("for a rail that the destination does not have, then for too low a balance", () => {
    const low = { availableMinor: 99n };
    const rail = refusalWith("out", { ...low, paymentRail: "SEPA", carriedMinor: INT8_MAX / 2n });
    expect(rail?.details).toMatchObject({
      field: "destination.paymentRail",
      supported: ["ACH", "WIRE"],
    });
    expect(refusalWith("out", { ...low, paymentRail: "ACH" })).toMatchObject({
      code: "INSUFFICIENT_BALANCE",
      details: { available: 99, needed: 100 },
    });
    expect(refusalWith("out", { availableMinor: 100n })).toBeUndefined();
  });
});

/** Money that a sandbox makes, its counterparties, and how it judges people and businesses. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../../test/kit/decided.ts";
import { customer, internal, PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import {
  type LedgerAccount,
  ledgerAccounts,
  newInternalLedgerAccount,
  newSystemAccount,
} from "../../../ledger/chart.ts";
import type { Freeze } from "../../accounts/freezes/freeze.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import { kybOutcomeOf, kycOutcomeOf, ownerOutcomeOf } from "../../customers/kyc-outcomes.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { counterparties, findCounterparty } from "../../uma/counterparties.ts";
import { fundInternalAccount } from "./fund-internal-account.ts";

interface Case {
  readonly account?: InternalAccount | null;
  readonly customer?: Customer;
  readonly ledger?: Partial<LedgerAccount>;
  readonly amountMinor?: bigint;
}

function fund({ account = internal, ledger = {}, amountMinor = 500n, ...scene }: Case) {
  const opened = newInternalLedgerAccount(internal.id, "USD", DECIDED_AT);
  return decided({
    command: fundInternalAccount,
    input: { accountId: internal.id, amountMinor },
    platformId: PLATFORM,
    tables: [
      rowsOf(customers, scene.customer ?? customer),
      rowsOf(internalAccounts, ...(account === null ? [] : [account])),
      rowsOf(
        ledgerAccounts,
        { ...opened, ...ledger },
        newSystemAccount({ system: "sandbox-funding", currency: "USD" }, DECIDED_AT),
      ),
    ],
  });
}

const freeze = (scope: Freeze["scope"]): Freeze => ({
  reason: "OTHER",
  scope,
  note: null,
  since: "2026-11-20T00:00:00.000Z",
});
const most = BigInt(Number.MAX_SAFE_INTEGER);

describe("the funding of an account of a sandbox", () => {
  it.each(
    inOrder<Case>([
      ["REFERENCE_NOT_FOUND", { account: null }],
      ["CONFLICT CLOSED", { account: { ...internal, status: "CLOSED" } }],
      ["CONFLICT the customer was deleted", { customer: { ...customer, deletedAt: 7 } }],
      ["ACCOUNT_FROZEN", { account: { ...internal, frozen: freeze("ALL") } }],
      ["CUSTOMER_FROZEN", { account: { ...internal, customerFreeze: freeze("ALL") } }],
      ["AMOUNT_OUT_OF_RANGE USD", { ledger: { balanceMinor: most } }],
    ]),
  )("is refused with %s, %s", (expected, _how, scene) => {
    const { refusal } = fund(scene);
    expect(named(refusal, "status", "reason", "currency")).toBe(expected);
  });

  it("is a payment that is complete at once, and told before the balance", () => {
    const { output, world } = fund({ ledger: { balanceMinor: 100n } });
    expect(output?.account).toEqual(internal);
    expect(world.get(ledgerAccounts.ref(internal.id)).balanceMinor).toBe(600n);
    expect(world.entries).toHaveLength(2);
    expect(written(world, transactions)).toMatchObject([
      {
        type: "INCOMING",
        status: "COMPLETED",
        customerId: customer.id,
        platformCustomerId: customer.platformCustomerId,
        receivedMinor: 500n,
        receivedCurrency: "USD",
        sentMinor: null,
        settledAt: DECIDED_AT,
      },
    ]);
    expect(world.events.map(({ type }) => type)).toEqual([
      "INCOMING_PAYMENT.COMPLETED",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    ]);
  });

  it("of the platform itself has the platform as its customer", () => {
    const { world } = fund({ account: { ...internal, customerId: null } });
    expect(written(world, transactions)).toMatchObject([
      { customerId: null, platformCustomerId: PLATFORM },
    ]);
  });

  it("takes money into an account that is frozen for debits alone", () => {
    expect(fund({ account: { ...internal, frozen: freeze("DEBITS") } }).refusal).toBeUndefined();
    const customerFreeze = freeze("DEBITS");
    expect(fund({ account: { ...internal, customerFreeze } }).refusal).toBeUndefined();
  });

  it("counts held money, because it can come back", () => {
    expect(fund({ ledger: { heldMinor: most } }).refusal?.code).toBe("AMOUNT_OUT_OF_RANGE");
  });
});

describe("a counterparty of a sandbox", () => {
  const domain = platform.sandboxUmaDomain;

  it.each(counterparties.map(({ name }) => name))("%s is at the sandbox domain alone", (name) => {
    expect(findCounterparty(`$${name}@${domain}`, domain)?.name).toBe(name);
    expect(findCounterparty(`$${name}@p.test`, domain)).toBeUndefined();
    expect(findCounterparty(`$${name}@${domain}`, null)).toBeUndefined();
    expect(findCounterparty(`$${name}@x.${domain}`, domain)).toBeUndefined();
  });

  it.each([
    "$nobody@sandbox.p.test",
    "$@sandbox.p.test",
    "sandbox.p.test",
    "",
    "success.usd@sandbox.p.test",
  ])("is not %j", (address) => {
    expect(findCounterparty(address, domain)).toBeUndefined();
  });

  it("has one name each, and a currency that its name ends with where it pays", () => {
    expect(new Set(counterparties.map(({ name }) => name)).size).toBe(counterparties.length);
    for (const { name, currency } of counterparties)
      expect(name.endsWith(`.${currency.toLowerCase()}`)).toBe(true);
  });
});

describe("a sandbox judges", () => {
  it.each([
    [null, "APPROVED"],
    ["", "APPROVED"],
    ["Ana Ruiz", "APPROVED"],
    ["Ana Ruiz 001", "PENDING"],
    ["Ana Ruiz 002", "REJECTED"],
    ["Ana Ruiz 003", "UNVERIFIED"],
    ["Ana Ruiz 004", "APPROVED"],
    ["002 Ana Ruiz", "APPROVED"],
    ["Ana Ruiz 002 ", "APPROVED"],
    ["002", "REJECTED"],
    ["02", "APPROVED"],
  ])("a person with the name %j as %s", (name, expected) => {
    expect(kycOutcomeOf(name)).toBe(expected);
  });

  it.each([
    ["HRB 1", "APPROVED"],
    ["HRB-001", "PENDING"],
    ["HRB-002", "REJECTED"],
    ["HRB-003", "APPROVED"],
    ["", "APPROVED"],
  ])("a business or an owner with %j as %s", (text, expected) => {
    expect(kybOutcomeOf(text)).toBe(expected);
    expect(ownerOutcomeOf(text)).toBe(expected);
  });
});

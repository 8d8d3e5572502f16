/** Which external accounts are added, and what a sandbox and production say of them. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../../test/kit/decided.ts";
import { customer, external, PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import { type Platform, platforms } from "../../platform.ts";
import type { AccountType } from "./account-types.ts";
import { createExternalAccount as command } from "./create-external-account.ts";
import { type ExternalAccount, externalAccounts, fingerprintOf } from "./external-account.ts";

const OTHER = "018f0000-0000-7000-8000-0000000000f9";

interface State {
  readonly environment?: Platform["environment"];
  readonly customer?: Partial<Customer>;
  readonly accountNumber?: string;
  readonly routingNumber?: string;
  /** Of the holder, with the same number. */
  readonly same?: Partial<ExternalAccount>;
  readonly defaultUmaDepositAccount?: boolean;
  readonly isOwn?: boolean;
  readonly accountType?: AccountType;
}

function created(state: State) {
  const { environment = "SANDBOX", accountNumber = "12345678901", isOwn = false } = state;
  const { routingNumber = "021000021", defaultUmaDepositAccount = false, same } = state;
  const { accountType = external.accountType } = state;
  const { currency } = external;
  const beneficiary = { legalName: "Blue Ridge LLC" };
  const accountInfo = { accountType, accountNumber, routingNumber, beneficiary };
  const holder = isOwn ? null : customer.id;
  const input = {
    ...{ customerId: holder ?? undefined, currency, platformAccountId: undefined, metadata: null },
    info: { ok: true, accountType, accountInfo, primaryIdentifier: accountNumber, pullable: true },
    defaultUmaDepositAccount,
  } as const;
  const owned = { customerId: holder, accountType, primaryIdentifier: accountNumber };
  const other = { ...external, id: OTHER, customerId: holder, fingerprint: fingerprintOf(owned) };
  const tables = [
    rowsOf(platforms, { ...platform, environment }),
    rowsOf(customers, { ...customer, ...state.customer }),
    rowsOf(externalAccounts, ...(same === undefined ? [] : [{ ...other, ...same }])),
  ];
  return decided({ command, input, platformId: PLATFORM, tables });
}

const production = { environment: "PRODUCTION" } as const;

describe("an account", () => {
  it.each(
    inOrder<State>([
      ["USER_NOT_FOUND", { customer: { id: OTHER } }],
      ["INVALID_INPUT customerId", { customer: { deletedAt: 1 } }],
      [
        "INVALID_BANK_ACCOUNT accountInfo.routingNumber",
        { ...production, routingNumber: "021000022" },
      ],
      ["CONFLICT accountInfo", { same: {} }],
    ]),
  )("is refused: %s, %s", (expected, _how, state) => {
    expect(named(created(state).refusal, "field")).toBe(expected);
  });

  it.each<readonly [string, State]>([
    ["decided", { same: { deletedAt: 1 } }],
    ["decided", { same: { fingerprint: "f" } }],
    ["decided", { routingNumber: "021000022" }],
    ["CONFLICT accountInfo", { same: {}, isOwn: true }],
    ["INVALID_BANK_ACCOUNT accountInfo", { accountNumber: "12345678105", same: {} }],
  ])("%s: %o", (expected, state) => {
    expect(named(created(state).refusal, "field")).toBe(expected);
  });

  it.each([
    ["12345678901", "MATCHED", "Blue Ridge LLC", []],
    ["12345678102", "NOT_MATCHED", null, []],
    ["12345678104", "PENDING", null, ["conclude-name-check"]],
  ])("%s has the result %s of the name check in a sandbox", (accountNumber, status, name, jobs) => {
    const { output, world } = created({ accountNumber });
    expect(output).toMatchObject({
      beneficiaryVerificationStatus: status,
      beneficiaryVerifiedFullName: name,
    });
    expect(world.jobs.map(({ kind }) => kind)).toEqual(jobs);
  });

  it.each(["12345678901", "12345678102", "12345678104", "12345678105"])(
    "%s has no result in production, where no name is checked",
    (accountNumber) => {
      const { output, refusal, world } = created({ ...production, accountNumber });
      expect(refusal).toBeUndefined();
      expect(output).toMatchObject({
        beneficiaryVerificationStatus: null,
        beneficiaryVerifiedFullName: null,
      });
      expect(world.jobs).toEqual([]);
    },
  );
});

it("a wallet has no result in a sandbox either, because no institution checks its name", () => {
  const { output } = created({ accountType: "ETHEREUM_WALLET" });
  expect(output).toMatchObject({
    beneficiaryVerificationStatus: null,
    beneficiaryVerifiedFullName: null,
  });
});

describe("the account that incoming UMA payments go to", () => {
  const same = { fingerprint: "f", defaultUmaDepositAccount: true };

  it("is the new one, and no other any more", () => {
    const { output, world } = created({ defaultUmaDepositAccount: true, same });
    expect(output?.defaultUmaDepositAccount).toBe(true);
    const before = written(world, externalAccounts).filter(({ id }) => id === OTHER);
    expect(before).toMatchObject([{ defaultUmaDepositAccount: false, updatedAt: DECIDED_AT }]);
  });

  it("stays where the new one is not to be it, and is never the platform's own", () => {
    expect(written(created({ same }).world, externalAccounts)).toHaveLength(1);
    const own = created({ defaultUmaDepositAccount: true, isOwn: true });
    expect(own.output?.defaultUmaDepositAccount).toBe(false);
  });
});

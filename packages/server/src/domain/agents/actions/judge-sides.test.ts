/** Every kind of order against every way in which a policy can name who pays and who is paid. */
import { describe, expect, it } from "vitest";
import type { AccountRestrictions, AgentPolicy, Payees } from "../agent-policy.ts";
import { type ActionSides, brokenBySides, type Payee } from "./judge-action.ts";

const ACCOUNT = "InternalAccount:a";
const EUROS = "InternalAccount:e";
const BANK = "ExternalAccount:bank";
const SHOP = "ExternalAccount:shop";
const ADDRESS = "$shop@pay.test";

const shop: Payee = { kind: "external", accountId: SHOP };
const address: Payee = { kind: "uma", umaAddress: ADDRESS };

function sides(
  accountIds: readonly string[],
  { from = null, to = null }: { readonly from?: string | null; readonly to?: Payee | null },
): ActionSides {
  return { accountIds, fundingAccountId: from, payee: to };
}

const orders = {
  "a transfer out": sides([ACCOUNT], { to: shop }),
  "a transfer in": sides([ACCOUNT], { from: BANK }),
  "a quote from a balance to an account outside": sides([ACCOUNT], { to: shop }),
  "a quote from a balance to a UMA address": sides([ACCOUNT], { to: address }),
  "a quote between balances": sides([ACCOUNT, EUROS], {}),
  "a quote from a bank to a balance": sides([EUROS], { from: BANK }),
  "a quote from a bank to an account outside": sides([], { from: BANK, to: shop }),
  "a quote from a bank to a UMA address": sides([], { from: BANK, to: address }),
  "a quote that is paid in, to a balance": sides([ACCOUNT], {}),
  "a quote that is paid in, to an account outside": sides([], { to: shop }),
  "a quote that is paid in, to a UMA address": sides([], { to: address }),
} as const satisfies Readonly<Record<string, ActionSides>>;
type Order = keyof typeof orders;
const all = Object.keys(orders) as readonly Order[];

const toShop: readonly Order[] = all.filter((name) => orders[name].payee === shop);
const toAddress: readonly Order[] = all.filter((name) => orders[name].payee === address);
const fromBank: readonly Order[] = all.filter((name) => orders[name].fundingAccountId === BANK);
const ofBalance: readonly Order[] = all.filter((name) => orders[name].accountIds.length > 0);

function judged(accountRestrictions: AccountRestrictions | undefined, order: Order) {
  const policy: AgentPolicy = {
    permissions: [],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 0 },
    ...(accountRestrictions === undefined ? {} : { accountRestrictions }),
  };
  return brokenBySides(policy, orders[order]);
}

/** The orders that restrictions refuse, when they break no other rule. */
function refusedBy(restrictions: AccountRestrictions | undefined, rule: string) {
  return all.filter((order) => {
    const broken = judged(restrictions, order);
    expect([undefined, rule]).toContain(broken);
    return broken !== undefined;
  });
}

describe("the kinds of order in these tables", () => {
  it("reach every kind of side", () => {
    expect([toShop, toAddress, fromBank, ofBalance].map(({ length }) => length)).toEqual([
      4, 3, 4, 7,
    ]);
  });
});

describe("payees", () => {
  const both = { externalAccountIds: [SHOP], umaAddresses: [ADDRESS] };
  const others = { externalAccountIds: [BANK], umaAddresses: ["$other@pay.test"] };
  const outside = all.filter((name) => orders[name].payee !== null);
  const table: readonly (readonly [string, Payees | undefined, readonly Order[]])[] = [
    ["that are absent", undefined, []],
    ["of any kind", { mode: "ANY" }, []],
    [
      "of any kind, with empty lists",
      { mode: "ANY", externalAccountIds: [], umaAddresses: [] },
      [],
    ],
    ["without a list", { mode: "LISTED" }, outside],
    ["in empty lists", { mode: "LISTED", externalAccountIds: [], umaAddresses: [] }, outside],
    ["in both lists", { mode: "LISTED", ...both }, []],
    ["in the list of accounts", { mode: "LISTED", externalAccountIds: [SHOP] }, toAddress],
    ["in the list of addresses", { mode: "LISTED", umaAddresses: [ADDRESS] }, toShop],
    ["that are others", { mode: "LISTED", ...others }, outside],
    [
      "with the account's id among the addresses, and the other way round",
      { mode: "LISTED", externalAccountIds: [ADDRESS], umaAddresses: [SHOP] },
      outside,
    ],
    [
      "with another address of the same user or domain",
      {
        mode: "LISTED",
        externalAccountIds: [SHOP],
        umaAddresses: ["$shop@pay.test:8443", "$shops@pay.test"],
      },
      toAddress,
    ],
  ];

  it.each(table)("%s", (_what, payees, refused) => {
    const restrictions = payees === undefined ? undefined : { payees };
    expect(refusedBy(restrictions, "PAYEE_NOT_ALLOWED")).toEqual(refused);
  });
});

describe("accounts to pull money from", () => {
  it.each([
    ["that are absent", {}, []],
    ["of null", { fundingAccountIds: null }, []],
    ["that are none", { fundingAccountIds: [] }, fromBank],
    ["with the bank", { fundingAccountIds: [SHOP, BANK] }, []],
    ["without the bank", { fundingAccountIds: [SHOP] }, fromBank],
  ] as const)("%s", (_what, restrictions, refused) => {
    expect(refusedBy(restrictions, "FUNDING_ACCOUNT_NOT_ALLOWED")).toEqual(refused);
  });

  it("say nothing of who is paid, and payees nothing of who pays", () => {
    expect(judged({ fundingAccountIds: [BANK] }, "a transfer out")).toBeUndefined();
    const nobody = { payees: { mode: "LISTED" } } as const;
    expect(judged(nobody, "a transfer in")).toBeUndefined();
  });
});

describe("internal accounts", () => {
  it.each([
    ["of null", { allowedAccountIds: null }, []],
    ["that are none", { allowedAccountIds: [] }, ofBalance],
    ["that are both", { allowedAccountIds: [ACCOUNT, EUROS] }, []],
    [
      "that are one of two",
      { allowedAccountIds: [ACCOUNT] },
      ["a quote between balances", "a quote from a bank to a balance"],
    ],
  ] as const)("%s", (_what, restrictions, refused) => {
    expect(refusedBy(restrictions, "ACCOUNT_NOT_ALLOWED")).toEqual(refused);
  });

  it("are paid under every list of payees", () => {
    for (const order of [
      "a quote between balances",
      "a quote that is paid in, to a balance",
    ] as const)
      expect(judged({ payees: { mode: "LISTED" } }, order)).toBeUndefined();
  });
});

describe("the order of the rules", () => {
  it("is the account, the account that is pulled from, the payee", () => {
    const policy = { permissions: [], defaultExecutionMode: "AUTO" } as const;
    const spendingLimits = { currency: "USD", perTransactionLimit: 0 };
    const action = sides([ACCOUNT], { from: BANK, to: shop });
    const none = {
      allowedAccountIds: [],
      fundingAccountIds: [],
      payees: { mode: "LISTED" },
    } as const;
    const found = [
      none,
      { ...none, allowedAccountIds: null },
      { ...none, allowedAccountIds: null, fundingAccountIds: null },
    ].map((accountRestrictions) =>
      brokenBySides({ ...policy, spendingLimits, accountRestrictions }, action),
    );
    expect(found).toEqual([
      "ACCOUNT_NOT_ALLOWED",
      "FUNDING_ACCOUNT_NOT_ALLOWED",
      "PAYEE_NOT_ALLOWED",
    ]);
  });
});

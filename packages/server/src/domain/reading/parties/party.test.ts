import { expect, it } from "vitest";
import type { JsonObject } from "../../../std/json.ts";
import { accountExamples } from "../../accounts/external/account-examples.ts";
import {
  type AccountType,
  accountTypes,
  primaryIdentifierOf,
} from "../../accounts/external/account-types.ts";
import { externalAccounts } from "../../accounts/external/external-account.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { platforms } from "../../platform.ts";
import { tokens } from "../../token.ts";
import {
  agentParty,
  customerParty,
  externalAccountParty,
  holderOf,
  internalAccountParty,
  outsideParty,
  referenceTo,
  referenceToActor,
  umaParty,
} from "./party.ts";

const id = "019a4f00-0000-7000-8000-000000000001";
const sofia = holderOf({ id, yourId: "sofia-1", name: "Sofia Petrova" });

function accountOf(accountType: AccountType, change: JsonObject = {}) {
  const accountInfo: JsonObject = { ...accountExamples[accountType], ...change };
  const primaryIdentifier = primaryIdentifierOf(accountType, accountInfo);
  return { id, accountType, accountInfo, primaryIdentifier };
}

it.each([
  ["USD_ACCOUNT", {}, "Maya Lindqvist", "First Example Bank · ••3210 · US account"],
  ["EUR_ACCOUNT", {}, "Maya Lindqvist", "••3000 · Germany account"],
  ["GBP_ACCOUNT", {}, "Maya Lindqvist", "••9911 · UK account"],
  ["KES_ACCOUNT", {}, "Maya Lindqvist", "M-PESA · ••5678 · Kenya account"],
  ["SWIFT_ACCOUNT", {}, "Maya Lindqvist", "UBS · ••2957 · Switzerland account"],
  ["HKD_ACCOUNT", {}, "Maya Lindqvist", "Hang Seng Bank · ••6882 · Hong Kong account"],
] as const)(
  "names a %s by its beneficiary, bank, last four and country",
  (type, change, ...told) => {
    const { name, detail } = externalAccountParty(accountOf(type, change));
    expect([name, detail]).toEqual(told);
  },
);

it("names an account of every type, without an identifier in full", () => {
  for (const type of accountTypes) {
    const account = accountOf(type);
    const { name, detail } = externalAccountParty(account);
    expect(name, type).not.toBe("");
    expect(detail, type).not.toContain(account.primaryIdentifier);
    expect(`${name} ${detail}`, type).toMatch(/(account|wallet) ?$/);
    expect(detail, type).not.toContain("undefined");
  }
});

it("names an account without a beneficiary by its last four characters, or by its type", () => {
  const wallet = {
    accountType: "POLYGON_WALLET",
    accountInfo: {},
    primaryIdentifier: "0xabcda3f4",
  };
  const { name, detail } = externalAccountParty({ id, ...wallet });
  expect([name, detail]).toEqual(["••a3f4", "Polygon wallet"]);
  const mailbox = { accountType: "LIGHTNING", accountInfo: {}, primaryIdentifier: "a@b.example" };
  expect(externalAccountParty({ id, ...mailbox })).toMatchObject({
    name: "Lightning wallet",
    detail: "",
  });
});

it("names an internal account by its holder, or by the platform", () => {
  const account = { id, type: "INTERNAL_FIAT", currency: "EUR" } as const;
  expect(internalAccountParty(account, sofia)).toEqual({
    kind: "INTERNAL_ACCOUNT",
    id: `InternalAccount:${id}`,
    name: "Sofia Petrova",
    detail: "EUR · Default",
    holder: { id: `Customer:${id}`, name: "Sofia Petrova", yourId: "sofia-1" },
  });
  const own = internalAccountParty({ ...account, type: "EMBEDDED_WALLET" }, { name: "Acme Pay" });
  expect(own).toMatchObject({ name: "Acme Pay", detail: "EUR · Embedded wallet" });
  expect(own).not.toHaveProperty("holder");
});

it("keeps only facts in memory that never change", () => {
  const columns = [
    ...internalAccounts.columns.filter(({ key }) =>
      ["customerId", "type", "currency"].includes(key),
    ),
    ...externalAccounts.columns.filter(({ key }) =>
      ["customerId", "accountType", "accountInfo", "primaryIdentifier"].includes(key),
    ),
    ...tokens.columns.filter(({ key }) => ["name", "permissions"].includes(key)),
    ...platforms.columns.filter(({ key }) => ["name", "workspaceId"].includes(key)),
  ];
  expect(columns).toHaveLength(11);
  expect(columns.filter(({ mutable }) => mutable)).toEqual([]);
});

it("names a payer outside as its bank told it", () => {
  const told = { name: "Bo Lind", bank: "SEB", lastFour: "1234", remittance: "Invoice 42" };
  expect(outsideParty(told)).toEqual({
    kind: "OUTSIDE",
    name: "Bo Lind",
    detail: "SEB · ••1234 · Invoice 42",
  });
  expect(outsideParty({})).toEqual({ kind: "OUTSIDE", name: "Unnamed payer", detail: "" });
});

it("names a customer without a name by the platform's own id, and an agent by its customer", () => {
  const unnamed = { id, yourId: "sofia-1", name: null };
  expect(customerParty(unnamed)).toMatchObject({ name: "sofia-1", detail: "" });
  expect(customerParty({ ...unnamed, yourId: id })).toMatchObject({
    name: "Unnamed customer",
    detail: "",
  });
  expect(customerParty({ ...unnamed, name: "Sofia" })).toMatchObject({ detail: "sofia-1" });
  expect(agentParty(id, "Bill payer", sofia)).toMatchObject({ detail: "acts for Sofia Petrova" });
  expect(umaParty({ address: "$s@p.example", told: "S." }, sofia).detail).toBe("Sofia Petrova");
  expect(umaParty({ address: "$s@p.example", told: "Bo" }).detail).toBe("Bo");
});

it.each([
  [`Customer:${id}`, { kind: "CUSTOMER", id }],
  [`ExternalAccount:${id}`, { kind: "EXTERNAL_ACCOUNT", id }],
  [`Token:${id}`, { kind: "TOKEN", id }],
  [`PlatformConfig:${id}`, { kind: "PLATFORM" }],
  [`Quote:${id}`, undefined],
  ["operator", undefined],
])("finds the party of the id %s", (wireId, reference) => {
  expect(referenceTo(wireId)).toEqual(reference);
});

it.each([
  [`token:${id}`, { kind: "TOKEN", id }],
  [`agent:${id}`, { kind: "AGENT", id }],
  [`person:${id}`, { kind: "PERSON", id }],
  ["worker:send-payout", { kind: "SYSTEM", by: "worker" }],
  ["operator:cli", { kind: "SYSTEM", by: "operator" }],
  ["other:1", undefined],
])("finds the party of the actor %s", (actor, reference) => {
  expect(referenceToActor(actor)).toEqual(reference);
});

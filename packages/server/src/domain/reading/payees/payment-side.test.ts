/** Which typed texts name a side of a payment. */
import { expect, it } from "vitest";
import type { Party } from "../parties/party.ts";
import { addressSide, isNamedBy, keyOfSide, type PaymentSide } from "./payment-side.ts";

const ACCOUNT = "ExternalAccount:019a4f00-0000-7000-8000-000000000003";
const side = (party: Partial<Party>, more: Partial<PaymentSide> = {}): PaymentSide => ({
  party: { kind: "EXTERNAL_ACCOUNT", name: "Zoë Ångström-Núñez", detail: "", ...party },
  accountId: ACCOUNT,
  umaAddress: undefined,
  isInternal: false,
  currency: "EUR",
  available: undefined,
  status: "ACTIVE",
  customerId: null,
  lastAt: undefined,
  ...more,
});
const detail = "First Example Bank · ••3210 · Germany account";
const holder = { id: "Customer:1", name: "Łukasz Berg", yourId: "cust-77" };

it.each<[string, Partial<Party>, boolean]>([
  ["zoe", {}, true],
  ["  ANGSTROM zoë ", {}, true],
  ["nunez", {}, true],
  ["Ångström-Núñez", {}, true],
  ["ngstr", {}, false],
  ["zoe berg", {}, false],
  ["zoe berg", { holder }, true],
  ["CUST-77", { holder }, true],
  ["3210", { detail }, true],
  ["••3210", { detail }, true],
  ["210", { detail }, false],
  ["first germany", { detail }, true],
  ["eur", {}, true],
  ["usd", {}, false],
  [ACCOUNT, {}, true],
  [`${ACCOUNT}0`, {}, false],
  ["%", {}, true],
])("%j names %o: %s", (text, party, isNamed) => {
  expect(isNamedBy(text, side(party))).toBe(isNamed);
});

it("an address is named by itself and by its parts", () => {
  const address = "$ana.ruiz@bank.example";
  const { reference: _, isFound: __, isWallet: ___, ...draft } = addressSide(address);
  const shown = side({ kind: "UMA", name: address }, draft);
  for (const text of [address, "ruiz", "$ana", "bank.example"])
    expect([text, isNamedBy(text, shown)]).toEqual([text, true]);
  expect(isNamedBy("maria", shown)).toBe(false);
  expect(keyOfSide(shown)).toBe(address);
});

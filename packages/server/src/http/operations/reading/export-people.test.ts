/** The cells of a file for people: decimals of each currency, times of a zone, parties, and what is absent. */
import { describe, expect, it } from "vitest";
import type { PartyReference } from "../../../domain/reading/parties/party.ts";
import type { JsonObject } from "../../../std/json.ts";
import { type PeopleAt, peopleHeading, peopleText } from "./export-people.ts";

const at: PeopleAt = {
  zone: "America/St_Johns",
  partyOf: (reference: PartyReference | undefined) => ({
    name: Object.values(reference ?? {})
      .filter((value) => value !== undefined)
      .join(" "),
    detail: "",
  }),
};
// A byte order mark counts as white space.
const titles = peopleHeading({ kind: "TRANSACTIONS", zone: at.zone }).trim().split(",");

function cellsOf(row: JsonObject): Readonly<Record<string, string>> {
  const line = peopleText("TRANSACTIONS", [row], at).slice(0, -2);
  const cells = line.split(",");
  return Object.fromEntries(titles.map((title, place) => [title, cells[place] ?? ""]));
}

const money = (amount: number, code: string) => ({ amount, currency: { code } });

describe("a transaction", () => {
  it.each([
    [1, "USD", "0.01"],
    [123_456, "USD", "1234.56"],
    [1_234, "JPY", "1234"],
    [1, "BTC", "0.00000001"],
    [Number.MAX_SAFE_INTEGER, "USD", "90071992547409.91"],
    [0, "EUR", "0.00"],
  ])("of %d %s shows %s", (minor, code, shown) => {
    const cells = cellsOf({ sentAmount: money(minor, code), fees: minor });
    expect([cells.Sent, cells["Sent currency"], cells.Fees]).toEqual([shown, code, shown]);
  });

  it.each([
    ["2026-11-21T10:00:00.000Z", "2026-11-21 06:30:00"],
    // Summer, and the day before.
    ["2026-07-01T01:15:30.999Z", "2026-06-30 22:45:30"],
  ])("at %s shows %s", (createdAt, shown) => {
    expect(cellsOf({ createdAt })["Created (America/St_Johns)"]).toBe(shown);
  });

  it("has empty cells for what is absent", () => {
    expect(Object.values(cellsOf({ id: "Transaction:1" })).filter((cell) => cell !== "")).toEqual([
      "Out",
      "Transaction:1",
    ]);
  });

  it("shows the platform's own id of a customer, unless it is a uuid", () => {
    const shown = (platformCustomerId: string) =>
      cellsOf({ platformCustomerId })["Your customer id"];
    expect(shown("ana-1")).toBe("ana-1");
    expect(shown("019a4f00-0000-7000-8000-000000000001")).toBe("");
  });

  it("names the two sides by what the row says of them", () => {
    const incoming = cellsOf({
      type: "INCOMING",
      direction: "CREDIT",
      source: {
        sourceType: "REALTIME_FUNDING",
        accountHolderName: "Bo",
        accountIdentifier: "12345678",
      },
      destination: { destinationType: "ACCOUNT", accountId: "InternalAccount:7" },
    });
    expect([incoming.Direction, incoming.From, incoming.To]).toEqual([
      "In",
      "OUTSIDE Bo 12345678",
      "INTERNAL_ACCOUNT 7",
    ]);
    const told = cellsOf({
      type: "OUTGOING",
      source: { accountId: "ExternalAccount:8" },
      destination: { umaAddress: "$bo@x.test" },
      counterpartyInformation: { FULL_NAME: "Bo" },
    });
    expect([told.From, told.To]).toEqual(["EXTERNAL_ACCOUNT 8", "UMA $bo@x.test Bo"]);
  });

  it("has its reference, its rail and its failure in words", () => {
    const cells = cellsOf({
      status: "FAILED",
      paymentRail: "SEPA_INSTANT",
      reconciliationInstructions: { reference: "RF1" },
      failureReason: "INSUFFICIENT_FUNDS",
    });
    expect([cells.Status, cells.Rail, cells.Reference, cells.Failure]).toEqual([
      "Failed",
      "SEPA instant",
      "RF1",
      "Insufficient funds",
    ]);
  });
});

it("a posting has a line for each leg", () => {
  const leg = { at: "2026-11-21T10:00:00.000Z", reason: "rail-clearing.settle", posting: "17.0" };
  const legs = ["-5", "5"].map((amount) => ({ ...leg, amount: { amount, currency: "USD" } }));
  const lines = peopleText("LEDGER", [{ legs }], at).split("\r\n");
  expect(lines.slice(0, 2).map((line) => line.split(",").slice(1, 6))).toEqual([
    ["Rail clearing settle", "", "", "-0.05", "USD"],
    ["Rail clearing settle", "", "", "0.05", "USD"],
  ]);
});

it("a file begins with a byte order mark", () => {
  expect(peopleHeading({ kind: "CUSTOMERS", zone: "UTC" }).startsWith("\ufeffName,")).toBe(true);
});

/** An order between two parties, and what is known of them, for tests of what is shown. */
import {
  describeOrder,
  type ShownPayment,
  type Surroundings,
} from "../../src/domain/people/approvals/shown/describe.ts";
import type { Shown } from "../../src/domain/people/approvals/shown/shown.ts";
import type { ExternalSide, InternalSide } from "../../src/domain/people/approvals/shown/sides.ts";
import type { JsonObject } from "../../src/std/json.ts";

export const uuid = (end: string) => `019a4f00-0000-7000-8000-0000000000${end}`;
export const NOW = Date.parse("2026-11-28T10:00:00.000Z");
export const DAY_MS = 24 * 60 * 60 * 1000;

export const names = new Map([
  [`InternalAccount:${uuid("01")}`, "Ana Ruiz, USD"],
  [`ExternalAccount:${uuid("02")}`, "Jonas Berg, ••9104"],
  [`Customer:${uuid("03")}`, "Ana Ruiz"],
  [`Agent:${uuid("04")}`, "Bookkeeper"],
  [`Person:${uuid("05")}`, "Ben Stone (ben@example.com)"],
  [`RailConnection:${uuid("06")}`, "House bank"],
  [`RailRoute:${uuid("07")}`, "Dollars by ACH"],
  [`Document:${uuid("08")}`, "complaint.pdf"],
  [`Verification:${uuid("09")}`, "Ana Ruiz"],
  [uuid("10"), "Acme live"],
]);

export const to: ExternalSide = {
  kind: "EXTERNAL",
  id: `ExternalAccount:${uuid("02")}`,
  name: "Jonas Berg",
  bank: "DKB",
  countries: ["DE"],
  lastFour: "9104",
  accountType: "EUR_ACCOUNT",
  created: { at: NOW - 40 * DAY_MS, by: "Ben Stone (ben@example.com)" },
  nameCheck: "MATCHED",
  verifiedName: null,
  owner: "Ana Ruiz",
  paid: { count: 7, isMore: false, lastAt: NOW - 16 * DAY_MS },
};

export const from: InternalSide = {
  kind: "INTERNAL",
  id: `InternalAccount:${uuid("01")}`,
  holder: "Ana Ruiz",
  currency: "USD",
  balanceMinor: 1_000_000n,
  paid: null,
};

export const sends = { minor: 301_250n, currency: "USD" };

export const surroundings: Surroundings = {
  now: NOW,
  askedAt: NOW - 60_000,
  names,
  place: "Acme live, production",
  asker: {
    id: `Person:${uuid("05")}`,
    name: "Ben Stone (ben@example.com)",
    by: "The console, with a passkey",
    hours: [],
    isChanged: false,
  },
};

export const payment: ShownPayment = { from, to, sends };
export function shownOf(act: string, content: JsonObject, more: Partial<Surroundings> = {}): Shown {
  return describeOrder({ act, content }, { ...surroundings, ...more });
}

import { describe, expect, it } from "vitest";
import { railPaymentStates } from "./rail-payment.ts";
import {
  failureReasonOf,
  isDuplicateReport,
  type RailReport,
  reportStatuses,
  WAYS_OUT,
} from "./rail-report.ts";

const bare: RailReport = {
  status: "declined",
  scheme: "CONNECTOR",
  code: undefined,
  text: undefined,
  reference: undefined,
  settledOn: undefined,
  amountMinor: undefined,
};

describe("the ways out of a state", () => {
  it("are what this table says, and no other", () => {
    const shown = Object.fromEntries(
      railPaymentStates.map((state) => [
        state,
        reportStatuses.map((status) => WAYS_OUT[state][status]).join(" "),
      ]),
    );
    const underWay = "SENT ACCEPTED SETTLED DECLINED RETURNED DECLINED same same conflict";
    expect(reportStatuses.join(" ")).toBe(
      "sent accepted settled declined returned cancelled unknown not-received conflict",
    );
    expect(shown).toEqual({
      HELD: "conflict conflict conflict conflict conflict CANCELLED same same conflict",
      QUEUED: "SENT ACCEPTED SETTLED DECLINED RETURNED CANCELLED same same conflict",
      SENDING: underWay,
      UNKNOWN: underWay,
      SENT: "same ACCEPTED SETTLED DECLINED RETURNED DECLINED same conflict conflict",
      ACCEPTED: "same same SETTLED DECLINED RETURNED DECLINED same conflict conflict",
      SETTLED: "same same same conflict RETURNED conflict same conflict conflict",
      RETURNED: "same same same same same same same same conflict",
      DECLINED: "same same conflict same conflict same same same conflict",
      CANCELLED: "conflict conflict conflict same conflict same same same conflict",
    });
  });

  it("never lead from a state in which the money is back to one in which it is out", () => {
    for (const state of ["DECLINED", "CANCELLED", "RETURNED"] as const) {
      for (const status of reportStatuses) {
        expect(["same", "conflict"]).toContain(WAYS_OUT[state][status]);
      }
    }
  });

  it("take neither a yes nor a no from silence", () => {
    for (const state of railPaymentStates) {
      expect([state, WAYS_OUT[state].unknown]).toEqual([state, "same"]);
    }
  });
});

it.each([
  ["AC01", "ACCOUNT_INVALID"],
  ["ac13", "ACCOUNT_INVALID"],
  ["BE07", "ACCOUNT_INVALID"],
  ["SL12", "ACCOUNT_CANNOT_RECEIVE"],
  ["SL13", "COUNTERPARTY_POST_TX_FAILED"],
  ["RR12", "COMPLIANCE_REJECTED"],
  ["AM21", "LIMIT_EXCEEDED"],
  ["AM04", "COUNTERPARTY_POST_TX_FAILED"],
  ["", "COUNTERPARTY_POST_TX_FAILED"],
])("the code %s of a payout is %s", (code, reason) => {
  expect(failureReasonOf("OUT", { status: "declined", code })).toBe(reason);
  expect(failureReasonOf("OUT", { status: "returned", code })).toBe("PAYOUT_RETURNED");
});

it("a collection that is declined has failed, unless its account is at fault", () => {
  expect(failureReasonOf("PULL", { status: "declined", code: "MD01" })).toBe("COLLECTION_FAILED");
  expect(failureReasonOf("PULL", { status: "declined", code: "AC04" })).toBe("ACCOUNT_INVALID");
});

it("only a decline says that the rail takes it for a duplicate", () => {
  expect(isDuplicateReport({ ...bare, code: "am05" })).toBe(true);
  expect(isDuplicateReport({ ...bare, code: "DUPL" })).toBe(true);
  expect(isDuplicateReport({ ...bare, code: "AM04" })).toBe(false);
  expect(isDuplicateReport({ ...bare, status: "settled", code: "AM05" })).toBe(false);
});

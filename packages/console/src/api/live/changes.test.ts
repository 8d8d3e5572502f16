import { expect, it } from "vitest";
import { concerns } from "./changes.ts";

const paid = [{ seq: 1, kind: "Transaction", id: "Transaction:a", status: "COMPLETED" }];

it.each([
  [["transactions"], true],
  [["transactions", "Transaction:a"], true],
  [["transactions", "Transaction:a", "timeline"], true],
  [["transactions", "Transaction:b"], false],
  [["customers"], false],
  [["customers", "internal-accounts"], true],
  [["ledger", "accounts", "LedgerAccount:x"], true],
  [["overview"], true],
  [["webhook-deliveries"], true],
  [["tokens"], false],
  [["workspace", "people"], false],
])("a payment concerns %j: %s", (path, expected) => {
  expect(concerns(path, paid)).toBe(expected);
});

it("takes notices that were missed, and kinds that are not known, for a change of everything", () => {
  expect(concerns(["tokens"], undefined)).toBe(true);
  expect(concerns(["tokens"], [{ seq: 1, kind: "Novel", id: "Novel:a", status: "X" }])).toBe(true);
});

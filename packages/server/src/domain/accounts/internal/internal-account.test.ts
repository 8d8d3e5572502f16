import { expect, it } from "vitest";
import { newInternalLedgerAccount } from "../../../ledger/chart.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import { hasRoomFor } from "./internal-account.ts";

it("an account has room to the last unit, counting what is in flight and can come back", () => {
  const account = newInternalLedgerAccount("a", "USD", 1);
  const holding = (balanceMinor: bigint, heldMinor: bigint) => ({
    ...account,
    balanceMinor,
    heldMinor,
  });
  expect(hasRoomFor(holding(0n, 0n), MAX_AMOUNT_MINOR)).toBe(true);
  expect(hasRoomFor(holding(0n, 0n), MAX_AMOUNT_MINOR + 1n)).toBe(false);
  expect(hasRoomFor(holding(MAX_AMOUNT_MINOR - 10n, 3n), 7n)).toBe(true);
  expect(hasRoomFor(holding(MAX_AMOUNT_MINOR - 10n, 4n), 7n)).toBe(false);
  expect(hasRoomFor(holding(0n, MAX_AMOUNT_MINOR), 1n)).toBe(false);
});

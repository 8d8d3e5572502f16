/** Which accounts a book transfer takes. Over HTTP an account is always active. */
import { expect, it } from "vitest";
import { refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { customer, internal, PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../../ledger/chart.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { customers } from "../../customers/customer.ts";
import { platforms } from "../../platform.ts";
import { bookTransfer } from "./book-transfer.ts";

const OTHER = "018f0000-0000-7000-8000-0000000000d9";

function outcomeOf(source: Partial<InternalAccount>, destination: Partial<InternalAccount>) {
  const ledger = newInternalLedgerAccount(internal.id, internal.currency, internal.createdAt);
  const input = {
    sourceId: internal.id,
    destinationId: OTHER,
    amountMinor: 700n,
    description: undefined,
    metadata: null,
  };
  const tables = [
    rowsOf(platforms, platform),
    rowsOf(customers, customer),
    rowsOf(
      internalAccounts,
      { ...internal, ...source },
      { ...internal, id: OTHER, ...destination },
    ),
    rowsOf(ledgerAccounts, { ...ledger, balanceMinor: 700n }, { ...ledger, id: OTHER }),
  ];
  const world = worldFor({ command: bookTransfer, input, platformId: PLATFORM, tables });
  return refusalOf(world, () => bookTransfer.decide(world, input))?.message ?? "moved";
}

it("moves between active accounts", () => {
  expect(outcomeOf({}, {})).toBe("moved");
});

it.each(["PENDING", "CLOSED", "FROZEN", "FAILED"] as const)(
  "is refused where an account is %s, the source first",
  (status) => {
    expect(outcomeOf({ status }, { status })).toContain("source.accountId: is not active");
    expect(outcomeOf({}, { status })).toContain("destination.accountId: is not active");
  },
);

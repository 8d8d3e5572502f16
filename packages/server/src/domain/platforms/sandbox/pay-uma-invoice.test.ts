/** What a sandbox lets arrive for an invoice: refusals in their order, and what each outcome leaves. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { DecidedRows } from "../../../../test/kit/decided-rows.ts";
import { internal, PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { connection } from "../../../../test/kit/rail-rows.ts";
import { INVOICE, invoice, invoiceTables } from "../../../../test/kit/uma-invoice-rows.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { ledgerAccounts } from "../../../ledger/chart.ts";
import { railConnections } from "../../rails/connections/rail-connection.ts";
import { railEntries } from "../../rails/entries/rail-entry.ts";
import { railItems } from "../../rails/entries/rail-item.ts";
import { type UmaInvoice, umaInvoices } from "../../uma/incoming/uma-invoice.ts";
import { type InvoiceOutcome, payUmaInvoice } from "./pay-uma-invoice.ts";

const AS = { actor: { kind: "token", id: "t", people: [] }, at: DECIDED_AT } as const;
const layer = { layer: "florin-sandbox" } as const;

const opened = (change: Partial<UmaInvoice> = {}) =>
  new DecidedRows(PLATFORM, [
    ...invoiceTables({ invoice: { ...layer, ...change } }),
    rowsOf(railConnections, { ...connection, kind: "SANDBOX", currencies: ["USD", "EUR"] }),
  ]);

let calls = 0;
function pay(rows: DecidedRows, outcome: InvoiceOutcome, transactionId: string = INVOICE) {
  const input = { transactionId, outcome, reference: `call ${++calls}` };
  return rows.run(payUmaInvoice, input, AS);
}

function refusedWith(rows: DecidedRows, outcome: InvoiceOutcome, transactionId?: string): unknown {
  const told = pay(rows, outcome, transactionId);
  return told instanceof Refusal ? [told.code, told.details] : told;
}

function left(rows: DecidedRows) {
  const [stored] = rows.all(umaInvoices);
  return {
    invoice: stored?.endedAs ?? stored?.state,
    credited: rows.all(ledgerAccounts).find(({ id }) => id === internal.id)?.balanceMinor,
    items: rows.all(railItems).map(({ reason, amountMinor }) => `${reason} ${amountMinor}`),
    entries: rows.all(railEntries).length,
  };
}

describe("money for an invoice of the built-in layer", () => {
  it.each([
    ["EXACT", "COMPLETED", { invoice: "PAID", credited: 1_250n, items: [], entries: 1 }],
    [
      "LESS",
      "PENDING",
      { invoice: "OPEN", credited: 0n, items: ["AMOUNT_DIFFERS 918"], entries: 1 },
    ],
    [
      "MORE",
      "COMPLETED",
      { invoice: "PAID", credited: 1_250n, items: ["OVERPAID 102"], entries: 1 },
    ],
    [
      "TWICE",
      "COMPLETED",
      { invoice: "PAID", credited: 1_250n, items: ["ALREADY_PAID 1020"], entries: 2 },
    ],
    ["LATE", "FAILED", { invoice: "EXPIRED", credited: 0n, items: ["LATE 1020"], entries: 1 }],
    ["NEVER", "FAILED", { invoice: "EXPIRED", credited: 0n, items: [], entries: 0 }],
  ] as const)("arrives %s: the payment is %s", (outcome, status, after) => {
    const rows = opened();
    expect(pay(rows, outcome)).toMatchObject({ id: INVOICE, status });
    expect(left(rows)).toEqual(after);
  });

  it("arrives once more after each end, and is an item then", () => {
    const paid = opened();
    pay(paid, "EXACT");
    pay(paid, "EXACT");
    expect(left(paid).items).toEqual(["ALREADY_PAID 1020"]);
    const lapsed = opened();
    for (const outcome of ["NEVER", "NEVER", "LATE"] as const) pay(lapsed, outcome);
    expect(left(lapsed)).toMatchObject({ invoice: "EXPIRED", items: ["LATE 1020"] });
  });

  it("is refused for what it cannot arrive for, in this order", () => {
    expect(refusedWith(opened(), "EXACT", internal.id)).toEqual([
      "TRANSACTION_NOT_FOUND",
      undefined,
    ]);
    const outside = { layer: "ln", state: "ASKED", amountMinor: 1n } as const;
    expect(refusedWith(opened(outside), "LESS")).toEqual(["CONFLICT", { layer: "ln" }]);
    for (const state of ["ASKED", "WANTED"] as const)
      expect(refusedWith(opened({ state, amountMinor: 1n }), "LESS")).toMatchObject([
        "CONFLICT",
        { status: state },
      ]);
    const least = { amountMinor: 1n, feeMinor: 0n } as const;
    expect(refusedWith(opened(least), "LESS")).toEqual(["CONFLICT", { outcome: "LESS" }]);
    expect(invoice.amountMinor).toBe(1_020n);
  });
});

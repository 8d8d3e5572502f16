/** Money for an invoice: what each entry books, and what random histories of entries leave, told in any order and any number of times. */
import { describe, expect, it } from "vitest";
import { item as resolvedItem } from "../../../../test/kit/carried-orders.ts";
import { chanceFrom } from "../../../../test/kit/chance.ts";
import { DECIDED_AT, rowsOf, type TableRows } from "../../../../test/kit/decide-alone.ts";
import { DecidedRows } from "../../../../test/kit/decided-rows.ts";
import { customer, internal, PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { connection } from "../../../../test/kit/rail-rows.ts";
import {
  INVOICE,
  INVOICE_JOB,
  invoice,
  invoiceTables,
} from "../../../../test/kit/uma-invoice-rows.ts";
import { accountNamed, ledgerAccounts, type SystemAccountName } from "../../../ledger/chart.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { customers } from "../../customers/customer.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { fxPositions } from "../../prices/fx-positions/fx-position.ts";
import { closeInvoice } from "../../uma/incoming/open-invoice.ts";
import { type UmaInvoice, umaInvoices } from "../../uma/incoming/uma-invoice.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { recordRailCallback } from "../orders/record-rail-callback.ts";
import { railEntries, type ToldEntry } from "./rail-entry.ts";
import { type ItemReason, railItems } from "./rail-item.ts";
import { recordInvoiceEntries } from "./record-invoice-entries.ts";
import { resolveRailItem } from "./resolve-rail-item.ts";

const AS = { actor: { kind: "worker", id: "rail" }, at: DECIDED_AT } as const;

function told(bankReference: string, more: Partial<ToldEntry> = {}): ToldEntry {
  return {
    bankReference,
    direction: "CREDIT",
    currency: "EUR",
    amountMinor: invoice.amountMinor,
    bookedOn: "2026-11-21",
    bookedAt: null,
    valueDate: null,
    reference: null,
    remittance: null,
    payer: null,
    virtualAccount: null,
    references: [],
    instructionId: undefined,
    invoiceId: INVOICE,
    feeOf: null,
    paymentId: undefined,
    returnOf: undefined,
    ...more,
  };
}

function take(rows: DecidedRows, entry: ToldEntry) {
  const input = { connectionId: connection.id, told: { kind: "entry", entry } } as const;
  return rows.run(recordRailCallback, input, AS);
}

function stateOf(rows: DecidedRows) {
  const accounts = rows.all(ledgerAccounts);
  const of = (name: SystemAccountName) =>
    accounts.find(({ id }) => id === accountNamed(name).id)?.balanceMinor ?? 0n;
  const [stored] = rows.all(umaInvoices);
  const [payment] = rows.all(transactions);
  const connectionId = connection.id;
  return {
    invoice: stored?.endedAs ?? stored?.state,
    payment: payment?.failureReason ?? payment?.status,
    credited: accounts.find(({ id }) => id === internal.id)?.balanceMinor,
    clearing: of({ system: "clearing", currency: "EUR", connectionId }),
    suspense: of({ system: "suspense", currency: "EUR", connectionId }),
    ownFunds: of({ system: "own-funds", currency: "EUR", connectionId }),
    fees: of({ system: "fees", currency: "EUR" }),
    fx: [of({ system: "fx", currency: "EUR" }), of({ system: "fx", currency: "USD" })],
    committed: rows.all(fxPositions).map(({ committedMinor }) => committedMinor),
    items: rows.all(railItems).map(({ reason, amountMinor }) => `${reason} ${amountMinor}`),
  };
}

const PAID = {
  invoice: "PAID",
  payment: "COMPLETED",
  credited: 1_250n,
  fees: 20n,
  fx: [1_000n, -1_250n],
  committed: [0n, 0n],
};
const UNPAID = { credited: 0n, fees: 0n, fx: [0n, 0n] };
const WAITS = { ...UNPAID, invoice: "OPEN", payment: "PENDING", committed: [1_000n, -1_250n] };

interface Case {
  readonly invoice?: Partial<UmaInvoice>;
  readonly entry?: Partial<ToldEntry>;
  readonly tables?: readonly TableRows[];
}

const closed = (endedAs: UmaInvoice["endedAs"]) =>
  ({ state: "CLOSED", endedAs, jobId: null }) as const;

describe("an entry for an invoice", () => {
  it("of its amount credits the customer and completes the payment", () => {
    const rows = new DecidedRows(PLATFORM, invoiceTables());
    expect(take(rows, told("one"))).toBe("taken");
    expect(stateOf(rows)).toEqual({
      ...PAID,
      clearing: -1_020n,
      suspense: 0n,
      ownFunds: 0n,
      items: [],
    });
    const [entry] = rows.all(railEntries);
    expect(entry).toMatchObject({
      bookedAs: "INVOICE",
      transactionId: INVOICE,
      invoiceId: INVOICE,
    });
    expect(rows.all(umaInvoices)[0]).toMatchObject({ entryId: entry?.id, jobId: null });
  });

  it("of more leaves the rest to a person", () => {
    const rows = new DecidedRows(PLATFORM, invoiceTables());
    take(rows, told("one", { amountMinor: 1_025n }));
    const rest = { clearing: -1_025n, suspense: 5n, ownFunds: 0n, items: ["OVERPAID 5"] };
    expect(stateOf(rows)).toEqual({ ...PAID, ...rest });
  });

  it.each([
    [5n, { ownFunds: 5n, suspense: 0n, items: [] }],
    [6n, { ownFunds: 0n, suspense: 6n, items: ["OVERPAID 6"] }],
  ])("of %s more is own funds up to the ceiling of its connection", (rest, after) => {
    const settings = { feeCeilingMinor: { EUR: 5 }, feeCeilingBps: 10_000 };
    const bank = { ...connection, currencies: ["USD", "EUR"], settings };
    const rows = new DecidedRows(PLATFORM, [...invoiceTables(), rowsOf(railConnections, bank)]);
    take(rows, told("one", { amountMinor: 1_020n + rest }));
    expect(stateOf(rows)).toMatchObject({ ...PAID, clearing: -1_020n - rest, ...after });
  });

  it("in millisatoshis is booked when the connector is asked about its invoice", () => {
    const lapsed = { ...closed("EXPIRED"), asset: "MSAT", decimals: 0 };
    const bank = { ...connection, currencies: ["MSAT"] };
    const rows = new DecidedRows(PLATFORM, [
      ...invoiceTables({ invoice: lapsed }),
      rowsOf(railConnections, bank),
    ]);
    const entries = [told("one", { currency: "MSAT", amountMinor: 1_250_001n })];
    const input = { connectionId: connection.id, entries };
    expect(rows.run(recordInvoiceEntries, input, AS)).toBe(true);
    expect(stateOf(rows).items).toEqual(["LATE 1250001"]);
  });

  it("that was being made when its server died is credited as well", () => {
    const wanted = { state: "WANTED", text: null, expiresAt: null } as const;
    const rows = new DecidedRows(PLATFORM, invoiceTables({ invoice: wanted }));
    take(rows, told("one"));
    expect(stateOf(rows)).toMatchObject(PAID);
  });

  it("is matched by the invoice alone, whatever else the entry names", () => {
    const rows = new DecidedRows(PLATFORM, invoiceTables());
    const names = { paymentId: INVOICE, reference: "FL1", remittance: "for FL1" };
    take(rows, told("one", names));
    expect(stateOf(rows)).toMatchObject(PAID);
  });

  const frozen = { scope: "ALL", reason: "x", by: "x", at: DECIDED_AT } as never;
  it.each<readonly [reason: ItemReason, what: string, found: Case, after: object]>([
    ["AMOUNT_DIFFERS", "less", { entry: { amountMinor: 1_019n } }, WAITS],
    ["CURRENCY", "another currency", { entry: { currency: "USD" } }, WAITS],
    ["UNREFERENCED", "unknown invoice", { entry: { invoiceId: internal.id } }, WAITS],
    [
      "UNREFERENCED",
      "invoice of another connection",
      { invoice: { connectionId: internal.id } },
      WAITS,
    ],
    [
      "UNREFERENCED",
      "invoice that no connector was asked for",
      { invoice: { state: "ASKED" } },
      { ...WAITS, invoice: "ASKED" },
    ],
    ["ALREADY_PAID", "paid before", { invoice: { state: "PAID", jobId: null } }, UNPAID],
    ["LATE", "lapsed", { invoice: closed("EXPIRED") }, UNPAID],
    ["INVOICE_CLOSED", "refused by the platform", { invoice: closed("REFUSED") }, UNPAID],
    ["INVOICE_CLOSED", "without a text", { invoice: closed("NOT_MADE") }, UNPAID],
    ["INVOICE_CLOSED", "not deliverable before", { invoice: closed("UNDELIVERABLE") }, UNPAID],
    [
      "ABOVE_CEILING",
      "above the ceiling of the connection",
      {
        tables: [
          rowsOf(railConnections, {
            ...connection,
            currencies: ["USD", "EUR"],
            control: { ...connection.control, creditCeiling: "1000" },
          }),
        ],
      },
      WAITS,
    ],
    [
      "ACCOUNT_CLOSED",
      "closed account",
      { tables: [rowsOf(internalAccounts, { ...internal, status: "CLOSED" })] },
      { ...UNPAID, invoice: "UNDELIVERABLE", payment: "OFFRAMP_FAILED", committed: [0n, 0n] },
    ],
    [
      "ACCOUNT_FROZEN",
      "frozen account",
      { tables: [rowsOf(internalAccounts, { ...internal, frozen })] },
      { ...UNPAID, invoice: "UNDELIVERABLE", payment: "OFFRAMP_FAILED" },
    ],
    [
      "CUSTOMER_DELETED",
      "deleted customer",
      { tables: [rowsOf(customers, { ...customer, deletedAt: DECIDED_AT })] },
      { ...UNPAID, invoice: "UNDELIVERABLE", payment: "OFFRAMP_FAILED" },
    ],
  ])("is an item %s: %s", (reason, _what, found, after) => {
    const tables = [...invoiceTables({ invoice: found.invoice ?? {} }), ...(found.tables ?? [])];
    const rows = new DecidedRows(PLATFORM, tables);
    const entry = told("one", found.entry);
    expect(take(rows, entry)).toBe("taken");
    const { items, ...left } = stateOf(rows);
    expect(items).toEqual([`${reason} ${entry.amountMinor}`]);
    expect(left).toMatchObject(after);
    expect(rows.all(railEntries)).toMatchObject([
      { bookedAs: "SUSPENSE", invoiceId: entry.invoiceId },
    ]);
  });

  it("of a debit is an item and moves no payment", () => {
    const rows = new DecidedRows(PLATFORM, invoiceTables());
    take(rows, told("one", { direction: "DEBIT" }));
    expect(stateOf(rows)).toMatchObject({ ...WAITS, items: ["UNREFERENCED 1020"] });
  });
});

/** The connection says that several payments may add up on the layer of the invoice. */
const adding = {
  ...connection,
  currencies: ["USD", "EUR"],
  settlement: [
    {
      ...{ layer: "bank.example", send: true, receive: true, exactAmounts: false },
      ...{ partialPayments: true, invoiceSeconds: { min: 60, max: 600 }, assets: [] },
    },
  ],
};

describe("parts of the amount of an invoice", () => {
  const opened = (invoice: Partial<UmaInvoice> = {}, bank: object = {}) =>
    new DecidedRows(PLATFORM, [
      ...invoiceTables({ invoice }),
      rowsOf(railConnections, { ...adding, ...bank }),
    ]);
  const part = (id: string, amountMinor: bigint) => told(id, { amountMinor });
  const waiting = (rows: DecidedRows) =>
    rows.all(railItems).filter(({ state }) => state !== "RESOLVED");

  it("wait as items until they come to the amount", () => {
    const rows = opened();
    take(rows, part("one", 500n));
    take(rows, part("two", 20n));
    const before = { ...WAITS, suspense: 520n, items: ["AMOUNT_DIFFERS 500", "AMOUNT_DIFFERS 20"] };
    expect(stateOf(rows)).toMatchObject(before);
    take(rows, part("three", 500n));
    expect(stateOf(rows)).toMatchObject({ ...PAID, clearing: -1_020n, suspense: 0n });
    const [first] = rows.all(railItems);
    expect(first).toMatchObject({ state: "RESOLVED", jobId: null, resolvedAt: DECIDED_AT });
    expect(first?.resolution).toEqual({
      parts: [
        {
          ...{ kind: "INVOICE", invoiceId: `UmaInvoice:${INVOICE}`, price: "QUOTED" },
          ...{ transactionId: `Transaction:${INVOICE}`, minor: "500" },
        },
      ],
      note: "Added up by itself",
      by: "worker rail",
    });
    expect(waiting(rows)).toEqual([]);
    const [, , last] = rows.all(railEntries);
    expect(rows.all(umaInvoices)).toMatchObject([{ entryId: last?.id }]);
  });

  it("that come to more leave the rest to a person", () => {
    const rows = opened();
    take(rows, part("one", 1_019n));
    take(rows, part("two", 1_020n));
    expect(stateOf(rows)).toMatchObject({ ...PAID, clearing: -2_039n, suspense: 1_019n });
    expect(waiting(rows)).toMatchObject([{ reason: "OVERPAID", amountMinor: 1_019n }]);
  });

  it("told in one answer of the connector are added up as well", () => {
    const rows = opened();
    const entries = [part("one", 20n), part("two", 400n), part("three", 600n)];
    const input = { connectionId: connection.id, entries };
    expect(rows.run(recordInvoiceEntries, input, AS)).toBe(true);
    expect(stateOf(rows)).toMatchObject({ ...PAID, clearing: -1_020n, suspense: 0n });
  });

  it("that a person has resolved do not count any more", () => {
    const rows = opened();
    take(rows, part("one", 500n));
    const [item] = rows.all(railItems);
    const own = { kind: "OWN_FUNDS", minor: 500n, label: "kept" } as const;
    const input = { itemId: item?.id ?? "", parts: [own], note: "n" };
    const by = { kind: "token", id: "t", people: [] } as const;
    rows.run(resolveRailItem, input, { actor: by, at: DECIDED_AT });
    take(rows, part("two", 520n));
    expect(stateOf(rows)).toMatchObject({ ...WAITS, suspense: 520n, ownFunds: 500n });
    take(rows, part("three", 500n));
    expect(stateOf(rows)).toMatchObject({ ...PAID, clearing: -1_520n, suspense: 0n });
  });

  it.each<readonly [what: string, rows: () => DecidedRows]>([
    ["where the layer takes none", () => opened({}, { settlement: [] })],
    ["on another layer", () => opened({ layer: "ln" })],
    ["of an invoice with as many as are counted", () => full()],
  ])("are items alone %s", (_what, make) => {
    const rows = make();
    const had = waiting(rows).length;
    take(rows, part("one", 519n));
    take(rows, part("two", 501n));
    expect(stateOf(rows)).toMatchObject({ invoice: "OPEN", payment: "PENDING", credited: 0n });
    expect(waiting(rows).length).toBe(had + 2);
  });

  /** The parts of before were resolved by people. */
  function full(): DecidedRows {
    const items = Array.from({ length: 20 }, (_, index) => {
      const id = `018f0000-0000-7000-8000-0000000${10_000 + index}`;
      return { ...resolvedItem, id };
    });
    const rows = [...invoiceTables({ invoice: { parts: items.map(({ id }) => id) } })];
    return new DecidedRows(PLATFORM, [
      ...rows,
      rowsOf(railConnections, adding),
      rowsOf(railItems, ...items),
    ]);
  }

  it("stay with a person when the last of them is for an account that takes nothing", () => {
    const rows = new DecidedRows(PLATFORM, [
      ...invoiceTables(),
      rowsOf(railConnections, adding),
      rowsOf(internalAccounts, { ...internal, status: "CLOSED" }),
    ]);
    take(rows, part("one", 500n));
    take(rows, part("two", 520n));
    expect(stateOf(rows)).toMatchObject({ invoice: "UNDELIVERABLE", suspense: 1_020n });
    expect(waiting(rows).map(({ reason }) => reason)).toEqual(["AMOUNT_DIFFERS", "ACCOUNT_CLOSED"]);
  });

  it("stay with a person when the invoice lapses", () => {
    const rows = opened();
    take(rows, part("one", 500n));
    rows.run(closeInvoice, { invoiceId: INVOICE, jobId: INVOICE_JOB }, AS);
    take(rows, part("two", 520n));
    expect(stateOf(rows)).toMatchObject({ ...UNPAID, invoice: "EXPIRED", suspense: 1_020n });
    expect(waiting(rows).map(({ reason }) => reason)).toEqual(["AMOUNT_DIFFERS", "LATE"]);
  });
});

describe("a closed invoice", () => {
  it.each([
    ["OPEN", "EXPIRED", "QUOTE_EXPIRED"],
    ["WANTED", "NOT_MADE", "PAY_REQUEST_FAILED"],
  ] as const)("that was %s fails its payment once", (state, endedAs, failureReason) => {
    const rows = new DecidedRows(PLATFORM, invoiceTables({ invoice: { state } }));
    const close = () => rows.run(closeInvoice, { invoiceId: INVOICE, jobId: INVOICE_JOB }, AS);
    close();
    const after = stateOf(rows);
    expect(after).toMatchObject({ ...UNPAID, invoice: endedAs, payment: failureReason });
    expect(after.committed).toEqual([0n, 0n]);
    close();
    expect(stateOf(rows)).toEqual(after);
  });

  it("that was paid meanwhile stays paid", () => {
    const rows = new DecidedRows(PLATFORM, invoiceTables());
    take(rows, told("one"));
    rows.run(closeInvoice, { invoiceId: INVOICE, jobId: INVOICE_JOB }, AS);
    expect(stateOf(rows)).toMatchObject(PAID);
  });
});

const HISTORIES = 300;
const AMOUNTS = [1_020n, 1_020n, 1_030n, 600n, 100n, 100n, 2_040n];

/** What a history must leave, computed from the first telling of each entry alone. */
class Model {
  readonly #known = new Map<string, bigint>();
  state: "OPEN" | "PAID" | "CLOSED" = "OPEN";
  suspense = 0n;
  ownFunds = 0n;
  credits = 0;

  readonly #ceiling: bigint;
  readonly #addsUp: boolean;
  #parts = 0n;

  constructor(ceiling: bigint, addsUp: boolean) {
    this.#ceiling = ceiling;
    this.#addsUp = addsUp;
  }

  tell(id: string, minor: bigint): void {
    if (this.#known.has(id)) return;
    this.#known.set(id, minor);
    const wasOpen = this.state === "OPEN";
    const pays = wasOpen && minor + this.#parts >= invoice.amountMinor;
    const rest = pays ? minor + this.#parts - invoice.amountMinor : minor;
    if (pays) this.suspense -= this.#parts;
    if (pays && rest <= this.#ceiling) this.ownFunds += rest;
    else this.suspense += rest;
    if (wasOpen && !pays && this.#addsUp) this.#parts += minor;
    if (!pays) return;
    this.credits += 1;
    this.state = "PAID";
  }

  close(): void {
    if (this.state === "OPEN") this.state = "CLOSED";
  }

  get outside(): bigint {
    return [...this.#known.values()].reduce((total, minor) => total + minor, 0n);
  }
}

const met = new Map<string, number>();

it(`${HISTORIES} random histories leave what the model says`, () => {
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const chance = chanceFrom(seed);
    const ceiling = chance(3) === 0 ? 10 : 0;
    const addsUp = chance(2) === 0;
    const bank = addsUp ? adding : { ...adding, settlement: [] };
    const settings = { feeCeilingMinor: { EUR: ceiling } };
    const rows = new DecidedRows(PLATFORM, [
      ...invoiceTables(),
      rowsOf(railConnections, { ...bank, settings }),
    ]);
    const model = new Model(BigInt(ceiling), addsUp);
    const entries = Array.from({ length: 1 + chance(4) }, (_, index) =>
      told(`E-${index}`, { amountMinor: AMOUNTS[chance(AMOUNTS.length)] ?? 1_020n }),
    );
    const steps = entries.flatMap((entry) =>
      Array.from({ length: 1 + chance(3) }, () => ({ entry, byInquiry: chance(3) === 0 })),
    );
    for (let left = steps.length; left > 0; left--) {
      if (chance(8) === 0) {
        rows.run(closeInvoice, { invoiceId: INVOICE, jobId: INVOICE_JOB }, AS);
        model.close();
      }
      const [step] = steps.splice(chance(left), 1);
      if (step === undefined) continue;
      const { entry, byInquiry } = step;
      const input = { connectionId: connection.id, entries: [entry] };
      if (byInquiry) expect(rows.run(recordInvoiceEntries, input, AS)).toBe(true);
      else take(rows, entry);
      model.tell(entry.bankReference, entry.amountMinor);
      const after = stateOf(rows);
      expect([after.suspense, after.clearing]).toEqual([model.suspense, -model.outside]);
      expect(after.ownFunds).toBe(model.ownFunds);
      expect(after.credited).toBe(BigInt(model.credits) * invoice.receivingMinor);
    }
    const end = stateOf(rows);
    expect(end.committed).toEqual(model.state === "OPEN" ? [1_000n, -1_250n] : [0n, 0n]);
    met.set(model.state, (met.get(model.state) ?? 0) + 1);
    for (const { reason, state } of rows.all(railItems)) {
      for (const each of [reason, `${state} ${reason}`]) met.set(each, (met.get(each) ?? 0) + 1);
    }
  }
  const reasons = ["OVERPAID", "ALREADY_PAID", "AMOUNT_DIFFERS", "RESOLVED AMOUNT_DIFFERS", "LATE"];
  const wanted = ["OPEN", "PAID", "CLOSED", ...reasons];
  expect(wanted.filter((each) => (met.get(each) ?? 0) < 10)).toEqual([]);
});

/** What the parts of a resolution may be of, in the order in which they are refused, and what an order is settled or given back by. */
import { describe, expect, it } from "vitest";
import {
  EUROS,
  entry,
  item as held,
  type OrderKind,
  orderOf,
  rowsOfOrder,
  SENT,
} from "../../../../test/kit/carried-orders.ts";
import { DECIDED_AT, rowsOf, type TableRows } from "../../../../test/kit/decide-alone.ts";
import { inOrder, named } from "../../../../test/kit/decided.ts";
import { DecidedRows } from "../../../../test/kit/decided-rows.ts";
import { internal, PLATFORM, quote } from "../../../../test/kit/payment-rows.ts";
import { connection, queuedOrder } from "../../../../test/kit/rail-rows.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { ledgerAccounts } from "../../../ledger/chart.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { type Quote, quotes } from "../../payments/quotes/quote.ts";
import { type RailPayment, railPayments } from "../orders/rail-payment.ts";
import { type QuoteFunding, quoteFundings } from "../quotes/quote-funding.ts";
import { type RailReceivable, railReceivables } from "../returns/rail-receivable.ts";
import { type ConnectionEntry, railRoutings } from "../routes/routing.ts";
import { type RailEntry, railEntries } from "./rail-entry.ts";
import { type RailItem, railItems } from "./rail-item.ts";
import { type Part, resolveRailItem } from "./resolve-rail-item.ts";

const idOf = (digits: string) => `018f0000-0000-7000-8000-${digits.padStart(12, "0")}`;
const [OTHER, ABSENT, RECEIVABLE, FIRST] = [idOf("c1"), idOf("c2"), idOf("c3"), idOf("c4")];

/** Waits, and is the whole of its line. */
const item: RailItem = { ...held, state: "OPEN", resolvedAt: null };

const receivable: RailReceivable = {
  ...{ id: RECEIVABLE, connectionId: item.connectionId, paymentId: queuedOrder.id },
  ...{ transactionId: idOf("c5"), accountId: internal.id, customerId: null, currency: "USD" },
  ...{ amountMinor: SENT, openMinor: SENT, collectedMinor: 0n, writtenOffMinor: 0n },
  ...{ state: "OPEN", note: null, decidedBy: null, createdAt: DECIDED_AT, updatedAt: DECIDED_AT },
};

/** Waits for its payer's money, of exactly this item. */
const unfunded: Quote = {
  ...{ ...quote, customerId: null, sendingMinor: SENT, sourceAccountId: null },
  source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
};

const routed: ConnectionEntry = {
  ...{ ...connection, payoutCeiling: null, holdDays: 0 },
  newPayments: "QUEUE",
};

interface State {
  readonly parts?: readonly Part[];
  readonly item?: Partial<RailItem> | "absent";
  readonly entry?: Partial<RailEntry>;
  /** Another line of the account outside, and an item of it. */
  readonly other?: Partial<RailEntry>;
  readonly otherItem?: Partial<RailItem>;
  readonly kind?: OrderKind;
  readonly order?: Partial<RailPayment>;
  readonly quote?: Partial<Quote>;
  readonly fundings?: readonly QuoteFunding[];
  readonly account?: Partial<InternalAccount>;
  readonly receivable?: Partial<RailReceivable>;
  /** The connection, as the routing has it. */
  readonly routed?: Partial<ConnectionEntry>;
  /** The id of an account that has no room for a unit more. */
  readonly full?: string;
  readonly isGuarded?: boolean;
}

function resolved(state: State) {
  const { kind = "a transfer", order, parts = [], isGuarded = false } = state;
  const isSettled = order?.state === "SETTLED" || order?.state === "RETURNED";
  const rows = new DecidedRows(PLATFORM, [
    ...rowsOfOrder(kind, { isSettled }),
    rowsOf(ledgerAccounts, ...ledgerOf(rowsOfOrder(kind, { isSettled }), state.full)),
    rowsOf(railPayments, { ...orderOf(kind, isSettled), ...order }),
    rowsOf(railItems, ...(state.item === "absent" ? [] : [{ ...item, ...state.item }]), {
      ...held,
      id: FIRST,
      entryId: OTHER,
      ...state.otherItem,
    }),
    rowsOf(
      railEntries,
      { ...entry, ...state.entry },
      { ...entry, id: OTHER, bankReference: "B-9", ...state.other },
    ),
    ...(kind === "a transfer" ? [rowsOf(quotes, { ...unfunded, ...state.quote })] : []),
    rowsOf(internalAccounts, { ...internal, customerId: null, ...state.account }, EUROS),
    rowsOf(quoteFundings, ...(state.fundings ?? [])),
    rowsOf(railReceivables, { ...receivable, ...state.receivable }),
    rowsOf(railRoutings, {
      ...{ id: PLATFORM, routes: [] },
      connections: [{ ...routed, ...state.routed }],
    }),
  ]);
  const before = moneyIn(rows);
  const input = { itemId: item.id, parts, note: "n", isGuarded };
  const actor = { kind: "token", id: "t", people: ["ana"] } as const;
  const output = rows.run(resolveRailItem, input, { actor, at: DECIDED_AT });
  const refusal = output instanceof Refusal ? output : undefined;
  const [after] = rows.all(railPayments);
  return { refusal, order: after, moved: moneyIn(rows) - before };
}

function ledgerOf(tables: readonly TableRows[], full: string | undefined) {
  const accounts = new DecidedRows(PLATFORM, tables).all(ledgerAccounts);
  return accounts.map((each) =>
    each.id === full ? { ...each, balanceMinor: MAX_AMOUNT_MINOR - each.heldMinor } : each,
  );
}

/** Of the account inside, with what is held. */
function moneyIn(rows: DecidedRows): bigint {
  const account = rows.all(ledgerAccounts).find(({ id }) => id === internal.id);
  return (account?.balanceMinor ?? 0n) + (account?.heldMinor ?? 0n);
}

const answer = (state: State) =>
  named(resolved(state).refusal, "reason", "rule", "status", "field");

const ofAccount: Part = { kind: "ACCOUNT", accountId: internal.id, minor: SENT };
const ofQuote: Part = { kind: "QUOTE", quoteId: unfunded.id, minor: SENT };
const ofReceivable: Part = { kind: "RECEIVABLE", receivableId: RECEIVABLE, minor: SENT };
const duplicate: Part = { kind: "DUPLICATE_OF", entryId: OTHER, minor: SENT };
const back: Part = { kind: "RETURN", minor: SENT };
const ofOrder = (outcome: "SETTLED" | "RETURNED", minor = SENT): Part => ({
  ...{ kind: "PAYMENT", paymentId: queuedOrder.id, outcome, minor },
});

describe("an item", () => {
  it.each(
    inOrder<State>([
      ["REFERENCE_NOT_FOUND", { item: "absent" }],
      ["CONFLICT RESOLVED", { item: { state: "RESOLVED", amountMinor: 1n } }],
      [
        "INVALID_INPUT must sum to the item's 1 in the smallest unit of USD; they sum to 1009",
        { item: { amountMinor: 1n } },
      ],
    ]),
  )("%s: %s", (expected, _how, state) => {
    expect(answer({ ...state, parts: [ofAccount] })).toBe(expected);
  });
});

describe("a part for an account", () => {
  const parts = [ofAccount];
  it.each<readonly [string, State]>([
    ["decided", { parts }],
    [
      "decided",
      {
        parts: [
          { ...ofAccount, minor: 9n },
          { ...ofAccount, minor: SENT - 9n },
        ],
      },
    ],
    ["REFERENCE_NOT_FOUND parts[0].accountId", { parts: [{ ...ofAccount, accountId: ABSENT }] }],
    [
      "INVALID_INPUT cannot be credited from money that went out; use OWN_FUNDS",
      { parts, item: { direction: "DEBIT" }, account: { currency: "EUR" } },
    ],
    [
      "INVALID_INPUT is in EUR, the item in USD",
      { parts, account: { currency: "EUR", status: "CLOSED" } },
    ],
    ["CONFLICT parts[0].accountId", { parts, account: { status: "CLOSED" } }],
  ])("%s: %#", (expected, state) => {
    expect(answer(state)).toBe(expected);
  });
});

describe("a part for a quote", () => {
  const twice = { parts: [ofQuote, ofQuote], item: { amountMinor: 2n * SENT } } as const;
  const less = `INVALID_INPUT needs exactly ${SENT - 1n} in the smallest unit of USD; the part has ${SENT} of USD`;
  const inside = { source: { sourceType: "ACCOUNT", accountId: "x" } } as const;
  const parts = [ofQuote];

  it.each<readonly [string, State]>([
    ["REFERENCE_NOT_FOUND parts[0].quoteId", { parts: [{ ...ofQuote, quoteId: ABSENT }] }],
    [
      "INVALID_INPUT is not funded by money that went out",
      { parts, item: { direction: "DEBIT", entryId: null }, quote: inside },
    ],
    [
      "INVALID_INPUT is not funded by money that came back for an order",
      { parts, item: { entryId: null, paymentId: queuedOrder.id }, quote: inside },
    ],
    [
      "INVALID_INPUT names a quote that is not funded by its payer through a connection",
      { ...twice, quote: inside },
    ],
    // Each part alone has the amount that the quote needs.
    ["INVALID_INPUT names a quote that another part names", { ...twice }],
    [
      "INVALID_INPUT names a quote that another part names",
      { ...twice, quote: { sendingMinor: 1n, status: "EXPIRED" } },
    ],
    [less, { parts, quote: { sendingMinor: SENT - 1n, status: "EXPIRED" } }],
    ["CONFLICT EXPIRED", { parts, quote: { status: "EXPIRED" } }],
    ["CONFLICT PROCESSING", { parts, quote: { status: "PROCESSING" } }],
  ])("%s: %#", (expected, state) => {
    expect(answer(state)).toBe(expected);
  });

  const HELD = { item: { state: "HELD", accountId: internal.id } } as const;
  const own = { by: "token t", people: [] };
  const samePerson = { by: "token x", people: ["ana"] };
  const other = { by: "token x", people: ["bo"] };

  it.each<readonly [string, State]>([
    ["decided", { ...HELD, quote: { maker: null } }],
    ["decided", { ...HELD, quote: { maker: other } }],
    ["FORBIDDEN FOUR_EYES", { ...HELD, quote: { maker: own } }],
    ["FORBIDDEN FOUR_EYES", { ...HELD, quote: { maker: samePerson } }],
    ["FORBIDDEN FOUR_EYES", { isGuarded: true, quote: { maker: own } }],
    ["CONFLICT EXPIRED", { ...HELD, quote: { maker: own, status: "EXPIRED" } }],
  ])("%s, of a quote with a maker, where another one could resolve it: %#", (expected, state) => {
    expect(answer({ parts, ...state })).toBe(expected);
  });

  it("is not of a quote that has a part of its money already", () => {
    const funding = { quoteId: unfunded.id, connectionId: connection.id, amountMinor: 1n };
    const row = { id: OTHER, ...funding, entryId: OTHER, itemId: null, createdAt: DECIDED_AT };
    expect(resolved({ parts, fundings: [row] }).refusal?.message).toBe(
      "parts[0].quoteId: the quote has a part of its money already.",
    );
  });
});

describe("a part that is of an order", () => {
  const debit = { item: { direction: "DEBIT" } } as const;
  const settles = { parts: [ofOrder("SETTLED")], ...debit };
  const returns = { parts: [ofOrder("RETURNED")] };

  it.each<readonly [string, State]>([
    ["decided", { order: { state: "ACCEPTED" } }],
    ["decided", { order: { state: "UNKNOWN" } }],
    ["decided", { order: { state: "SETTLED" } }],
    ["CONFLICT SETTLED", { order: { state: "SETTLED", settledEntryId: OTHER } }],
    ["CONFLICT SETTLED", { order: { state: "SETTLED", movesNothing: true } }],
    ["decided", { order: { state: "RETURNED", returnedMinor: SENT } }],
    ["CONFLICT DECLINED", { order: { state: "DECLINED" } }],
    ["CONFLICT CANCELLED", { order: { state: "CANCELLED" } }],
    ["CONFLICT HELD", { order: { state: "HELD" } }],
  ])("%s, where a debit settles it: %o", (expected, state) => {
    expect(answer({ ...settles, ...state })).toBe(expected);
  });

  it.each<readonly [string, State]>([
    ["decided", { order: { state: "ACCEPTED" } }],
    ["decided", { order: { state: "SETTLED" } }],
    ["CONFLICT SETTLED", { order: { state: "SETTLED", returnedEntryId: OTHER } }],
    ["decided", { order: { state: "RETURNED", returnedMinor: SENT } }],
    [
      "CONFLICT RETURNED",
      { order: { state: "RETURNED", returnedMinor: SENT, returnedEntryId: OTHER } },
    ],
    ["CONFLICT DECLINED", { order: { state: "DECLINED" } }],
    ["CONFLICT HELD", { order: { state: "HELD" } }],
  ])("%s, where a credit gives it back: %o", (expected, state) => {
    expect(answer({ ...returns, ...state })).toBe(expected);
  });

  it("moves the money of the order once, and ties its line", () => {
    const settled = { state: "SETTLED", isConflict: true } as const;
    const came = resolved({ ...returns, order: settled });
    expect(came).toMatchObject({ moved: SENT, order: { state: "RETURNED", isConflict: false } });
    expect(came.order?.returnedEntryId).toBe(item.entryId);
    const known = { state: "RETURNED", returnedMinor: SENT } as const;
    const tied = resolved({ ...returns, order: known });
    expect(tied).toMatchObject({ moved: 0n, order: { ...known, returnedEntryId: item.entryId } });
    const paid = resolved({ ...settles, order: { state: "ACCEPTED" } });
    expect(paid).toMatchObject({ moved: -SENT, order: { state: "SETTLED" } });
    expect(paid.order?.settledEntryId).toBe(item.entryId);
  });

  const noFit = (outcome: string, direction: string, is: string) =>
    `INVALID_INPUT must name an order of the connection with the amount of the part; ${outcome} of a ${direction} is a ${is}`;
  const paysNot = noFit("SETTLED", "OUT", "DEBIT");

  it.each<readonly [string, State]>([
    ["REFERENCE_NOT_FOUND parts[0].paymentId", { order: { id: ABSENT } }],
    [
      "INVALID_INPUT is of another order than the item",
      { item: { direction: "DEBIT", entryId: null } },
    ],
    [paysNot, { order: { connectionId: OTHER } }],
    [paysNot, { order: { currency: "EUR" } }],
    [paysNot, { order: { amountMinor: SENT + 1n } }],
    [paysNot, { order: { amountMinor: SENT - 1n } }],
    [paysNot, { item: { direction: "CREDIT" } }],
    [noFit("RETURNED", "OUT", "CREDIT"), { parts: [ofOrder("RETURNED")] }],
    [paysNot, { order: { state: "SETTLED", amountMinor: SENT + 1n } }],
    [noFit("SETTLED", "PULL", "CREDIT"), { kind: "a collection" }],
    [
      "INVALID_INPUT names an order BACK; money that came once more is for another part",
      { kind: "money back", parts: [ofOrder("RETURNED")], item: { direction: "CREDIT" } },
    ],
  ])("%s: %#", (expected, state) => {
    expect(answer({ ...settles, ...state })).toBe(expected);
  });

  it.each<readonly [string, Partial<RailPayment>]>([
    // A person has looked: a tenth of a payout that has settled is its return, too.
    ["decided", { state: "SETTLED", amountMinor: 10n * SENT }],
    ["decided", { state: "RETURNED", amountMinor: 10n * SENT, returnedMinor: SENT }],
    [noFit("RETURNED", "OUT", "CREDIT"), { state: "RETURNED", returnedMinor: SENT - 1n }],
    [noFit("RETURNED", "OUT", "CREDIT"), { state: "SETTLED", amountMinor: SENT - 1n }],
    [noFit("RETURNED", "OUT", "CREDIT"), { state: "ACCEPTED", amountMinor: SENT + 1n }],
  ])("%s, where less came back: %o", (expected, order) => {
    expect(answer({ ...returns, order })).toBe(expected);
  });

  it.each<readonly [string, State]>([
    ["decided", { kind: "a collection" }],
    ["CONFLICT ACCEPTED", { kind: "a collection", full: internal.id }],
    // Its money is the quote's first, which no account need have room for.
    ["decided", { kind: "a collection for a quote" }],
    ["decided", { kind: "a collection for a quote", full: EUROS.id }],
  ])("%s, where a credit collects it: %o", (expected, state) => {
    expect(answer({ parts: [ofOrder("SETTLED")], ...state })).toBe(expected);
  });

  it("names no order twice, where each part alone would settle it", () => {
    const parts = [ofOrder("SETTLED"), ofOrder("SETTLED")];
    const { refusal } = resolved({ parts, item: { ...debit.item, amountMinor: 2n * SENT } });
    expect(refusal?.message).toBe("parts[1].paymentId: is there twice");
  });
});

describe("a part that pays a receivable", () => {
  const parts = [ofReceivable];
  it.each<readonly [string, State]>([
    ["decided", { parts }],
    ["REFERENCE_NOT_FOUND parts[0].receivableId", { receivable: { id: ABSENT } }],
    [
      "INVALID_INPUT cannot be paid from money that went out; use OWN_FUNDS",
      { item: { direction: "DEBIT" }, receivable: { currency: "EUR" } },
    ],
    [
      "INVALID_INPUT is in EUR, the item in USD",
      { receivable: { currency: "EUR", state: "COLLECTED" } },
    ],
    ["CONFLICT COLLECTED", { receivable: { state: "COLLECTED", openMinor: 0n } }],
    [
      `INVALID_INPUT has ${SENT - 1n} open, less than ${SENT}`,
      { receivable: { openMinor: SENT - 1n } },
    ],
    [
      `INVALID_INPUT has ${SENT - 1n} open, less than ${SENT}`,
      {
        parts: [
          { ...ofReceivable, minor: 9n },
          { ...ofReceivable, minor: SENT - 9n },
        ],
        receivable: { openMinor: SENT - 1n },
      },
    ],
  ])("%s: %#", (expected, state) => {
    expect(answer({ parts, ...state })).toBe(expected);
  });
});

describe("a part that undoes a line told twice", () => {
  const parts = [duplicate];
  const otherLine =
    "INVALID_INPUT must name another entry of the connection with the direction, currency and amount of the whole item";
  const undone = {
    resolution: {
      parts: [{ kind: "DUPLICATE_OF", entryId: `RailEntry:${entry.id}`, minor: "1" }],
      ...{ note: "", by: "token t" },
    },
  } as const;

  it.each<readonly [string, State]>([
    ["decided", {}],
    ["REFERENCE_NOT_FOUND parts[0].entryId", { parts: [{ ...duplicate, entryId: ABSENT }] }],
    [otherLine, { item: { entryId: null, paymentId: queuedOrder.id } }],
    [otherLine, { parts: [{ ...duplicate, entryId: entry.id }] }],
    [otherLine, { other: { connectionId: ABSENT } }],
    [otherLine, { other: { direction: "DEBIT" } }],
    [otherLine, { other: { currency: "EUR" } }],
    [otherLine, { other: { amountMinor: SENT - 1n }, otherItem: undone }],
    [
      otherLine,
      {
        parts: [
          { ...duplicate, minor: 9n },
          { kind: "FX", minor: SENT - 9n },
        ],
      },
    ],
    ["INVALID_INPUT names an entry that is a duplicate itself", { otherItem: undone }],
  ])("%s: %#", (expected, state) => {
    expect(answer({ parts, ...state })).toBe(expected);
  });
});

describe("a part that gives the money back", () => {
  const detailed: Part = { ...back, details: { account: "1" } };
  const paused = { status: "PAUSED", newPayments: "REFUSE" } as const;
  const takesNone = "the money came by a connection that takes no orders now.";

  it.each<readonly [string, State]>([
    ["decided", {}],
    ["decided", { parts: [detailed], entry: { payer: { name: "Ana" } } }],
    ["decided", { routed: { status: "PAUSED" } }],
    [
      "the money came back for an order; use ACCOUNT or OWN_FUNDS.",
      { item: { entryId: null, paymentId: queuedOrder.id } },
    ],
    ["is not needed: the entry tells the payer's account", { parts: [detailed], routed: paused }],
    ["the money went out.", { entry: { direction: "DEBIT", payer: null } }],
    [
      "the money came without the account of its payer; complete it with details, which another token confirms.",
      { entry: { payer: { name: "Ana" } }, routed: paused },
    ],
    [takesNone, { routed: paused }],
    [takesNone, { routed: { status: "SETUP" } }],
    [takesNone, { routed: { id: OTHER } }],
  ])("%s: %#", (expected, state) => {
    const { refusal } = resolved({ parts: [back], ...state });
    expect(refusal?.message.replace(/^.*?: /, "") ?? "decided").toBe(expected);
  });
});

describe("a part of what a short return lacks", () => {
  const own: Part = { kind: "OWN_FUNDS", label: "fee", minor: SENT };
  const short = { reason: "SHORT_RETURN", paymentId: queuedOrder.id, entryId: null } as const;
  const bound =
    "INVALID_INPUT must be OWN_FUNDS, or ACCOUNT with the account that the payment came from: own funds stand in for this money";

  it.each<readonly [string, Part]>([
    ["decided", own],
    ["decided", ofAccount],
    [bound, { ...ofAccount, accountId: EUROS.id }],
    [bound, ofReceivable],
    [bound, { kind: "FX", minor: SENT }],
  ])("%s: %#", (expected, part) => {
    expect(answer({ parts: [part], item: short })).toBe(expected);
  });
});

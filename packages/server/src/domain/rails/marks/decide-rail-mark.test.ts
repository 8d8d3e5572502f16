/** What becomes of a mark of each kind: who may decide it and when, and what is done, judged again, cancelled or left. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import {
  external,
  internal,
  PLATFORM,
  platform,
  quoteTransaction,
} from "../../../../test/kit/payment-rows.ts";
import { connection as bank, queuedOrder } from "../../../../test/kit/rail-rows.ts";
import type { Batch } from "../../../engine/batch.ts";
import type { Actor, Command } from "../../../engine/command.ts";
import {
  type LedgerAccount,
  ledgerAccounts,
  newInternalLedgerAccount,
  newSystemAccount,
  type SystemAccountKind,
  systemAccount,
} from "../../../ledger/chart.ts";
import { INT8_MAX } from "../../../ledger/postings.ts";
import { externalAccounts } from "../../accounts/external/external-account.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { platforms } from "../../platform.ts";
import { type RailConnection, railConnections } from "../connections/rail-connection.ts";
import { type RailEntry, railEntries } from "../entries/rail-entry.ts";
import { type RailItem, railItems } from "../entries/rail-item.ts";
import { type RailPayment, railPayments } from "../orders/rail-payment.ts";
import { type RailReceivable, railReceivables } from "../returns/rail-receivable.ts";
import { railRoutings } from "../routes/routing.ts";
import { confirmRailMark, expireRailMark, refuseRailMark } from "./decide-rail-mark.ts";
import { type MarkKind, markKinds, type RailMark, railMarks } from "./rail-mark.ts";

const idOf = (digits: string) => `018f0000-0000-7000-8000-${digits.padStart(12, "0")}`;
const [MARK, JOB, ENTRY, ITEM, RECEIVABLE] = [
  idOf("1a"),
  idOf("1b"),
  idOf("1c"),
  idOf("1d"),
  idOf("1e"),
];
const HOUR_MS = 3_600_000;
const { id: PAYMENT, amountMinor: AMOUNT } = queuedOrder;

const waiting: RailMark = {
  id: MARK,
  connectionId: bank.id,
  kind: "RELEASE",
  request: { paymentId: PAYMENT },
  state: "WAITING",
  requestedBy: "token first",
  requesterPeople: ["ana", "bo"],
  decidedBy: null,
  decidedAt: null,
  note: null,
  result: null,
  jobId: JOB,
  expiresAt: DECIDED_AT + 72 * HOUR_MS,
  createdAt: DECIDED_AT,
};

const manual: RailConnection = {
  ...bank,
  kind: "MANUAL",
  control: { ...bank.control, approval: "FOUR_EYES" },
};

const item: RailItem = {
  id: ITEM,
  connectionId: bank.id,
  entryId: ENTRY,
  accountId: null,
  transactionId: null,
  paymentId: null,
  suggestedPaymentId: null,
  reason: "UNREFERENCED",
  direction: "CREDIT",
  currency: "USD",
  amountMinor: 40n,
  state: "OPEN",
  agedDays: 0,
  jobId: null,
  resolution: null,
  resolvedAt: null,
  createdAt: DECIDED_AT,
};

const entry: RailEntry = {
  id: ENTRY,
  connectionId: bank.id,
  bankReference: "B-1",
  direction: "CREDIT",
  currency: "USD",
  amountMinor: 40n,
  bookedOn: "2026-11-20",
  bookedAt: null,
  valueDate: null,
  reference: null,
  remittance: null,
  payer: null,
  virtualAccount: null,
  invoiceId: null,
  feeOf: null,
  bookedAs: "SUSPENSE",
  paymentId: null,
  addressId: null,
  transactionId: null,
  source: "MANUAL",
  bookedBy: "token first",
  createdAt: DECIDED_AT,
};

const receivable: RailReceivable = {
  id: RECEIVABLE,
  connectionId: bank.id,
  paymentId: idOf("1f"),
  transactionId: quoteTransaction.id,
  accountId: internal.id,
  customerId: null,
  currency: "USD",
  amountMinor: 90n,
  openMinor: 60n,
  collectedMinor: 30n,
  writtenOffMinor: 0n,
  state: "OPEN",
  note: null,
  decidedBy: null,
  createdAt: DECIDED_AT,
  updatedAt: DECIDED_AT,
};

interface State {
  readonly mark?: Partial<RailMark> | "absent";
  readonly order?: Partial<RailPayment>;
  readonly item?: Partial<RailItem>;
  readonly entry?: Partial<RailEntry>;
  readonly receivable?: Partial<RailReceivable>;
  readonly connection?: Partial<RailConnection>;
  readonly availableMinor?: bigint;
  /** Own funds at the connection. */
  readonly ownMinor?: bigint;
  readonly actor?: Actor;
  readonly at?: number;
}

const other: Actor = { kind: "token", id: "second", people: ["cy"] };

function worldWith<Input>(command: Command<Input, unknown>, input: Input, state: State): Batch {
  const { availableMinor = 25n, ownMinor = 0n, mark = {}, at = DECIDED_AT } = state;
  const of = (system: SystemAccountKind, balanceMinor: bigint, isOfBank = true): LedgerAccount => ({
    ...newSystemAccount(
      { system, currency: "USD", ...(isOfBank && { connectionId: bank.id }) },
      DECIDED_AT,
    ),
    balanceMinor,
  });
  const account = newInternalLedgerAccount(internal.id, "USD", DECIDED_AT);
  const transaction = {
    ...{ ...quoteTransaction, quoteId: null, sentMinor: AMOUNT, receivedMinor: AMOUNT },
    ...{ receivedCurrency: "USD", customerId: null },
  };
  const world = worldFor({
    command,
    input,
    platformId: PLATFORM,
    at,
    tables: [
      rowsOf(platforms, platform),
      rowsOf(railConnections, { ...manual, ...state.connection }),
      rowsOf(railRoutings, { id: PLATFORM, routes: [], connections: [] }),
      rowsOf(railMarks, ...(mark === "absent" ? [] : [{ ...waiting, ...mark }])),
      rowsOf(railPayments, { ...queuedOrder, ...state.order }),
      rowsOf(transactions, transaction),
      rowsOf(internalAccounts, { ...internal, customerId: null }),
      rowsOf(externalAccounts, external),
      rowsOf(railItems, { ...item, ...state.item }),
      rowsOf(railEntries, { ...entry, ...state.entry }),
      rowsOf(railReceivables, { ...receivable, ...state.receivable }),
      rowsOf(
        ledgerAccounts,
        { ...account, balanceMinor: availableMinor, heldMinor: AMOUNT },
        of("in-flight", AMOUNT, false),
        of("receivables", -60n, false),
        of("suspense", 40n),
        of("own-funds", ownMinor),
        of("clearing", -40n),
        of("fx", 0n, false),
      ),
    ],
  });
  world.begin(state.actor ?? other, 5n);
  return world;
}

const HELD = { state: "HELD", jobId: null } as const;

const LINE = {
  ...{ bankReference: "B-2", direction: "CREDIT", currency: "USD", amount: "70" },
  ...{ bookedOn: "2026-11-20", valueDate: null, reference: null, remittance: null },
  ...{ payer: null, virtualAccount: null },
};
const leg = (currency: string) => ({ currency, amount: "-15" });

/** What each kind asks for. */
const REQUESTS: Readonly<Record<MarkKind, RailMark["request"]>> = {
  MARK: { marks: [{ paymentId: PAYMENT, outcome: "SETTLED", valueDate: "2026-11-20" }] },
  RESOLUTION: {
    itemId: ITEM,
    parts: [{ kind: "OWN_FUNDS", label: "interest", minor: "40" }],
    note: "known",
  },
  ENTRY: { connectionId: bank.id, told: LINE },
  RELEASE: { paymentId: PAYMENT },
  ADJUSTMENT: { connectionId: bank.id, legs: [leg("USD")], note: "hedge" },
  WRITE_OFF: { receivableId: RECEIVABLE, note: "gone" },
  COLLECTION: { receivableId: RECEIVABLE },
  BALANCE: { connectionId: bank.id, currency: "USD", day: "2026-11-20", booked: "75" },
};

const markOf = (kind: MarkKind) => ({ kind, request: REQUESTS[kind] });

function confirmed(kind: MarkKind, state: State = {}) {
  const input = { markId: MARK };
  const mark = { ...markOf(kind), ...(typeof state.mark === "object" && state.mark) };
  const order = { ...(kind === "RELEASE" && HELD), ...state.order };
  const world = worldWith(confirmRailMark, input, { ...state, mark, order });
  const refusal = refusalOf(world, () => confirmRailMark.decide(world, input));
  const balance = (system: SystemAccountKind, isOfBank = true) =>
    world.find(systemAccount(system, "USD", isOfBank ? bank.id : undefined))?.balanceMinor;
  return { world, refusal, balance, after: world.get(railMarks.ref(MARK)) };
}

describe("a mark that is confirmed", () => {
  it.each(markKinds)("of the kind %s ends with who decided and when, and its job", (kind) => {
    const { refusal, after, world } = confirmed(kind);
    expect(refusal).toBeUndefined();
    expect(after).toMatchObject({
      ...{ state: "CONFIRMED", decidedBy: "token second", decidedAt: DECIDED_AT },
      ...{ jobId: null, note: null },
    });
    expect(world.cancelledJobs).toContain(JOB);
    expect(world.isEmpty).toBe(false);
  });

  it("of orders records the outcome", () => {
    const { world, balance } = confirmed("MARK");
    const { state, settledOn } = world.get(railPayments.ref(PAYMENT));
    expect([state, settledOn]).toEqual(["SETTLED", "2026-11-20"]);
    expect(balance("clearing")).toBe(AMOUNT - 40n);
  });

  it("of an item resolves it", () => {
    const { world, balance } = confirmed("RESOLUTION");
    expect(world.get(railItems.ref(ITEM))).toMatchObject({
      state: "RESOLVED",
      resolution: {
        note: "known",
        by: "token second",
        parts: [{ kind: "OWN_FUNDS", minor: "40" }],
      },
    });
    expect([balance("suspense"), balance("own-funds")]).toEqual([0n, 40n]);
  });

  it("of a line books it, and names the entry", () => {
    const { after, balance } = confirmed("ENTRY");
    expect(after.result).toEqual({ entryId: expect.stringMatching(/^RailEntry:/) });
    expect(balance("suspense")).toBe(110n);
  });

  it("of an order that is HELD puts it in the queue, with the job that sends it", () => {
    const { world } = confirmed("RELEASE", { connection: { kind: "HTTP" } });
    const { state, jobId } = world.get(railPayments.ref(PAYMENT));
    expect(state).toBe("QUEUED");
    expect(world.jobs.map(({ id }) => id)).toContain(jobId);
  });

  it("of positions posts the legs", () => {
    const { balance } = confirmed("ADJUSTMENT");
    expect([balance("fx", false), balance("own-funds")]).toEqual([-15n, 15n]);
  });

  it("of a receivable writes off what is open by then", () => {
    const { world, balance } = confirmed("WRITE_OFF", {
      receivable: { openMinor: 50n, collectedMinor: 40n },
    });
    expect(world.get(railReceivables.ref(RECEIVABLE))).toMatchObject({
      ...{ state: "WRITTEN_OFF", openMinor: 0n, writtenOffMinor: 50n },
      ...{ note: "gone", decidedBy: "token second" },
    });
    expect(balance("own-funds")).toBe(-50n);
  });

  it.each([
    [25n, 35n, "OPEN", 0n],
    [60n, 0n, "COLLECTED", 0n],
    [61n, 0n, "COLLECTED", 1n],
  ])(
    "of a receivable collects of %s what the account has",
    (availableMinor, openMinor, state, left) => {
      const { world } = confirmed("COLLECTION", { availableMinor });
      expect(world.get(railReceivables.ref(RECEIVABLE))).toMatchObject({ openMinor, state });
      expect(world.get(ledgerAccounts.ref(internal.id)).balanceMinor).toBe(left);
    },
  );

  it("of a balance records it with the entries that are covered now", () => {
    const input = { markId: MARK, covered: { coveredMinor: 30n, toldCount: 0n } };
    const world = worldWith(confirmRailMark, input, { mark: markOf("BALANCE") });
    confirmRailMark.decide(world, input);
    // The opening is what entries do not explain.
    expect(world.find(systemAccount("own-funds", "USD", bank.id))?.balanceMinor).toBe(45n);
  });
});

describe("an act that is judged again when it is confirmed", () => {
  const paid = { ...LINE, bankReference: "B-1" };
  it.each<readonly [kind: MarkKind, why: string, state: State, code: string]>([
    [
      "MARK",
      "contradicts what was reported meanwhile",
      { order: { state: "DECLINED" } },
      "CONFLICT",
    ],
    ["RESOLUTION", "is of an item that was resolved", { item: { state: "RESOLVED" } }, "CONFLICT"],
    [
      "ENTRY",
      "is a line that was told meanwhile",
      { mark: { request: { connectionId: bank.id, told: paid } } },
      "DUPLICATE_ENTRY",
    ],
    ["ENTRY", "is at an archived connection", { connection: { status: "ARCHIVED" } }, "CONFLICT"],
    ["RELEASE", "is of an order that was cancelled", { order: { state: "CANCELLED" } }, "CONFLICT"],
    ["RELEASE", "is of an order in the queue", { order: { state: "QUEUED" } }, "CONFLICT"],
    [
      "ADJUSTMENT",
      "is in a currency that was taken away",
      { connection: { currencies: [] } },
      "INVALID_INPUT",
    ],
    [
      "WRITE_OFF",
      "is of a receivable that was collected",
      { receivable: { state: "COLLECTED" } },
      "CONFLICT",
    ],
    ["WRITE_OFF", "has no room", { ownMinor: -INT8_MAX / 2n }, "AMOUNT_OUT_OF_RANGE"],
    ["COLLECTION", "finds no money", { availableMinor: 0n }, "CONFLICT"],
    [
      "BALANCE",
      "is at a connection whose connector tells it",
      { connection: { kind: "HTTP" } },
      "CONFLICT",
    ],
  ])("%s: is refused when it %s, and waits on", (kind, _why, state, code) => {
    const { refusal, after } = confirmed(kind, state);
    expect(refusal?.code).toBe(code);
    expect(after.state).toBe("WAITING");
  });
});

describe("who decides, and when", () => {
  const token = (id: string, people: readonly string[] = []): Actor => ({
    kind: "token",
    id,
    people,
  });
  const late = { at: waiting.expiresAt };
  const first = { actor: token("first") };

  type Decision = readonly [what: string, state: State, code: string | undefined, details?: object];
  const DECISIONS: readonly Decision[] = [
    ["an unknown mark", { mark: "absent", ...first }, "REFERENCE_NOT_FOUND"],
    [
      "one that was confirmed",
      { mark: { state: "CONFIRMED" }, ...first, ...late },
      "CONFLICT",
      { status: "CONFIRMED" },
    ],
    [
      "one that was refused",
      { mark: { state: "REFUSED" }, ...first },
      "CONFLICT",
      { status: "REFUSED" },
    ],
    [
      "one that has expired",
      { mark: { state: "EXPIRED" }, ...first },
      "CONFLICT",
      { status: "EXPIRED" },
    ],
    ["one after 72 hours", { ...late, ...first }, "CONFLICT", { status: "EXPIRED" }],
    ["one a millisecond before", { at: waiting.expiresAt - 1 }, undefined],
    ["the token that asked", first, "FORBIDDEN", { rule: "FOUR_EYES" }],
    [
      "a token of the same person",
      { actor: token("second", ["cy", "bo"]) },
      "FORBIDDEN",
      { rule: "FOUR_EYES" },
    ],
    [
      "a person who counts as the one that asked",
      { actor: { kind: "person", id: "x", people: ["ana"] } },
      "FORBIDDEN",
    ],
    ["a token without people", { actor: token("second") }, undefined],
    ["an agent of the same id", { actor: { kind: "agent", id: "first" } }, undefined],
    [
      "a token beside one without people",
      { mark: { requesterPeople: [] }, actor: token("second", ["ana"]) },
      undefined,
    ],
  ];
  const inputs = { markId: MARK, note: "no" };

  const cases = DECISIONS.map(([what, state, code, details = {}]) => ({
    what,
    state,
    code,
    details,
  }));

  it.each(cases)("$what", ({ state, code, details }) => {
    for (const command of [confirmRailMark, refuseRailMark] as const) {
      const world = worldWith(command, inputs, { order: HELD, ...state });
      const refusal = refusalOf(world, () => command.decide(world, inputs));
      expect([command.name, refusal?.code]).toEqual([command.name, code]);
      expect(refusal?.details ?? {}).toMatchObject(details);
    }
  });
});

describe("a mark that is refused or comes to its end", () => {
  function ended(how: "refused" | "expired", state: State) {
    const at = how === "expired" ? waiting.expiresAt : DECIDED_AT;
    const input = { markId: MARK, note: "no", jobId: JOB };
    const command = how === "refused" ? refuseRailMark : expireRailMark;
    const world = worldWith<typeof input>(command, input, { at, ...state });
    const output = command.decide(world, input);
    return { world, output, mark: world.get(railMarks.ref(MARK)) };
  }

  function standing({ world }: { readonly world: Batch }) {
    const { balanceMinor, heldMinor } = world.get(ledgerAccounts.ref(internal.id));
    return { order: world.get(railPayments.ref(PAYMENT)).state, balanceMinor, heldMinor };
  }

  it.each([
    ["refused", "REFUSED", "no"],
    ["expired", "EXPIRED", null],
  ] as const)("cancels an order that is HELD, whose money goes back: %s", (how, state, note) => {
    const done = ended(how, { order: HELD });
    expect(done.mark).toMatchObject({ state, note });
    expect(standing(done)).toEqual({
      order: "CANCELLED",
      balanceMinor: 25n + AMOUNT,
      heldMinor: 0n,
    });
  });

  it.each([
    ["refused", "QUEUED"],
    ["refused", "CANCELLED"],
    ["expired", "SENT"],
  ] as const)("leaves an order as it is when it is %s and the order %s", (how, state) => {
    const done = ended(how, { order: { state } });
    expect(standing(done)).toMatchObject({ order: state, heldMinor: AMOUNT });
  });

  it.each(markKinds.filter((kind) => kind !== "RELEASE"))("does nothing of the kind %s", (kind) => {
    for (const how of ["refused", "expired"] as const) {
      const { world } = ended(how, { mark: markOf(kind) });
      expect([...world.dirty.keys()].map(({ name }) => name)).toEqual([railMarks.name]);
      expect(world.entries).toEqual([]);
      expect(world.cancelledJobs).toContain(JOB);
    }
  });

  it("waits on, and keeps its job, before its time", () => {
    const { world, output } = ended("expired", { at: waiting.expiresAt - 1, order: HELD });
    expect([output, world.isEmpty]).toEqual([false, true]);
  });

  it.each(["CONFIRMED", "REFUSED", "EXPIRED"] as const)(
    "that was %s ends its job alone",
    (state) => {
      const { world, output, mark } = ended("expired", {
        mark: { state, jobId: null },
        order: HELD,
      });
      expect([output, mark.state]).toEqual([true, state]);
      expect([world.dirty.size, world.cancelledJobs]).toEqual([0, [JOB]]);
    },
  );
});

/** What a person may say of an order, and which marks end a conflict. */
import { describe, expect, it } from "vitest";
import { type OrderKind, orderOf, rowsOfOrder } from "../../../../test/kit/carried-orders.ts";
import {
  DECIDED_AT,
  refusalOf,
  rowsOf,
  type TableRows,
  worldFor,
} from "../../../../test/kit/decide-alone.ts";
import { decided, named, written } from "../../../../test/kit/decided.ts";
import { DecidedRows } from "../../../../test/kit/decided-rows.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { connection, queuedOrder } from "../../../../test/kit/rail-rows.ts";
import { ledgerAccounts } from "../../../ledger/chart.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import { rateSources } from "../../prices/rate-sources/rate-source.ts";
import { type RailConnection, railConnections } from "../connections/rail-connection.ts";
import { railMarks } from "../marks/rail-mark.ts";
import {
  type Mark,
  type MarkOutcome,
  markRailPayments,
  refuseMarks,
} from "./mark-rail-payments.ts";
import {
  type RailPayment,
  type RailPaymentState,
  type Recall,
  railPayments,
} from "./rail-payment.ts";

const { id: PAYMENT } = queuedOrder;
const OTHER = "018f0000-0000-7000-8000-0000000000fa";

function inputOf(outcome: MarkOutcome, more: Partial<Mark> = {}) {
  const mark: Mark = {
    ...{ paymentId: PAYMENT, outcome, reference: undefined, valueDate: undefined },
    ...{ code: undefined, text: undefined, ...more },
  };
  const fieldOf = (index: number, name: string) => `marks[${index}].${name}`;
  return { marks: [mark], fieldOf };
}

describe("an order in a state", () => {
  const outcomes = ["SENT", "SETTLED", "DECLINED", "RETURNED"] as const;
  const all = "SENT SETTLED DECLINED RETURNED";

  /** The code and the field of the refusal of this mark. */
  function refused(order: Partial<RailPayment>, input: ReturnType<typeof inputOf>) {
    const command = markRailPayments;
    const tables = [rowsOf(railPayments, { ...queuedOrder, ...order })];
    const world = worldFor({ command, input, platformId: PLATFORM, tables });
    const refusal = refusalOf(world, () => refuseMarks(world, input));
    return refusal && [refusal.code, refusal.details?.field];
  }

  it.each<readonly [RailPaymentState, string]>([
    ["HELD", ""],
    ["QUEUED", all],
    ["SENDING", all],
    ["UNKNOWN", all],
    ["SENT", all],
    ["ACCEPTED", "SETTLED DECLINED RETURNED"],
    ["SETTLED", "SETTLED RETURNED"],
    ["RETURNED", "RETURNED"],
    ["DECLINED", "DECLINED"],
    ["CANCELLED", ""],
  ])("%s takes the marks: %s", (state, taken) => {
    const answers = outcomes.map((outcome) => [outcome, refused({ state }, inputOf(outcome))]);
    const refusal = ["CONFLICT", "marks[0].outcome"];
    expect(
      answers
        .filter(([, answer]) => answer === undefined)
        .map(([name]) => name)
        .join(" "),
    ).toBe(taken);
    for (const [, answer] of answers) expect([undefined, refusal]).toContainEqual(answer);
  });

  it.each<readonly [Recall["state"] | "none", readonly string[] | undefined]>([
    ["none", ["CONFLICT", "marks[0].outcome"]],
    ["REFUSED", ["CONFLICT", "marks[0].outcome"]],
    ["DONE", ["CONFLICT", "marks[0].outcome"]],
    ["REQUESTED", undefined],
  ])("with the recall %s takes the refusal of the recall, or not", (state, expected) => {
    const recall = state === "none" ? null : ({ state, reason: "OTHER", at: "" } as const);
    expect(refused({ state: "SENT", recall }, inputOf("RECALL_REFUSED"))).toEqual(expected);
  });

  it("is named by its id", () => {
    const unknown = inputOf("SENT", { paymentId: OTHER });
    expect(refused({}, unknown)).toEqual(["REFERENCE_NOT_FOUND", "marks[0].paymentId"]);
  });
});

describe("a mark", () => {
  interface Scene {
    readonly kind?: OrderKind;
    readonly order?: Partial<RailPayment>;
    readonly hasRates?: boolean;
    readonly isFull?: boolean;
  }

  function marked(outcome: MarkOutcome, scene: Scene & { readonly code?: string }) {
    const { kind = "a transfer", order = {}, hasRates = true, isFull = false, code } = scene;
    const mark = inputOf(outcome, { code });
    const isSettled = order.state === "SETTLED";
    const rows = new DecidedRows(PLATFORM, [
      ...rowsOfOrder(kind, { isSettled }).map(isFull ? filled : (tables) => tables),
      rowsOf(railConnections, { ...connection, kind: "MANUAL", currencies: ["USD", "EUR"] }),
      rowsOf(railPayments, { ...orderOf(kind, isSettled), ...order }),
      ...(hasRates ? [] : [rowsOf(rateSources)]),
    ]);

    const before = balancesIn(rows);
    const actor = { kind: "token", id: "t" } as const;
    const output = rows.run(markRailPayments, mark, { actor, at: DECIDED_AT });
    expect(output).toMatchObject({ kind: "done" });
    const [after] = rows.all(railPayments);
    return {
      state: after?.state,
      isConflict: after?.isConflict,
      whys: after?.history.map(({ why }) => why),
      movesMoney: balancesIn(rows) !== before,
    };
  }

  const filled = ([table, rows]: TableRows): TableRows => [
    table,
    rows.map((row) =>
      "kind" in row && row.kind === "internal" ? { ...row, balanceMinor: MAX_AMOUNT_MINOR } : row,
    ),
  ];

  const balancesIn = (rows: DecidedRows) =>
    rows
      .all(ledgerAccounts)
      .map(({ balanceMinor, heldMinor }) => `${balanceMinor} ${heldMinor}`)
      .join();

  const conflict = { isConflict: true } as const;

  it("of the order's own state says that the state stands, and ends a conflict", () => {
    expect(marked("SETTLED", { order: { state: "SETTLED", ...conflict } })).toEqual({
      ...{ state: "SETTLED", isConflict: false, movesMoney: false },
      whys: ["a person decided: SETTLED"],
    });
  });

  it("of the order's own state changes nothing without a conflict", () => {
    expect(marked("SETTLED", { order: { state: "SETTLED" } })).toEqual({
      ...{ state: "SETTLED", isConflict: false, movesMoney: false, whys: [] },
    });
  });

  it("of another state moves the money, and ends a conflict where there is one", () => {
    const settled = { state: "SETTLED", isConflict: false, movesMoney: true };
    const why = "a person decided: SETTLED";
    expect(marked("SETTLED", { order: conflict })).toEqual({
      ...settled,
      whys: ["settled", why],
    });
    expect(marked("SETTLED", {})).toEqual({ ...settled, whys: ["settled"] });
  });

  it("that leads to a new conflict does not end it", () => {
    const scene = { kind: "a quote", order: { state: "SETTLED", ...conflict } } as const;
    const priced = marked("RETURNED", scene);
    expect(priced).toMatchObject({ state: "RETURNED", isConflict: false, movesMoney: true });
    expect(marked("RETURNED", { ...scene, hasRates: false })).toEqual({
      ...{ state: "SETTLED", isConflict: true, movesMoney: false },
      whys: ["conflict: the rail reports returned"],
    });
  });

  it.each([false, true])(
    "of money that has no room in its account is a conflict; there was one: %s",
    (isConflict) => {
      const scene = { kind: "a collection", order: { isConflict }, isFull: true } as const;
      expect(marked("SETTLED", scene)).toEqual({
        ...{ state: "SETTLED", isConflict: true, movesMoney: false },
        whys: ["settled", "conflict: the rail reports settled"],
      });
    },
  );

  it("of a decline as a duplicate leaves the conflict that there is", () => {
    expect(marked("DECLINED", { order: conflict, code: "AM05" })).toEqual({
      ...{ state: "ACCEPTED", isConflict: true, movesMoney: false, whys: [] },
    });
  });
});

describe("marks at connections of which one needs a second token", () => {
  const guarded: RailConnection = {
    ...{ ...connection, kind: "MANUAL" },
    control: { ...connection.control, approval: "FOUR_EYES" },
  };
  const there = { id: OTHER, connectionId: OTHER };

  function asked(paymentIds: readonly string[]) {
    const input = {
      ...inputOf("SENT"),
      marks: paymentIds.flatMap((paymentId) => inputOf("SENT", { paymentId }).marks),
    };
    const tables = [
      rowsOf(railConnections, guarded, { ...guarded, id: OTHER, control: connection.control }),
      rowsOf(railPayments, queuedOrder, { ...queuedOrder, ...there }),
    ];
    const command = markRailPayments;
    const actor = { kind: "token", id: "t" } as const;
    const { refusal, output, world } = decided({
      command,
      input,
      platformId: PLATFORM,
      tables,
      actor,
    });
    return { refusal, kind: output?.kind, marks: written(world, railMarks) };
  }

  it("wait for it, and leave their orders as they are", () => {
    const { kind, marks } = asked([PAYMENT]);
    expect(kind).toBe("waiting");
    expect(marks).toMatchObject([
      { kind: "MARK", state: "WAITING", connectionId: connection.id, requestedBy: "token t" },
    ]);
  });

  it("are refused together, because each connection's wait apart", () => {
    const { refusal, marks } = asked([OTHER, PAYMENT]);
    expect([named(refusal, "field"), marks]).toEqual(["INVALID_INPUT marks", []]);
  });
});

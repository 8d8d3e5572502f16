import type { Command, Loaded, World } from "../../../engine/command.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { type Asked, askForMark, needsSecondToken } from "../marks/rail-mark.ts";
import { putPayment, type RailPayment, railPayments, withState } from "./rail-payment.ts";
import { type RailReport, type ReportStatus, WAYS_OUT } from "./rail-report.ts";
import { reportNeeds, takeReport } from "./take-report.ts";

const reportedOutcomes = ["SENT", "SETTLED", "DECLINED", "RETURNED"] as const;
/** RECALL_REFUSED: the bank refuses to return the payment, which keeps its state. */
export const markOutcomes = [...reportedOutcomes, "RECALL_REFUSED"] as const;
export type MarkOutcome = (typeof markOutcomes)[number];

/** The most marks in one call. */
export const MOST_MARKS = 500;

export interface Mark {
  readonly paymentId: string;
  readonly outcome: MarkOutcome;
  readonly reference: string | undefined;
  /** `YYYY-MM-DD` */
  readonly valueDate: string | undefined;
  readonly code: string | undefined;
  readonly text: string | undefined;
  /** Kept in the history of the order. */
  readonly note?: string | undefined;
}

export interface MarkRailPaymentsInput {
  readonly marks: readonly Mark[];
  /** The name of a mark's field in the request. */
  readonly fieldOf: (index: number, name: string) => string;
}

/** The marks of a call as a waiting mark stores them. */
export type MarkRequest = {
  readonly marks: readonly { readonly [name: string]: string }[];
};

/**
 * Records what a person knows of payments, all or none; at a connection with FOUR_EYES it waits for another token. A mark adds what no
 * report has said, and never contradicts one; for a payment in conflict, a mark of its current state confirms that state. Refuses, for the
 * first mark at fault, in this order: an unknown payment, an outcome that contradicts what was recorded, the refusal of a recall that is
 * not asked for; then marks at several connections of which one has FOUR_EYES.
 */
export const markRailPayments: Command<MarkRailPaymentsInput, Asked<readonly RailPayment[]>> = {
  name: "mark-rail-payments",
  isLarge: true,
  needs: markNeeds,
  decide(world, input) {
    const connectionIds = refuseMarks(world, input);
    const guarded = connectionIds.find((id) => needsSecondToken(world, id));
    if (guarded === undefined) return { kind: "done", done: markPayments(world, input) };
    if (connectionIds.length > 1) {
      const message =
        "name orders of several connections, of which one needs a second token; mark those of each connection in a call";
      throw invalidField("marks", message);
    }
    const request = requestOf(input);
    const mark = askForMark(world, { connectionId: guarded, kind: "MARK", request });
    return { kind: "waiting", mark };
  },
};

function markNeeds(world: Loaded, { marks }: MarkRailPaymentsInput): readonly AnyRef[] {
  return marks.flatMap(({ paymentId }) => {
    const connectionId = world.find(railPayments.ref(paymentId))?.connectionId;
    const refs = reportNeeds(world, paymentId);
    return connectionId === undefined ? refs : [...refs, railConnections.ref(connectionId)];
  });
}

/** Checks the marks and returns the connections of their orders. */
export function refuseMarks(
  world: Loaded,
  { marks, fieldOf }: MarkRailPaymentsInput,
): readonly string[] {
  const connectionIds = new Set<string>();
  for (const [index, mark] of marks.entries()) {
    const payment = world.find(railPayments.ref(mark.paymentId));
    const field = fieldOf(index, "paymentId");
    if (payment === undefined) {
      throw new Refusal("REFERENCE_NOT_FOUND", { field }, `${field}: names no rail payment`);
    }
    refuseContradiction(payment, mark, fieldOf(index, "outcome"));
    connectionIds.add(payment.connectionId);
  }
  return [...connectionIds];
}

/** Applies marks that passed the checks. */
export function markPayments(
  world: World,
  { marks }: Pick<MarkRailPaymentsInput, "marks">,
): readonly RailPayment[] {
  return marks.map((mark) => take(world, mark));
}

export function requestOf({ marks }: Pick<MarkRailPaymentsInput, "marks">): MarkRequest {
  const texts = (mark: Mark) =>
    Object.entries(mark).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { marks: marks.map((mark) => Object.fromEntries(texts(mark))) };
}

export function markInputIn({ marks }: MarkRequest): MarkRailPaymentsInput {
  return {
    marks: marks as unknown as readonly Mark[],
    fieldOf: (index, name) => `marks[${index}].${name}`,
  };
}

const STATUS: Readonly<Record<(typeof reportedOutcomes)[number], ReportStatus>> = {
  SENT: "sent",
  SETTLED: "settled",
  DECLINED: "declined",
  RETURNED: "returned",
};

function refuseContradiction(payment: RailPayment, { outcome }: Mark, field: string): void {
  const { state, recall } = payment;
  if (outcome === "RECALL_REFUSED") {
    if (recall?.state === "REQUESTED") return;
    const words =
      recall === null ? "is not being recalled" : `has a recall that is ${recall.state}`;
    throw new Refusal("CONFLICT", { field }, `${field}: the rail payment ${words}.`);
  }
  const isStated = WAYS_OUT[state][STATUS[outcome]] === "same" && state !== outcome;
  const isContradiction = WAYS_OUT[state][STATUS[outcome]] === "conflict" || isStated;
  if (!isContradiction) return;
  throw new Refusal(
    "CONFLICT",
    { field, status: state },
    `${field}: the rail payment is ${state}; a mark ${outcome} contradicts that.`,
  );
}

function take(world: World, mark: Mark): RailPayment {
  const payment = world.get(railPayments.ref(mark.paymentId));
  if (mark.outcome === "RECALL_REFUSED") return endRecall(world, payment, mark);
  const report: RailReport = {
    status: STATUS[mark.outcome],
    scheme: "MANUAL",
    code: mark.code,
    text: mark.text,
    reference: mark.reference,
    settledOn: mark.valueDate,
    amountMinor: undefined,
    note: mark.note,
  };
  const marked = takeReport(world, payment, { report, source: "MARK" });
  const wasDecided = payment.isConflict && (marked !== payment || marked.state === mark.outcome);
  if (!wasDecided || marked.isConflict === false) return marked;
  // A mark that caused a new conflict does not clear it: the order did not move, or its transaction could not follow.
  const hasMoved = marked.state !== payment.state && marked.movesNothing === payment.movesNothing;
  if (marked !== payment && !hasMoved) return marked;
  const why = `a person decided: ${mark.outcome}`;
  return putPayment(world, {
    ...withState(world, marked, { state: marked.state, why }),
    isConflict: false,
  });
}

/** Records that the bank refused the recall. The order keeps its state. */
function endRecall(world: World, payment: RailPayment, { code, note }: Mark): RailPayment {
  const recall = present(payment.recall, "the recall that a mark refuses");
  const why = code === undefined ? "the recall is refused" : `the recall is refused (${code})`;
  return putPayment(world, {
    ...withState(world, payment, { state: payment.state, why, note }),
    recall: { ...recall, state: "REFUSED" },
  });
}

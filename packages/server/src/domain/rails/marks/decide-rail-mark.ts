import type { Command, Loaded, World } from "../../../engine/command.ts";
import { wrongState } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { asserterOf } from "../../payments/quotes/parties/quote-maker.ts";
import {
  type BalanceRequest,
  balanceNeeds,
  type CreateRailBalanceInput,
  refuseBalance,
  toldOf,
} from "../books/create-rail-balance.ts";
import { recordStatement } from "../books/rail-statement.ts";
import { railConnections } from "../connections/rail-connection.ts";
import {
  createRailEntry,
  type EntryRequest,
  enterLine,
  entryInputIn,
  refuseEntry,
} from "../entries/create-rail-entry.ts";
import { toRailEntryId } from "../entries/rail-entry.ts";
import { refuseOwnQuotes } from "../entries/resolution-parts.ts";
import {
  type ResolutionRequest,
  refuseResolution,
  resolutionInputIn,
  resolveItem,
  resolveRailItem,
} from "../entries/resolve-rail-item.ts";
import {
  type MarkRequest,
  markInputIn,
  markPayments,
  markRailPayments,
  refuseMarks,
} from "../orders/mark-rail-payments.ts";
import { scheduleSending } from "../orders/new-rail-payment.ts";
import { putPayment, railPayments, withState } from "../orders/rail-payment.ts";
import { CANCELLED_REPORT } from "../orders/rail-report.ts";
import { reportNeeds, takeReport } from "../orders/take-report.ts";
import {
  type CollectionRequest,
  collect,
  collectReceivable,
  refuseCollection,
} from "../returns/collect-receivable.ts";
import {
  refuseWriteOff,
  type WriteOffRequest,
  writeOff,
  writeReceivableOff,
} from "../returns/write-receivable-off.ts";
import {
  type AdjustmentRequest,
  adjustFxPositions,
  adjustmentInputIn,
  postAdjustment,
  refuseAdjustment,
} from "./adjust-fx-positions.ts";
import { endMark, type RailMark, railMarks, requireDecidable } from "./rail-mark.ts";

/** The release of a HELD order; `paymentId` is the uuid of the row and not the wire id. */
export type ReleaseRequest = { readonly paymentId: string };

export interface ConfirmRailMarkInput {
  readonly markId: string;
  /** For a balance: the sum of the entries up to its day, read just before. */
  readonly covered?: Covered | undefined;
}

type Covered = Pick<CreateRailBalanceInput, "coveredMinor" | "toldCount">;

const NONE_COVERED: Covered = { coveredMinor: 0n, toldCount: 0n };

function markNeeds(world: Loaded, markId: string): readonly AnyRef[] {
  const mark = world.find(railMarks.ref(markId));
  if (mark === undefined) return [railMarks.ref(markId)];
  const refs = [railMarks.ref(markId), railConnections.ref(mark.connectionId)];
  return [...refs, ...needsOf(world, mark)];
}

function needsOf(world: Loaded, { kind, request }: RailMark): readonly AnyRef[] {
  switch (kind) {
    case "MARK":
      return markRailPayments.needs(world, markInputIn(request as MarkRequest));
    case "RESOLUTION":
      return resolveRailItem.needs(world, resolutionInputIn(request as ResolutionRequest));
    case "ENTRY":
      return createRailEntry.needs(world, entryInputIn(request as EntryRequest));
    case "ADJUSTMENT":
      return adjustFxPositions.needs(world, adjustmentInputIn(request as AdjustmentRequest));
    case "RELEASE":
      return reportNeeds(world, (request as ReleaseRequest).paymentId);
    case "WRITE_OFF":
      return writeReceivableOff.needs(world, request as WriteOffRequest);
    case "COLLECTION":
      return collectReceivable.needs(world, request as CollectionRequest);
    case "BALANCE":
      return balanceNeeds(world, balanceInputIn(request as BalanceRequest, NONE_COVERED));
  }
}

/**
 * Confirms an act that another token requested, and performs it. Refuses, in this order: an unknown mark, one that was decided or is older
 * than 72 hours, the token that asked, and whatever the act refuses now, which leaves the mark waiting.
 */
export const confirmRailMark: Command<ConfirmRailMarkInput, RailMark> = {
  name: "confirm-rail-mark",
  isLarge: true,
  needs: (world, { markId }) => markNeeds(world, markId),
  decide(world, { markId, covered = NONE_COVERED }) {
    const mark = requireDecidable(world, markId, "confirmed");
    const result = act(world, mark, covered);
    const confirmed = { state: "CONFIRMED" } as const;
    return endMark(world, mark, result === undefined ? confirmed : { ...confirmed, result });
  },
};

/** Checks the act again, and performs it. */
function act(world: World, mark: RailMark, covered: Covered): JsonObject | undefined {
  const { kind, request, requestedBy, requesterPeople } = mark;
  switch (kind) {
    case "MARK": {
      const input = markInputIn(request as MarkRequest);
      refuseMarks(world, input);
      markPayments(world, input);
      return undefined;
    }
    case "RESOLUTION": {
      const input = resolutionInputIn(request as ResolutionRequest);
      const item = refuseResolution(world, input);
      refuseOwnQuotes(world, input.parts);
      resolveItem(world, item, input);
      return undefined;
    }
    case "ENTRY": {
      const input = entryInputIn(request as EntryRequest);
      refuseEntry(world, input);
      const typedBy = [{ by: requestedBy, people: requesterPeople }, asserterOf(world)];
      return { entryId: toRailEntryId(enterLine(world, input, typedBy).id) };
    }
    case "ADJUSTMENT": {
      const input = adjustmentInputIn(request as AdjustmentRequest);
      refuseAdjustment(world, input);
      postAdjustment(world, input);
      return undefined;
    }
    case "RELEASE":
      release(world, (request as ReleaseRequest).paymentId);
      return undefined;
    case "WRITE_OFF": {
      const input = request as WriteOffRequest;
      writeOff(world, refuseWriteOff(world, input), input);
      return undefined;
    }
    case "COLLECTION":
      collect(world, refuseCollection(world, (request as CollectionRequest).receivableId));
      return undefined;
    case "BALANCE": {
      const input = balanceInputIn(request as BalanceRequest, covered);
      refuseBalance(world, input);
      recordStatement(world, input, toldOf(input));
      return undefined;
    }
  }
}

function balanceInputIn(
  { booked, ...balance }: BalanceRequest,
  covered: Covered,
): CreateRailBalanceInput {
  return { ...balance, closingMinor: BigInt(booked), ...covered };
}

function release(world: World, paymentId: string): void {
  const payment = world.get(railPayments.ref(paymentId));
  const { state, transactionId } = payment;
  if (state !== "HELD") {
    const object = "rail payment";
    throw wrongState({ object, status: state, needed: "HELD", action: "released" });
  }
  const connection = present(
    world.find(railConnections.ref(payment.connectionId)),
    "the connection of an order",
  );
  putPayment(world, {
    ...withState(world, payment, { state: "QUEUED", why: "another token has confirmed it" }),
    jobId: scheduleSending(world, { paymentId, transactionId, connection }),
  });
}

export interface RefuseRailMarkInput {
  readonly markId: string;
  readonly note: string;
}

/**
 * Refuses an act that another token requested; an order that is HELD is cancelled. Refuses, in this order: an unknown mark, one that was
 * decided or is older than 72 hours, the token that asked.
 */
export const refuseRailMark: Command<RefuseRailMarkInput, RailMark> = {
  name: "refuse-rail-mark",
  needs: (world, { markId }) => markNeeds(world, markId),
  decide(world, { markId, note }) {
    const mark = requireDecidable(world, markId, "refused");
    cancelHeld(world, mark);
    return endMark(world, mark, { state: "REFUSED", note });
  },
};

export interface ExpireRailMarkInput {
  readonly markId: string;
  readonly jobId: string;
}

/** Ends a mark that was not decided in time. Answers false, and keeps the job, if it runs early because the host's clock was set back. */
export const expireRailMark: Command<ExpireRailMarkInput, boolean> = {
  name: "expire-rail-mark",
  needs: (world, { markId }) => markNeeds(world, markId),
  decide(world, { markId, jobId }) {
    const mark = world.get(railMarks.ref(markId));
    if (mark.state === "WAITING" && world.at < mark.expiresAt) return false;
    world.cancel(jobId);
    if (mark.state !== "WAITING") return true;
    cancelHeld(world, mark);
    endMark(world, mark, { state: "EXPIRED" });
    return true;
  },
};

/** The money of an order that is not released goes back to its account. */
function cancelHeld(world: World, { kind, request }: RailMark): void {
  if (kind !== "RELEASE") return;
  const payment = world.get(railPayments.ref((request as ReleaseRequest).paymentId));
  if (payment.state !== "HELD") return;
  takeReport(world, payment, { report: CANCELLED_REPORT, source: "MARK" });
}

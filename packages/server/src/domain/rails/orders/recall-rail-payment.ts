import type { Command, Loaded } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import { toIso } from "../../../std/clock.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { type ExchangeOutcome, noteExchange } from "../connections/exchange-health.ts";
import { isSentByJobs, railConnections } from "../connections/rail-connection.ts";
import { takeToldReport, toldReportNeeds } from "../entries/reported-return.ts";
import { railRoutings } from "../routes/routing.ts";
import {
  isOpen,
  isUnsent,
  putPayment,
  type RailPayment,
  railPayments,
  requirePayment,
} from "./rail-payment.ts";
import { CANCELLED_REPORT, type RailReport } from "./rail-report.ts";
import { reportNeeds, takeReport } from "./take-report.ts";

export const recallReasons = [
  "DUPLICATE",
  "WRONG_AMOUNT",
  "WRONG_ACCOUNT",
  "FRAUD",
  "OTHER",
] as const;
export type RecallReason = (typeof recallReasons)[number];

export interface RecallRailPaymentInput {
  readonly paymentId: string;
  readonly reason: RecallReason;
  readonly note: string | undefined;
}

/**
 * Calls a payment back. One that is queued or held is cancelled and its money is given back at once. For one that was sent, the rail is
 * asked: that guarantees nothing, and the payment keeps its state until the rail reports. A connector without the feature `cancel` is not
 * asked: the recall is REFUSED at once. Refuses, in this order: an unknown payment, one that is over, one that is being recalled.
 */
export const recallRailPayment: Command<RecallRailPaymentInput, RailPayment> = {
  name: "recall-rail-payment",
  needs: (world, { paymentId }) => [
    ...reportNeeds(world, paymentId),
    ...connectionOf(world, paymentId),
    railRoutings.ref(world.platformId),
  ],
  decide(world, { paymentId, reason, note }) {
    const payment = requirePayment(world, paymentId);
    const { state, recall } = payment;
    if (!isOpen(payment)) {
      const object = "rail payment";
      throw wrongState({ object, status: state, needed: "QUEUED or sent", action: "recalled" });
    }
    if (recall?.state === "REQUESTED") {
      throw new Refusal("CONFLICT", { recall: recall.state }, "The payment is being recalled.");
    }
    const asked = { reason, ...(note === undefined ? {} : { note }), at: toIso(world.at) };
    if (isUnsent(payment)) {
      const recalled: RailPayment = { ...payment, recall: { state: "DONE", ...asked } };
      return takeReport(world, recalled, { report: CANCELLED_REPORT, source: "MARK" });
    }
    const connection = world.get(railConnections.ref(payment.connectionId));
    if (connection.features?.cancel === false) {
      return putPayment(world, { ...payment, recall: { state: "REFUSED", ...asked } });
    }
    if (isSentByJobs(connection)) {
      scheduleJob(world, {
        kind: "cancel-rail-payment",
        payload: { paymentId },
        dueAt: world.at,
      });
    }
    return putPayment(world, { ...payment, recall: { state: "REQUESTED", ...asked } });
  },
};

function connectionOf(world: Loaded, paymentId: string): readonly AnyRef[] {
  const payment = world.find(railPayments.ref(paymentId));
  return payment === undefined ? [] : [railConnections.ref(payment.connectionId)];
}

export interface RecallAnswerInput {
  readonly paymentId: string;
  readonly connectionId: string;
  readonly jobId: string;
  /** Undefined when the connector was not asked: the payment is over. */
  readonly outcome: ExchangeOutcome | undefined;
  readonly report: RailReport | undefined;
  /** Whether the connector has no call to cancel an order. */
  readonly isRefused: boolean;
}

/**
 * Records a connector's answer to a recall: `unknown` decides nothing, and every other report except `cancelled` and `declined` refuses the
 * recall. Answers whether the recall is over.
 */
export const recordRecallAnswer: Command<RecallAnswerInput, boolean> = {
  name: "record-recall-answer",
  needs: (world, { paymentId, connectionId, report }) => [
    ...toldReportNeeds(world, { paymentId, connectionId, report }),
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
  ],
  decide(world, { paymentId, connectionId, jobId, outcome, report, isRefused }) {
    if (outcome !== undefined) {
      noteExchange(world, world.get(railConnections.ref(connectionId)), outcome);
    }
    const payment = world.get(railPayments.ref(paymentId));
    const told =
      report === undefined
        ? payment
        : takeToldReport(world, payment, { report, source: "CONNECTOR" });
    const isAnswered = isRefused || (report !== undefined && report.status !== "unknown");
    const isOver = !isOpen(told) || isAnswered;
    if (!isOver) return false;
    world.cancel(jobId);
    const isCancelled = told.state === "DECLINED" || told.state === "CANCELLED";
    const { recall } = told;
    if (recall?.state === "REQUESTED") {
      putPayment(world, {
        ...told,
        recall: { ...recall, state: isCancelled ? "DONE" : "REFUSED" },
      });
    }
    return true;
  },
};

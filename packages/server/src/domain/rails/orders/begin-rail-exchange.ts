import type { Command } from "../../../engine/command.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { asSent } from "./new-rail-payment.ts";
import { putPayment, type RailPayment, railPayments } from "./rail-payment.ts";

export interface BeginRailExchangeInput {
  readonly paymentId: string;
  readonly connectionId: string;
  readonly jobId: string;
  /** Where the order would be sent to. */
  readonly baseUrl: string | undefined;
  /** The connector there has answered that it has never received the order. */
  readonly isLost: boolean;
}

/**
 * `stop`: the payment waits until its connection is active, or another job has taken it. `moved`: the connector's address has changed.
 */
export type Begun = "send" | "inquire" | "stop" | "moved";

/** Decided in a commit, because a person may have marked the order while the connector was asked. */
function mayBeSentAgain(
  { state, sentTo }: RailPayment,
  { isLost, baseUrl }: BeginRailExchangeInput,
): boolean {
  const isAwaited = state === "SENDING" || state === "UNKNOWN";
  return isLost && isAwaited && (sentTo === null || sentTo === baseUrl);
}

/**
 * Records that an order may have left, before its first byte leaves. From then on the connector is only asked about it; it is sent again,
 * under the same id, only if the connector has never received it.
 */
export const beginRailExchange: Command<BeginRailExchangeInput, Begun> = {
  name: "begin-rail-exchange",
  needs: (_world, { paymentId, connectionId }) => [
    railPayments.ref(paymentId),
    railConnections.ref(connectionId),
  ],
  decide(world, input) {
    const { paymentId, connectionId, jobId, baseUrl } = input;
    const payment = world.get(railPayments.ref(paymentId));
    if (payment.jobId !== jobId || payment.connectionId !== connectionId) return "stop";
    if (payment.state !== "QUEUED") return mayBeSentAgain(payment, input) ? "send" : "inquire";
    const connection = world.get(railConnections.ref(connectionId));
    const isLapsed = payment.invoice !== null && world.at >= payment.invoice.lapsesAt;
    // The job of the lapsed invoice cancels the order.
    if (connection.status !== "ACTIVE" || isLapsed) {
      world.cancel(jobId);
      putPayment(world, { ...payment, jobId: null });
      return "stop";
    }
    // `sentTo` must name the connector that receives the order: an order that it has lost may only be sent to it again.
    if (connection.settings.baseUrl !== baseUrl) return "moved";
    putPayment(world, asSent(world, payment, baseUrl));
    return "send";
  },
};

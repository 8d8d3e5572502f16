import type { Command } from "../../engine/command.ts";
import { railConnections } from "../rail-connections/rail-connection.ts";
import { ORDER_SENT, putPayment, railPayments, withState } from "./rail-payment.ts";

export interface BeginRailExchangeInput {
  readonly paymentId: string;
  readonly connectionId: string;
  readonly jobId: string;
}

/** `stop`: the payment waits until its connection goes on, or was taken elsewhere. */
export type Begun = "send" | "inquire" | "stop";

/**
 * Says that an order may have left, before its first byte leaves. From then on it is only asked about, or sent again under its own id
 * when the connector has never received it.
 */
export const beginRailExchange: Command<BeginRailExchangeInput, Begun> = {
  name: "begin-rail-exchange",
  needs: (_world, { paymentId, connectionId }) => [
    railPayments.ref(paymentId),
    railConnections.ref(connectionId),
  ],
  decide(world, { paymentId, connectionId, jobId }) {
    const payment = world.get(railPayments.ref(paymentId));
    if (payment.jobId !== jobId || payment.connectionId !== connectionId) return "stop";
    if (payment.state !== "QUEUED") return "inquire";
    const connection = world.get(railConnections.ref(connectionId));
    if (connection.status !== "ACTIVE") {
      world.cancel(jobId);
      putPayment(world, { ...payment, jobId: null });
      return "stop";
    }
    putPayment(world, {
      ...withState(world, payment, { state: "SENDING", why: ORDER_SENT }),
      sentAt: world.at,
      sentTo: connection.settings.baseUrl ?? null,
    });
    return "send";
  },
};

/** Who asked for an order, and so does not release it once it is moved to a connection with a lower ceiling. */
import { describe, expect, it } from "vitest";
import { rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { queuedOrder } from "../../../../test/kit/rail-rows.ts";
import { askerOf, type HistoryLine, railPayments } from "./rail-payment.ts";
import { rerouteRailPayment } from "./reroute-rail-payment.ts";

const line = (by: string): HistoryLine => ({ state: "QUEUED", at: "", by, why: "accepted" });
const MOVER = { kind: "token", id: "mover", people: ["moving"] } as const;

describe("the asker of an order that another caller moves", () => {
  it.each([
    [
      "the caller, with the people behind it",
      { history: [line("token t"), line("token other")], people: ["one", "two"] },
      { by: "token t", people: ["one", "two"] },
    ],
    [
      "the caller of an order from before people were stored",
      { history: [line("token t")], people: null },
      { by: "token t", people: [] },
    ],
    [
      "the mover, where a job made the order and no caller asked for it",
      { history: [line("worker forward-uma-payment")], people: null },
      { by: "token mover", people: ["moving"] },
    ],
    [
      "the mover, where the order has no history",
      { history: [], people: null },
      { by: "token mover", people: ["moving"] },
    ],
  ])("is %s", (_who, change, asker) => {
    const order = { ...queuedOrder, ...change };
    const world = worldFor({
      command: rerouteRailPayment,
      input: { paymentId: order.id, connectionId: undefined },
      platformId: PLATFORM,
      tables: [rowsOf(railPayments, order)],
    });
    expect(world.onBehalfOf(MOVER, () => askerOf(world, order))).toEqual(asker);
  });
});

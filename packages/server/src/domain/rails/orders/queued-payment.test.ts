/** What the jobs of a queued payment do, in whatever state they find it and its connection. */
import { describe, expect, it } from "vitest";
import { rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { connection, queuedOrder as queued } from "../../../../test/kit/rail-rows.ts";
import { present } from "../../../std/assert.ts";
import { type RailConnection, railConnections } from "../connections/rail-connection.ts";
import { type ConnectionEntry, type RouteEntry, railRoutings } from "../routes/routing.ts";
import { beginRailExchange } from "./begin-rail-exchange.ts";
import { startOf } from "./new-rail-payment.ts";
import { type RailPayment, railPayments } from "./rail-payment.ts";
import { fallBackRailPayment } from "./reroute-rail-payment.ts";

const SECOND = "018f0000-0000-7000-8000-0000000000d3";
const ROUTE = "018f0000-0000-7000-8000-0000000000d4";
const FALLBACK = "018f0000-0000-7000-8000-0000000000d6";
const ELSEWHERE = "https://elsewhere.example";
const ADDRESS = "https://bank.test";
const { id: PAYMENT, connectionId: FIRST } = queued;
const JOB = present(queued.jobId, "the job of a queued order");

describe("the job that sends a payment", () => {
  function begun(
    change: Partial<RailPayment>,
    status: RailConnection["status"] = "ACTIVE",
    { baseUrl = ADDRESS, isLost = false } = {},
  ) {
    const input = { paymentId: PAYMENT, connectionId: FIRST, jobId: JOB, baseUrl, isLost };
    const tables = [
      rowsOf(railPayments, { ...queued, ...change }),
      rowsOf(railConnections, { ...connection, status }),
    ];
    const world = worldFor({ command: beginRailExchange, input, platformId: PLATFORM, tables });
    const step = beginRailExchange.decide(world, input);
    const { state, jobId, sentTo } = world.get(railPayments.ref(PAYMENT));
    return { step, state, jobId, sentTo, cancelled: world.cancelledJobs };
  }

  it("says that the order may have left, and where it goes, before it does", () => {
    expect(begun({})).toEqual({
      step: "send",
      state: "SENDING",
      jobId: JOB,
      sentTo: ADDRESS,
      cancelled: [],
    });
  });

  it("asks about an order that may have left", () => {
    expect(begun({ state: "SENDING" })).toMatchObject({ step: "inquire", cancelled: [] });
  });

  it("reads the connection again when the connector has another address by now", () => {
    expect(begun({}, "ACTIVE", { baseUrl: ELSEWHERE })).toEqual({
      step: "moved",
      state: "QUEUED",
      jobId: JOB,
      sentTo: null,
      cancelled: [],
    });
  });

  it.each([
    ["the order may have left", { state: "SENDING", sentTo: ADDRESS }, "send"],
    ["it is not known what became of it", { state: "UNKNOWN", sentTo: ADDRESS }, "send"],
    ["it went to another address", { state: "SENDING", sentTo: ELSEWHERE }, "inquire"],
    ["a person said meanwhile that it was declined", { state: "DECLINED" }, "inquire"],
    ["another report came meanwhile", { state: "ACCEPTED" }, "inquire"],
  ] as const)("of an order that its connector has never received, when %s", (_, change, step) => {
    expect(begun(change, "ACTIVE", { isLost: true }).step).toBe(step);
  });

  it.each(["PAUSED", "DEGRADED"] as const)("ends at a connection that is %s", (status) => {
    expect(begun({}, status)).toEqual({
      step: "stop",
      state: "QUEUED",
      jobId: null,
      sentTo: null,
      cancelled: [JOB],
    });
  });

  it.each([
    ["another job sends it", { jobId: FALLBACK }],
    ["it went to another connection", { connectionId: SECOND }],
  ])("does nothing when %s", (_when, change) => {
    expect(begun(change)).toMatchObject({ step: "stop", state: "QUEUED", cancelled: [] });
  });
});

describe("the job that gives a payment to the next candidate", () => {
  const route = (connectionId: string, priority: number): RouteEntry => ({
    id: ROUTE,
    priority,
    direction: "OUT",
    currency: "USD",
    accountTypes: null,
    paymentRails: null,
    min: null,
    max: null,
    connectionId,
    enabled: true,
    fallbackAfterSeconds: null,
  });

  function fallenBack(change: Partial<RailPayment>, status: RailConnection["status"]) {
    const input = { paymentId: PAYMENT, connectionId: FIRST, jobId: FALLBACK };
    const { id, kind, account, newPayments, capabilities, calendar } = connection;
    const payoutCeiling = null;
    const first: ConnectionEntry = {
      id,
      kind,
      account,
      newPayments,
      capabilities,
      status,
      payoutCeiling,
      calendar,
      holdDays: 0,
    };
    const tables = [
      rowsOf(railPayments, { ...queued, jobId: null, ...change }),
      rowsOf(railRoutings, {
        id: PLATFORM,
        routes: [route(FIRST, 1), route(SECOND, 2)],
        connections: [first, { ...first, id: SECOND, status: "ACTIVE" }],
      }),
    ];
    const world = worldFor({ command: fallBackRailPayment, input, platformId: PLATFORM, tables });
    const { connectionId } = fallBackRailPayment.decide(world, input);
    return { connectionId, cancelled: world.cancelledJobs, jobs: world.jobs.length };
  }

  it.each([
    [{}, "PAUSED", SECOND, 1],
    [{}, "DEGRADED", SECOND, 1],
    [{}, "ACTIVE", FIRST, 0],
    [{ state: "SENT" }, "PAUSED", FIRST, 0],
  ] as const)("finds %o at a connection that is %s, and ends", (change, status, at, jobs) => {
    expect(fallenBack(change, status)).toEqual({ connectionId: at, cancelled: [FALLBACK], jobs });
  });
});

describe("an order by which money leaves", () => {
  function start(
    direction: "OUT" | "PULL" | "BACK",
    amountMinor: bigint,
    more: { readonly payoutCeiling: string | null; readonly isTyped?: boolean },
  ) {
    const { payoutCeiling, isTyped = false } = more;
    const entry = { id: FIRST, kind: "MANUAL", status: "ACTIVE", payoutCeiling };
    const connection = entry as unknown as ConnectionEntry;
    const order = {
      paymentId: FIRST,
      transactionId: null,
      direction,
      amountMinor,
      connection,
      isTyped,
    };
    const command = { needs: () => [railConnections.ref(FIRST)] };
    const tables = [
      rowsOf(railConnections, { id: FIRST, updatedAt: 0 } as unknown as RailConnection),
    ];
    const world = worldFor({ command, input: undefined, platformId: PLATFORM, tables });
    return startOf(world, order).state;
  }

  it.each([
    ["OUT", 500n, "500", "QUEUED"],
    ["OUT", 501n, "500", "HELD"],
    ["BACK", 500n, "500", "QUEUED"],
    ["BACK", 501n, "500", "HELD"],
    ["BACK", 1n, "0", "HELD"],
    ["BACK", 501n, null, "QUEUED"],
    ["PULL", 501n, "500", "QUEUED"],
  ] as const)(
    "an order %s of %s under a ceiling of %s is %s",
    (direction, minor, ceiling, state) => {
      expect(start(direction, minor, { payoutCeiling: ceiling })).toBe(state);
    },
  );

  it("an order to an account that one token has typed in is HELD whatever its amount", () => {
    expect(start("BACK", 1n, { payoutCeiling: null, isTyped: true })).toBe("HELD");
  });
});

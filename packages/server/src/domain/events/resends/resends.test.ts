/** Every way of an order to send events again: how many run, how each part ends, and what the whole is then. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, named, written } from "../../../../test/kit/decided.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { cancelEventResend } from "./cancel-event-resend.ts";
import { endResendPart } from "./end-resend-part.ts";
import {
  type EventResend,
  eventResends,
  MOST_RUNNING_RESENDS,
  type PartState,
  type ResendPart,
  type ResendState,
  resendStates,
} from "./event-resend.ts";
import { recordEventResent, resendEvent } from "./resend-event.ts";
import { startEventResend } from "./start-event-resend.ts";

const idOf = (place: number) => `018f0000-0000-7000-8000-${String(place).padStart(12, "0")}`;
const ID = idOf(1);
const [E1, E2, E3] = [idOf(11), idOf(12), idOf(13)];

const part = (endpointId: string, state: PartState): ResendPart => ({
  endpointId,
  jobId: `job of ${endpointId}`,
  matched: 2,
  state,
});

const selection = { types: [], subject: null, after: "0", upTo: "9", isFailedOnly: false } as const;

const resend = (state: ResendState, ...parts: readonly ResendPart[]): EventResend => ({
  id: ID,
  state,
  filter: {},
  selection,
  parts,
  matched: 4n,
  createdAt: 1,
  updatedAt: 1,
  endedAt: state === "RUNNING" ? null : 7,
});

const setting = (...some: readonly EventResend[]) => ({
  platformId: PLATFORM,
  tables: [rowsOf(eventResends, ...some)],
});

describe("an order to send events again", () => {
  const start = (
    counts: readonly number[],
    { isDryRun = false, others = [] as readonly EventResend[] } = {},
  ) =>
    decided({
      command: startEventResend,
      input: {
        filter: { type: "X" },
        selection,
        endpoints: counts.map((matched, place) => ({ endpointId: idOf(11 + place), matched })),
        isDryRun,
      },
      ...setting(...others),
    });
  const running = (count: number, state: ResendState = "RUNNING") =>
    Array.from({ length: count }, (_, place) => ({ ...resend(state), id: idOf(200 + place) }));

  it.each<[number, ResendState, boolean, string]>([
    [MOST_RUNNING_RESENDS - 1, "RUNNING", false, "decided"],
    [MOST_RUNNING_RESENDS, "RUNNING", false, "CONFLICT"],
    [MOST_RUNNING_RESENDS, "RUNNING", true, "decided"],
    [MOST_RUNNING_RESENDS, "COMPLETED", false, "decided"],
    [MOST_RUNNING_RESENDS, "STOPPED", false, "decided"],
    [MOST_RUNNING_RESENDS, "CANCELLED", false, "decided"],
  ])("beside %i that are %s, as a dry run %s, is %s", (count, state, isDryRun, expected) => {
    expect(named(start([1], { isDryRun, others: running(count, state) }).refusal)).toBe(expected);
  });

  it("names those that run where there are too many", () => {
    const { refusal } = start([1], { others: running(MOST_RUNNING_RESENDS) });
    expect(refusal?.details).toEqual({
      most: MOST_RUNNING_RESENDS,
      resendIds: running(MOST_RUNNING_RESENDS).map(({ id }) => `EventResend:${id}`),
    });
  });

  it.each<[readonly number[], number, bigint]>([
    [[2, 3], 2, 5n],
    [[2, 0, 3], 2, 5n],
    [[0, 0], 0, 0n],
    [[], 0, 0n],
  ])("of %j events an endpoint has %i parts and %s deliveries", (counts, parts, matched) => {
    const { output, world } = start(counts);
    expect(output).toMatchObject({
      matched,
      state: parts === 0 ? "COMPLETED" : "RUNNING",
      endedAt: parts === 0 ? DECIDED_AT : null,
    });
    expect(output?.parts.map(({ state }) => state)).toEqual(Array(parts).fill("RUNNING"));
    expect(world.jobs.map(({ kind, id }) => [kind, id])).toEqual(
      output?.parts.map(({ jobId }) => ["resend-events", jobId]),
    );
  });

  it("that is a dry run says the same and leaves nothing", () => {
    const { output, world } = start([2, 0, 3], { isDryRun: true });
    expect(output).toMatchObject({ matched: 5n, state: "RUNNING" });
    expect(world.isEmpty).toBe(true);
  });
});

describe("the end of a part", () => {
  const end = (some: EventResend, state: Exclude<PartState, "RUNNING">, endpointId = E1) =>
    decided({
      command: endResendPart,
      input: { resendId: ID, endpointId, jobId: "job", state },
      ...setting(some),
    });

  it.each<[PartState, "COMPLETED" | "STOPPED", ResendState]>([
    ["RUNNING", "COMPLETED", "RUNNING"],
    ["RUNNING", "STOPPED", "RUNNING"],
    ["COMPLETED", "COMPLETED", "COMPLETED"],
    ["COMPLETED", "STOPPED", "STOPPED"],
    ["STOPPED", "COMPLETED", "STOPPED"],
    ["STOPPED", "STOPPED", "STOPPED"],
  ])("beside one that is %s, as %s, leaves the order %s", (other, state, expected) => {
    const { output, world } = end(resend("RUNNING", part(E1, "RUNNING"), part(E2, other)), state);
    expect(output).toMatchObject({
      state: expected,
      endedAt: expected === "RUNNING" ? null : DECIDED_AT,
    });
    expect(output?.parts.map((one) => one.state)).toEqual([state, other]);
    expect(world.cancelledJobs).toEqual(["job"]);
  });

  it.each(resendStates.filter((state) => state !== "RUNNING"))(
    "changes nothing of an order that is %s",
    (state) => {
      const before = resend(state, part(E1, "RUNNING"));
      const { output, world } = end(before, "COMPLETED");
      expect([output, written(world, eventResends), world.cancelledJobs]).toEqual([
        before,
        [],
        ["job"],
      ]);
    },
  );

  it("changes neither a part that has ended nor that of another endpoint", () => {
    const before = resend("RUNNING", part(E1, "STOPPED"), part(E2, "RUNNING"));
    expect(end(before, "COMPLETED").output?.parts).toEqual(before.parts);
    expect(end(before, "COMPLETED", E3).output?.parts).toEqual(before.parts);
  });
});

describe("the cancellation of an order", () => {
  const cancel = (...some: readonly EventResend[]) =>
    decided({ command: cancelEventResend, input: { resendId: ID }, ...setting(...some) });

  it("that is not there is refused", () => {
    expect(named(cancel().refusal)).toBe("REFERENCE_NOT_FOUND");
  });

  it.each(resendStates)("that is %s", (state) => {
    const { refusal, output } = cancel(resend(state, part(E1, "RUNNING")));
    const isOpen = state === "RUNNING";
    expect(named(refusal, "status")).toBe(isOpen ? "decided" : `CONFLICT ${state}`);
    expect(output?.state).toBe(isOpen ? "CANCELLED" : undefined);
  });

  it("ends the job of each part", () => {
    const { world } = cancel(resend("RUNNING", part(E1, "RUNNING"), part(E2, "COMPLETED")));
    expect(world.cancelledJobs).toEqual([`job of ${E1}`, `job of ${E2}`]);
  });
});

describe("one event that is sent again", () => {
  it.each([[[]], [[E1]], [[E1, E2]]])(
    "has a job for each of %j",
    (endpointIds: readonly string[]) => {
      const deliveries = endpointIds.map(
        (endpointId) => ({ endpointId, state: "FAILED" }) as const,
      );
      const { world } = decided({
        command: resendEvent,
        input: { eventSeq: 7n, deliveries },
        platformId: PLATFORM,
        tables: [],
      });
      expect(world.jobs.map(({ kind, payload, dueAt }) => [kind, payload, dueAt])).toEqual(
        endpointIds.map((endpointId) => [
          "resend-event",
          { endpointId, eventSeq: "7" },
          DECIDED_AT,
        ]),
      );
    },
  );

  it("ends its job with its attempt", () => {
    const input = { jobId: "job" };
    const { world } = decided({
      command: recordEventResent,
      input,
      platformId: PLATFORM,
      tables: [],
    });
    expect(world.cancelledJobs).toEqual(["job"]);
  });
});

import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import type { Batch } from "../../../engine/batch.ts";
import { changeUmaDomain } from "./change-uma-domain.ts";
import {
  type DailyCheckInput,
  recordDailyCheck,
  recordRoutingCheck,
} from "./record-routing-check.ts";
import type { RoutingFault } from "./routing-faults.ts";
import { type UmaDomain, umaDomains } from "./uma-domain-row.ts";

const DAY_MS = 86_400_000;
const ID = "018f0000-0000-7000-8000-000000000071";
const fault: RoutingFault = { code: "NO_ADDRESS", message: "…" };

const claimed: UmaDomain = {
  ...{ id: ID, domain: "bank.example", isPrimary: true, callbackBase: "PUBLIC_URL" },
  ...{ status: "CLAIMED", verifiedAt: null, lastCheck: null, failedChecks: 0, nextCheckAt: null },
  ...{ createdAt: 1, updatedAt: 1, deletedAt: null },
};
const active: UmaDomain = { ...claimed, status: "ACTIVE", verifiedAt: 2, nextCheckAt: 500 };
const unreachable: UmaDomain = { ...active, status: "UNREACHABLE", failedChecks: 3 };

function checked(before: UmaDomain, faults: readonly RoutingFault[] = []) {
  const input = { domainId: ID, faults };
  const tables = [rowsOf(umaDomains, before)];
  const world = worldFor({ command: recordRoutingCheck, input, platformId: PLATFORM, tables });
  const refusal = refusalOf(world, () => recordRoutingCheck.decide(world, input));
  return { refusal: refusal?.code, ...outcomeOf(world) };
}

const JOB = "018f0000-0000-7000-8000-0000000000aa";

function checkedDaily(before: UmaDomain, change: Partial<DailyCheckInput> = {}) {
  const input: DailyCheckInput = { domainId: ID, jobId: JOB, dueAt: 500, faults: [], ...change };
  const tables = [rowsOf(umaDomains, before)];
  const world = worldFor({ command: recordDailyCheck, input, platformId: PLATFORM, tables });
  recordDailyCheck.decide(world, input);
  return outcomeOf(world);
}

function outcomeOf(world: Batch) {
  return {
    after: world.find(umaDomains.ref(ID)),
    events: world.events.map(({ type }) => type),
    jobs: world.jobs.map(({ kind, payload, dueAt }) => ({ kind, payload, dueAt })),
  };
}

const nextCheck = {
  kind: "check-uma-domain",
  payload: { domainId: ID, dueAt: DECIDED_AT + DAY_MS },
  dueAt: DECIDED_AT + DAY_MS,
};

describe("a check of the routing", () => {
  it("without faults makes a claimed domain active, and it is checked again after a day", () => {
    const { after, events, jobs } = checked(claimed);
    expect(after).toMatchObject({
      status: "ACTIVE",
      verifiedAt: DECIDED_AT,
      lastCheck: { at: DECIDED_AT, ok: true, faults: [] },
      nextCheckAt: DECIDED_AT + DAY_MS,
    });
    expect([events, jobs]).toEqual([[], [nextCheck]]);
  });

  it("with faults leaves a domain claimed, however often", () => {
    const { after, events, jobs } = checked({ ...claimed, failedChecks: 9 }, [fault]);
    expect(after).toMatchObject({
      status: "CLAIMED",
      verifiedAt: null,
      lastCheck: { at: DECIDED_AT, ok: false, faults: [fault] },
      failedChecks: 10,
    });
    expect([events, jobs]).toEqual([[], []]);
  });

  it("makes an active domain unreachable with the third failure in a row, and tells it once", () => {
    for (const [failedChecks, status, events] of [
      [0, "ACTIVE", []],
      [1, "ACTIVE", []],
      [2, "UNREACHABLE", ["UMA_DOMAIN.UNREACHABLE"]],
    ] as const) {
      const found = checked({ ...active, failedChecks }, [fault]);
      expect(found.after).toMatchObject({ status, failedChecks: failedChecks + 1 });
      expect([found.events, found.jobs]).toEqual([events, []]);
    }
    expect(checked(unreachable, [fault]).events).toEqual([]);
    expect(checked(unreachable, [fault]).after?.status).toBe("UNREACHABLE");
  });

  it("without faults counts from the beginning, and makes an unreachable domain active", () => {
    expect(checked({ ...active, failedChecks: 2 }).after).toMatchObject({ failedChecks: 0 });
    const { after, events, jobs } = checked(unreachable);
    expect(after).toMatchObject({ status: "ACTIVE", failedChecks: 0, verifiedAt: 2 });
    expect([events, jobs]).toEqual([["UMA_DOMAIN.REACHABLE"], []]);
  });

  it("of a job is followed by the next one, good or not", () => {
    for (const faults of [[], [fault]]) {
      const { after, jobs } = checkedDaily(active, { faults });
      expect(after).toMatchObject({
        nextCheckAt: DECIDED_AT + DAY_MS,
        lastCheck: { ok: faults.length === 0 },
      });
      expect(jobs).toEqual([nextCheck]);
    }
  });

  it("of a job that runs again, or whose domain was released, records nothing", () => {
    const faults = [fault];
    const nothing = { events: [], jobs: [] };
    expect(checkedDaily(active, { faults, dueAt: 499 })).toEqual({ after: active, ...nothing });
    expect(checkedDaily(active, { faults: undefined })).toEqual({ after: active, ...nothing });
    const released = { ...active, deletedAt: 3 };
    expect(checkedDaily(released, { faults })).toEqual({ after: released, ...nothing });
    const other = { ...active, id: "018f0000-0000-7000-8000-000000000072" };
    expect(checkedDaily(other, { faults })).toEqual({ after: undefined, ...nothing });
  });

  it("is refused for a domain that is not there, or was released", () => {
    expect(checked({ ...active, deletedAt: 3 }).refusal).toBe("REFERENCE_NOT_FOUND");
    const other = { ...active, id: "018f0000-0000-7000-8000-000000000072" };
    expect(checked(other).refusal).toBe("REFERENCE_NOT_FOUND");
  });
});

describe("a change of a domain", () => {
  const changed = (before: UmaDomain) => {
    const input = { domainId: ID, callbackBase: "DOMAIN" } as const;
    const tables = [rowsOf(umaDomains, before)];
    const world = worldFor({ command: changeUmaDomain, input, platformId: PLATFORM, tables });
    const refusal = refusalOf(world, () => changeUmaDomain.decide(world, input));
    return refusal?.code ?? world.get(umaDomains.ref(ID)).callbackBase;
  };

  it("sets where counterparties call, in any state, and is refused for one that was released", () => {
    for (const one of [claimed, active, unreachable]) expect(changed(one)).toBe("DOMAIN");
    expect(changed({ ...active, deletedAt: 3 })).toBe("REFERENCE_NOT_FOUND");
  });
});

import { expect, it } from "vitest";
import type { DeskConnection } from "./desk.sql.ts";
import { summaryOf } from "./desk-summary.ts";

const HOUR = 3_600_000;
const NOW = 100 * HOUR;

const connection = (more: Partial<DeskConnection>): DeskConnection => ({
  ...{ id: "a", name: "House bank", kind: "MANUAL", status: "ACTIVE" },
  ...{ queued: 0, oldestQueuedAt: null, items: 0, oldestItemAt: null, breaks: 0 },
  ...{ cutOffAt: null, lastCutOffAt: null },
  ...more,
});
const summary = (...connections: readonly DeskConnection[]) =>
  summaryOf({ connections, leases: [] }, NOW);

it("says nothing of a platform without connections", () => {
  expect(summary()).toBeUndefined();
});

it("adds up the queues of desks, and suspense and breaks of all connections", () => {
  const found = summary(
    connection({ queued: 3, oldestQueuedAt: NOW - HOUR, items: 1, oldestItemAt: NOW - 9 * HOUR }),
    connection({ id: "b", queued: 2, oldestQueuedAt: NOW - 2 * HOUR, breaks: 1 }),
    // A connector works off its queue by itself.
    connection({ id: "c", kind: "HTTP", queued: 50, oldestQueuedAt: 0, items: 4, breaks: 1 }),
  );
  expect(found).toMatchObject({
    ...{ queued: 5, oldestQueuedAt: NOW - 2 * HOUR, items: 5, oldestItemAt: NOW - 9 * HOUR },
    ...{ breaks: 2, missed: 0, cutOffs: [] },
  });
});

it("tells the cut-offs of the next two hours where orders wait, the next one first", () => {
  const at = (id: string, hours: number, queued = 1) =>
    connection({ id, queued, cutOffAt: NOW + hours * HOUR });
  const found = summary(at("late", 2), at("soon", 0.5), at("later", 2.01), at("empty", 1, 0));
  expect(found?.cutOffs.map(({ connectionId }) => connectionId)).toEqual(["soon", "late"]);
});

it("counts the connections whose oldest order has missed a cut-off", () => {
  const missed = { queued: 1, oldestQueuedAt: NOW - 3 * HOUR, lastCutOffAt: NOW - HOUR };
  expect(summary(connection(missed), connection({ ...missed, oldestQueuedAt: NOW }))?.missed).toBe(
    1,
  );
});

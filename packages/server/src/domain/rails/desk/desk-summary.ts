/** The desk in a few figures, for the home page. */
import type { Desk, DeskConnection } from "./desk.sql.ts";

/** A cut-off is told this long before. */
const SOON_MS = 2 * 3_600_000;

export interface SoonCutOff {
  readonly connectionId: string;
  readonly name: string;
  readonly at: number;
  readonly queued: number;
}

export interface DeskSummary {
  readonly queued: number;
  readonly oldestQueuedAt: number | null;
  /** Connections whose oldest queued order has missed a cut-off. */
  readonly missed: number;
  readonly items: number;
  readonly oldestItemAt: number | null;
  readonly breaks: number;
  /** Cut-offs of the next two hours at connections with a queue, the next one first. */
  readonly cutOffs: readonly SoonCutOff[];
}

/** Undefined for a platform without a connection at which people work. `now` is in platform time. */
export function summaryOf({ connections }: Desk, now: number): DeskSummary | undefined {
  if (connections.length === 0) return undefined;
  const desks = connections.filter(({ kind }) => kind === "MANUAL");
  const sum = (of: readonly DeskConnection[], count: "queued" | "items" | "breaks") =>
    of.reduce((total, connection) => total + connection[count], 0);
  const oldest = (
    of: readonly DeskConnection[],
    time: "oldestQueuedAt" | "oldestItemAt",
  ): number | null => {
    const times = of.flatMap((connection) => connection[time] ?? []);
    return times.length === 0 ? null : Math.min(...times);
  };
  return {
    queued: sum(desks, "queued"),
    oldestQueuedAt: oldest(desks, "oldestQueuedAt"),
    missed: desks.filter(hasMissed).length,
    items: sum(connections, "items"),
    oldestItemAt: oldest(connections, "oldestItemAt"),
    breaks: sum(connections, "breaks"),
    cutOffs: desks
      .flatMap(({ id, name, queued, cutOffAt }) =>
        queued > 0 && cutOffAt !== null && cutOffAt <= now + SOON_MS
          ? [{ connectionId: id, name, at: cutOffAt, queued }]
          : [],
      )
      .toSorted((one, other) => one.at - other.at),
  };
}

function hasMissed({ oldestQueuedAt, lastCutOffAt }: DeskConnection): boolean {
  return oldestQueuedAt !== null && lastCutOffAt !== null && oldestQueuedAt <= lastCutOffAt;
}

/**
 * A mark that waits: an act at a connection that one token asked for, and another one must confirm within 72 hours. Its checks run on the
 * request, so that an impossible act is refused at once, and again on the confirmation. A requesting token that was deleted meanwhile still
 * counts as the requester, and so does the person who created it.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import type { JsonObject } from "../../../std/json.ts";
import { countedBy, stateFacet } from "../../../tables/facets.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { type Asserter, asserterOf } from "../../payments/quotes/parties/quote-maker.ts";
import { railConnections, touchConnection } from "../connections/rail-connection.ts";

/**
 * MARK: of orders. RESOLUTION: of an item. ENTRY: one that was typed in. RELEASE: of a HELD order. ADJUSTMENT: of positions, which always
 * needs a second token. WRITE_OFF and COLLECTION: of a receivable. BALANCE: one that was typed in and moves own funds.
 */
export const markKinds = [
  "MARK",
  "RESOLUTION",
  "ENTRY",
  "RELEASE",
  "ADJUSTMENT",
  "WRITE_OFF",
  "COLLECTION",
  "BALANCE",
] as const;
export type MarkKind = (typeof markKinds)[number];

export const markStates = ["WAITING", "CONFIRMED", "REFUSED", "EXPIRED"] as const;
export type MarkState = (typeof markStates)[number];

const columns = {
  id: fixed("uuid"),
  connectionId: fixed("uuid"),
  kind: fixed<MarkKind>("text"),
  /** What the act needs. Amounts are text, because JSON has no whole numbers of this size. */
  request: fixed<JsonObject>("json"),
  state: mutable<MarkState>("text"),
  /** `token <id>`, `agent <id>` */
  requestedBy: fixed("text"),
  /** The people behind the requester, none of whom may decide. */
  requesterPeople: fixed<readonly string[]>("json"),
  decidedBy: mutable<string | null>("text"),
  decidedAt: mutable<number | null>("time"),
  /** Why it was refused. */
  note: mutable<string | null>("text"),
  /** The result of the act, when the request does not name it. */
  result: mutable<JsonObject | null>("json"),
  /** The job that ends it when it was not decided in time. */
  jobId: mutable<string | null>("uuid"),
  expiresAt: fixed("time"),
  createdAt: fixed("time"),
};

export interface RailMark extends RowOf<typeof columns> {}

export const railMarks = defineTable<RailMark>("rail_marks", columns, {
  isFinal: ({ state }) => state !== "WAITING",
  counted: countedBy<RailMark>(stateFacet),
});

export const findRailMark = finderOf(railMarks);
export const listRailMarks = listerOf(railMarks);

const CONFIRMED_WITHIN_MS = 72 * 3_600_000;

/** An act that was done, or that waits for another token. */
export type Asked<Done> =
  | { readonly kind: "done"; readonly done: Done }
  | { readonly kind: "waiting"; readonly mark: RailMark };

/** Whether acts at the connection need a second token. Needs the connection's row. */
export function needsSecondToken(world: Loaded, connectionId: string): boolean {
  return world.find(railConnections.ref(connectionId))?.control.approval === "FOUR_EYES";
}

/** Stores an act that passed the checks, for another token to confirm. */
export function askForMark(
  world: World,
  asked: Pick<RailMark, "connectionId" | "kind" | "request">,
  asker: Asserter = asserterOf(world),
): RailMark {
  const id = world.newId();
  const expiresAt = world.at + CONFIRMED_WITHIN_MS;
  const jobId = scheduleJob(world, {
    kind: "expire-rail-mark",
    payload: { markId: id },
    dueAt: expiresAt,
  });
  // Makes the count of waiting acts that an archiving relies on stale.
  touchConnection(world, asked.connectionId);
  return world.put(railMarks, {
    id,
    ...asked,
    state: "WAITING",
    requestedBy: asker.by,
    requesterPeople: asker.people,
    decidedBy: null,
    decidedAt: null,
    note: null,
    result: null,
    jobId,
    expiresAt,
    createdAt: world.at,
  });
}

function actorOf({ actor }: World): string {
  return `${actor.kind} ${actor.id}`;
}

/** REFERENCE_NOT_FOUND; CONFLICT for one that was decided or is too old; FORBIDDEN for the token or the person that asked. */
export function requireDecidable(world: World, id: string, action: string): RailMark {
  const mark = world.find(railMarks.ref(id));
  if (mark === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  const isTooOld = mark.state === "WAITING" && world.at >= mark.expiresAt;
  const status = isTooOld ? "EXPIRED" : mark.state;
  if (status !== "WAITING") {
    throw wrongState({ object: "mark", status, needed: "WAITING", action });
  }
  const { people = [] } = world.actor;
  if (
    mark.requestedBy === actorOf(world) ||
    people.some((one) => mark.requesterPeople.includes(one))
  ) {
    const message =
      "Who asked for this cannot decide it, by no token and no agent of the same person; another one must.";
    throw new Refusal("FORBIDDEN", { rule: "FOUR_EYES" }, message);
  }
  return mark;
}

export function endMark(
  world: World,
  mark: RailMark,
  end: { readonly state: MarkState; readonly note?: string; readonly result?: JsonObject },
): RailMark {
  if (mark.jobId !== null) world.cancel(mark.jobId);
  const { state, note = null, result = null } = end;
  return world.put(railMarks, {
    ...mark,
    state,
    note,
    result,
    decidedBy: actorOf(world),
    decidedAt: world.at,
    jobId: null,
  });
}

/** What keeps a connection from being archived, and what does not. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { connection as bank } from "../../../../test/kit/rail-rows.ts";
import { railRoutings } from "../routes/routing.ts";
import { archiveRailConnection } from "./archive-rail-connection.ts";
import { noteExchange } from "./exchange-health.ts";
import {
  noteImport,
  putConnection,
  type RailConnection,
  railConnections,
  touchConnection,
} from "./rail-connection.ts";

const PLATFORM = "018f0000-0000-7000-8000-0000000000e0";
const CONNECTION = "018f0000-0000-7000-8000-0000000000e1";

const connection: RailConnection = {
  ...bank,
  id: CONNECTION,
  settings: { feed: true },
  feedCursor: "1",
  touchedAt: DECIDED_AT,
};

const counted = {
  connectionId: CONNECTION,
  openPayments: 0,
  openItems: 0,
  waitingMarks: 0,
  openInvoices: 0,
  touchedAt: DECIDED_AT,
};

function open(input = counted, kind: RailConnection["kind"] = "HTTP") {
  const world = worldFor({
    command: archiveRailConnection,
    input,
    platformId: PLATFORM,
    tables: [
      rowsOf(railConnections, { ...connection, kind }),
      rowsOf(railRoutings, { id: PLATFORM, routes: [], connections: [] }),
    ],
  });
  return { world, decide: () => archiveRailConnection.decide(world, input) };
}

describe("after the count", () => {
  it.each<readonly [what: string, change: (world: ReturnType<typeof open>["world"]) => unknown]>([
    ["nothing", () => undefined],
    ["a page of the feed", (world) => noteImport(world, CONNECTION)],
    [
      "its cursor",
      (world) =>
        putConnection(world, { ...world.get(railConnections.ref(CONNECTION)), feedCursor: "2" }),
    ],
    ["a report", (world) => noteExchange(world, connection, { kind: "good" })],
    [
      "a failed exchange",
      (world) =>
        noteExchange(world, connection, {
          kind: "failed",
          code: "X",
          message: "x",
          isFatal: false,
        }),
    ],
  ])("%s does not keep it from being archived", (_what, change) => {
    const { world, decide } = open();
    change(world);
    expect(decide()).toMatchObject({ status: "ARCHIVED" });
  });

  it("what touches the connection does, also in the same millisecond", () => {
    const { world, decide } = open();
    touchConnection(world, CONNECTION);
    const touched = world.get(railConnections.ref(CONNECTION));
    expect(decide()).toBe("touched");
    expect(world.get(railConnections.ref(CONNECTION))).toBe(touched);
  });
});

it.each([
  ["openPayments", "payments"],
  ["openItems", "items"],
  ["waitingMarks", "marks"],
  ["openInvoices", "invoices"],
] as const)("is refused with %s", (member, blocker) => {
  const { world, decide } = open({ ...counted, [member]: 2 });
  expect(refusalOf(world, decide)).toMatchObject({
    code: "CONFLICT",
    details: { blockers: { [blocker]: 2 } },
  });
});

it("is refused of the layer of sandboxes, which is paid without a route that could be deleted", () => {
  const { world, decide } = open(counted, "SANDBOX");
  expect(refusalOf(world, decide)).toMatchObject({
    code: "CONFLICT",
    details: { kind: "SANDBOX" },
  });
});

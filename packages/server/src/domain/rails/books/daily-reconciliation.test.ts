import { describe, expect, it } from "vitest";
import {
  type DayStatement,
  daysOf,
  explanationsOf,
  reconciledDays,
} from "./daily-reconciliation.ts";

const week = daysOf("2026-11-23", "2026-11-27");
const at = (day: number, unexplained: number): DayStatement => ({
  day: `2026-11-${day}`,
  closingMinor: 1_000n,
  unexplainedMinor: BigInt(unexplained),
});
const states = (statements: readonly DayStatement[], before?: DayStatement) =>
  reconciledDays(week, { before, statements, waiting: [] }).map(
    ({ state, begunMinor }) => `${state} ${begunMinor ?? "-"}`,
  );

it("names the days of a span over the end of a month", () => {
  expect(daysOf("2026-11-29", "2026-12-02")).toEqual([
    "2026-11-29",
    "2026-11-30",
    "2026-12-01",
    "2026-12-02",
  ]);
});

describe("a day", () => {
  it("is green, red where a difference began, and carried after that", () => {
    expect(states([at(23, 0), at(24, -50), at(25, -50), at(26, 20), at(27, 0)])).toEqual([
      "GREEN 0",
      "RED -50",
      "CARRIED 0",
      "RED 70",
      "GREEN -20",
    ]);
  });

  it("has no state without a statement, over which a difference is carried", () => {
    expect(states([at(23, 5), at(25, 5)])).toEqual([
      "RED 5",
      "NONE -",
      "CARRIED 0",
      "NONE -",
      "NONE -",
    ]);
  });

  it("carries what the statement before the span left", () => {
    expect(states([at(23, 5), at(24, 6)], at(20, 5)).slice(0, 2)).toEqual(["CARRIED 0", "RED 1"]);
  });

  it("counts what waits", () => {
    const waiting = [{ day: "2026-11-24", items: 2, untold: 1 }];
    const [, tuesday] = reconciledDays(week, { before: undefined, statements: [], waiting });
    expect(tuesday).toMatchObject({ state: "NONE", items: 2, untold: 1 });
  });
});

describe("a difference", () => {
  const line = (id: string, minor: number) => ({ id, minor: BigInt(minor) });
  const of = (
    minor: number,
    lines: readonly [string, number][],
    orders: readonly [string, number][],
  ) =>
    explanationsOf(BigInt(minor), {
      lines: lines.map(([id, amount]) => line(id, amount)),
      orders: orders.map(([id, amount]) => line(id, amount)),
    }).map(({ kind, id }) => `${kind} ${id}`);

  it.each([
    [
      "a line that is there twice",
      -500,
      [
        ["a", 500],
        ["b", 500],
        ["c", 700],
      ],
      [],
      ["BOOKED_TWICE a", "BOOKED_TWICE b"],
    ],
    [
      "one line of its amount",
      -500,
      [
        ["a", 500],
        ["c", 700],
      ],
      [],
      ["LINE a"],
    ],
    [
      "a debit that is there twice",
      500,
      [
        ["a", -500],
        ["b", -500],
      ],
      [],
      ["BOOKED_TWICE a", "BOOKED_TWICE b"],
    ],
    [
      "an order without a line",
      -1_250,
      [["a", 500]],
      [
        ["o", -1_250],
        ["p", 1_250],
      ],
      ["ORDER o"],
    ],
    ["two digits that changed places", 900, [["a", 1_200]], [], ["DIGITS_SWAPPED a"]],
    ["nothing that is known", 7, [["a", 500]], [["o", 9]], []],
    ["nothing where there is none", 0, [["a", 0]], [["o", 0]], []],
  ] as const)("is explained by %s", (_name, minor, lines, orders, expected) => {
    expect(of(minor, lines as never, orders as never)).toEqual(expected);
  });
});

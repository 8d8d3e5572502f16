import { expect, it } from "vitest";
import { steadyRows } from "./steady-rows.ts";

const row = (id: string, state = "old") => ({ id, state });
const rows = (...ids: readonly string[]) => ids.map((id) => row(id));
const steady = (shown: readonly string[], ahead: readonly string[]) =>
  steadyRows(rows(...shown), rows(...ahead), ({ id }) => id);

it("keeps rows in their places, as they are now, and counts what is new above them", () => {
  const ahead = [row("d"), row("c"), row("b", "new")];
  expect(steadyRows(rows("b", "a"), ahead, ({ id }) => id)).toEqual({
    rows: [row("b", "new"), row("a")],
    newCount: 2,
    isMore: false,
    hasGone: false,
  });
});

it.each([
  [["b", "a"], ["b", "a"], { newCount: 0, isMore: false, hasGone: false }],
  [["b", "a"], ["d", "c"], { newCount: 2, isMore: true, hasGone: false }],
  [["c", "b", "a"], ["c", "a"], { newCount: 0, isMore: false, hasGone: true }],
  [["a", "b"], ["a", "b", "c"], { newCount: 1, isMore: false, hasGone: false }],
  [["c", "b"], ["c", "a"], { newCount: 0, isMore: false, hasGone: true }],
  [["b", "a"], [], { newCount: 0, isMore: false, hasGone: true }],
])("says of %j and %j what is new and what is gone", (shown, ahead, expected) => {
  expect(steady(shown, ahead)).toMatchObject(expected);
});

it("has the rows as they were read while nothing has come", () => {
  expect(steadyRows(rows("a"), undefined, ({ id }) => id).rows).toEqual(rows("a"));
});

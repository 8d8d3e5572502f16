import { describe, expect, it } from "vitest";
import { rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { bookNeeds, type RailBook, railBooks } from "./rail-book.ts";
import { openingWith } from "./rail-statement.ts";

const PLATFORM = "018f0000-0000-7000-8000-0000000000e0";
const name = { connectionId: "018f0000-0000-7000-8000-0000000000e1", currency: "USD" };

const book: RailBook = {
  id: "018f0000-0000-7000-8000-0000000000e2",
  ...name,
  toldCount: 1n,
  toldMinor: 30n,
  toldAt: null,
  openingMinor: 100n,
  openingDay: "2026-11-20",
  openingReadAt: null,
  closingMinor: 130n,
  closingDay: "2026-11-20",
  closingCount: 1n,
  unexplainedMinor: 0n,
};

function openingOf(day: string, ...books: readonly RailBook[]) {
  const world = worldFor({
    command: { needs: () => bookNeeds(name) },
    input: undefined,
    platformId: PLATFORM,
    tables: [rowsOf(railBooks, ...books)],
  });
  return openingWith(world, name, { day, readAt: null, closingMinor: 150n, coveredMinor: 30n });
}

describe("a balance", () => {
  it("sets the opening of a book that has none", () => {
    const unopened = { ...book, openingMinor: null, openingDay: null };
    for (const books of [[], [unopened]]) {
      expect(openingOf("2026-11-20", ...books)).toEqual({ minor: 120n, isSet: true });
    }
  });

  it.each([
    ["2026-11-19", "120", true],
    ["2026-11-20", "100", false],
    ["2026-11-21", "100", false],
  ])("of %s, where the opening is of the 20th, makes it %s", (day, minor, isSet) => {
    expect(openingOf(day, book)).toEqual({ minor: BigInt(minor), isSet });
  });

  it("leaves an opening that a connector told", () => {
    const told = { ...book, openingReadAt: 1 };
    expect(openingOf("2026-11-19", told)).toEqual({ minor: 100n, isSet: false });
  });
});

/** What is shown of an order of each act, and that nothing of an order is left out. */
import { describe, expect, it } from "vitest";
import { ORDERS } from "../../../../../test/kit/shown-orders.ts";
import { shownOf } from "../../../../../test/kit/shown-rows.ts";
import type { Shown } from "./shown.ts";

/** The facts of an order without those of the one who asked, each as a line. */
function linesOf({ facts }: Shown): readonly string[] {
  return facts
    .filter(({ key }) => key !== "place" && !key.startsWith("asker."))
    .map(({ group, label, value, personal, before, personalBefore }) => {
      const was = before ?? personalBefore;
      return `${group} ${label}: ${was === undefined ? "" : `${was} → `}${value ?? personal}`;
    });
}

describe("an order", () => {
  it.each(ORDERS)("of %s shows what it does", (act, content, more, lines) => {
    expect(linesOf(shownOf(act, content, more))).toEqual(lines);
  });

  it.each(ORDERS)("of %s has one fact a key, and no text of an id", (act, content, more) => {
    const { facts } = shownOf(act, content, more);
    const keys = facts.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    const texts = facts.map(({ id: _, key: _key, ...texts }) => JSON.stringify(texts));
    expect(
      texts.filter((text) => /[0-9a-f]{8}/.test(text) && !text.includes("000123456789")),
    ).toEqual([]);
  });

  it("says who asked, with what and when", () => {
    const { facts } = shownOf("createToken", {});
    expect(facts.map(({ label, value }) => [label, value])).toEqual([
      ["Platform", "Acme live, production"],
      ["Asked by", "Ben Stone (ben@example.com)"],
      ["Asked with", "The console, with a passkey"],
      ["Asked at", "28 Nov 2026, 09:59 UTC"],
    ]);
  });

  it("of an act without a view shows every member", () => {
    expect(linesOf(shownOf("newAct", { first: 1, second: { third: ["a", "b"] } }))).toEqual([
      "ORDER First: 1",
      "ORDER Second: third: a, b",
    ]);
  });
});

/** What the palette lists first for a text, and what it asks the search for. */
import { describe, expect, it } from "vitest";
import { paletteActs } from "./acts.ts";
import { placeGroups } from "./navigation.ts";
import { entriesFor, isId, readText } from "./palette-entries.ts";

const ALL = [...new Set(paletteActs.map(({ capability }) => capability))];
const UUID = "019a4f00-0000-7000-8000-000000000002";
const hit = (kind: string, title: string) => ({
  kind,
  results: [
    { id: `${kind}:${UUID}`, title, at: "2026-11-21T10:00:00.000Z", matched: "name" as const },
  ],
});
const found = (...groups: ReturnType<typeof hit>[]) => ({
  indexedTo: 1,
  lastEvent: 1,
  isBuilding: false,
  groups,
});
const list = (text: string, results = found(), capabilities: readonly string[] = ALL) =>
  entriesFor(text, { groups: placeGroups, capabilities, found: results });

describe("the first entry", () => {
  it.each<[string, ReturnType<typeof found>, string]>([
    ["pay", found(), "Payments"],
    ["home", found(hit("Customer", "Home Ltd")), "Home"],
    ["new payment", found(), "New payment"],
    ["new pay", found(), "New payment"],
    ["NEW CUST", found(), "New customer"],
    ["olsen", found(hit("Customer", "Ingrid Olsen")), "Ingrid Olsen"],
    ["freeze olsen", found(hit("Customer", "Ingrid Olsen")), "Freeze \u00b7 Ingrid Olsen"],
    ["Refund 3,012.50", found(hit("Transaction", "3012.50 USD")), "Refund \u00b7 3012.50 USD"],
  ])("for %j is right", (text, results, name) => {
    expect(list(text, results)[0]?.name).toBe(name);
  });

  it("of an act leads to its page with the act", () => {
    expect(list("new payment")[0]).toMatchObject({ place: "payments", act: "new" });
    const [freeze] = list("freeze olsen", found(hit("Customer", "Ingrid Olsen")));
    expect(freeze).toMatchObject({ place: `customers/Customer:${UUID}`, act: "freeze" });
  });
});

it("tells of a payment who pays whom, and else its type and no hexadecimal id", () => {
  const [group] = [hit("Transaction", "10.00 USD")];
  const [result] = group.results;
  const shown = (more: object) =>
    list("rent", found({ ...group, results: [{ ...result, ...more } as never] })).at(0)?.detail;
  const parties = { from: { name: "Ana Ruiz" }, to: { name: "Jonas Berg" } };
  expect(shown({ parties })).toBe("Ana Ruiz \u2192 Jonas Berg");
  expect(shown({ subtitle: "INCOMING \u00b7 TI-B8D83AC2219910E5" })).toBe("In");
  expect(shown({ subtitle: "OUTGOING \u00b7 FL8PP9G3EEDNDPY" })).toBe("Out \u00b7 FL8PP9G3EEDNDPY");
});

it("tells the type of an external account in words", () => {
  const [result] = hit("ExternalAccount", "Ana Ruiz").results;
  const subtitle = "USD_ACCOUNT \u00b7 USD \u00b7 \u20268901";
  const group = { kind: "ExternalAccount", results: [{ ...result, subtitle } as never] };
  expect(list("ruiz", found(group as never)).at(0)?.detail).toBe(
    "USD account \u00b7 USD \u00b7 \u20268901",
  );
});

it("is the object alone for its id", () => {
  expect(list(` Customer:${UUID}`).map(({ place }) => place)).toEqual([
    `customers/Customer:${UUID}`,
  ]);
});

it("lists all pages for no text, and nothing that has no page", () => {
  expect(list("").map(({ what }) => what)).toEqual(list("").map(() => "Page"));
  expect(list("zzz", found(hit("Statement", "2026")))).toEqual([]);
});

it("offers no act to a person who may not do it", () => {
  expect(list("new payment", found(), [])).toEqual([]);
  const [first] = list("freeze olsen", found(hit("Customer", "Ingrid Olsen")), []);
  expect(first).not.toHaveProperty("act");
});

it.each<[string, unknown]>([
  ["", undefined],
  ["o", undefined],
  [`Customer:${UUID}`, undefined],
  ["olsen", { q: "olsen" }],
  [UUID, { q: UUID }],
  ["freeze olsen", { q: "olsen", kinds: ["Customer"] }],
  ["send again as new FL80", { q: "FL80", kinds: ["Transaction"] }],
  ["freezer", { q: "freezer" }],
])("asks for %j by %j", (text, asked) => {
  expect(readText(text, ALL).asked).toEqual(asked);
});

it.each([
  [UUID, true],
  [` Customer:${UUID} `, true],
  ["olsen", false],
  ["", false],
])("takes %j for an id: %s", (text, expected) => {
  expect(isId(text)).toBe(expected);
});

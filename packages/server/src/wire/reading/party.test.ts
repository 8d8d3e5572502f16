import { expect, it } from "vitest";
import type { Party } from "../../domain/reading/parties/party.ts";
import { withParties } from "./party.ts";

const party = (name: string, detail = ""): Party => ({ kind: "OUTSIDE", name, detail });

it.each([
  ["Ana Ruiz", "••6789 · Invoice 17"],
  ["李伟", 'Łukasz "x" \\ \u007f\u0000\n'],
  ["😀 Ø", "العربية"],
])("writes the party %s in ASCII, and as it is", (name, detail) => {
  const text = withParties('{"id":1}', { from: party(name, detail) });
  expect(text).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(text)).toEqual({ id: 1, parties: { from: party(name, detail) } });
});

it("leaves a party out that is not known", () => {
  const [ana, bo] = [party("Ana"), party("Bo")];
  const namesIn = (text: string) => Object.keys(JSON.parse(text).parties);
  expect(namesIn(withParties('{"id":1}', { from: undefined, to: ana, by: bo }))).toEqual([
    "to",
    "by",
  ]);
  expect(withParties('{"id":1}', {})).toBe('{"id":1,"parties":{}}');
});

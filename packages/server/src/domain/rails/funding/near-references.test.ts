import { expect, it } from "vitest";
import { nearReferences } from "./near-references.ts";
import { newReference, referencesIn, spokenReference } from "./payment-reference.ts";

const bits = 0x1a2b3c4d5e6f708192n;
const memo = newReference("MEMO", bits);
const rf = newReference("RF", bits);

const without = (text: string, at: number) => text.slice(0, at) + text.slice(at + 1);
const other = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === "7" ? "8" : "7") + text.slice(at + 1);
const more = (text: string, at: number) => `${text.slice(0, at)}5${text.slice(at)}`;
const swap = (text: string, at: number) =>
  text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
const firstOdd = (text: string, from: number) => {
  for (let at = from; at < text.length - 1; at++) if (text[at] !== text[at + 1]) return at;
  throw new Error("all characters are the same");
};

const SPELLINGS: readonly (readonly [string, (reference: string) => string])[] = [
  ["a wrong character", (text) => other(text, 9)],
  ["a wrong first letter", (text) => `E${text.slice(1)}`],
  ["a missing character", (text) => without(text, 11)],
  ["a missing first letter", (text) => text.slice(1)],
  ["a missing last digit", (text) => text.slice(0, -1)],
  ["a character too many", (text) => more(text, 8)],
  ["two characters that changed places", (text) => swap(text, firstOdd(text, 8))],
  ["small letters", (text) => other(text, 9).toLowerCase()],
  ["groups of four", (text) => spokenReference(other(text, 9))],
  ["hyphens", (text) => spokenReference(other(text, 9)).replaceAll(" ", "-")],
  ["words around it", (text) => `rent of May, ref ${other(text, 9)}, thank you`],
  ["a wrong character and a zero written as O", (text) => other(text, 9).replace(/0(?!L)/, "O")],
];

it.each(SPELLINGS)("finds both forms with %s", (_name, spell) => {
  for (const reference of [memo, rf]) {
    const text = spell(reference);
    expect(referencesIn(text), text).not.toContain(reference);
    expect(nearReferences(text), text).toContain(reference);
  }
});

it.each([
  ["two wrong characters", (text: string) => other(other(text, 8), 12)],
  ["no reference", () => "Invoice 17 of 2026-05-01, FLORIDA flights and flowers for Florence"],
  ["nothing", () => ""],
  ["hostile text", () => `${"FL".repeat(500)} ${"A".repeat(1_000)}`],
])("finds none in a text with %s", (_name, spell) => {
  expect(nearReferences(spell(memo))).not.toContain(memo);
});

it("leaves out what the text names exactly, and looks up few", () => {
  expect(nearReferences(memo)).not.toContain(memo);
  expect(nearReferences(other(memo, 9)).length).toBeLessThan(25);
});

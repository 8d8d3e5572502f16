import { describe, expect, it } from "vitest";
import { sha256 } from "../std/digest.ts";
import { canonicalJson } from "../std/json.ts";
import { bodyMarks, differingField, digestWithMarks, isOfBody } from "./body-marks.ts";

const known = ["amount", "source", "destination", "description"];

function kept(body: Readonly<Record<string, unknown>>) {
  const texts = Object.entries(body).map(([name, value]) => [name, canonicalJson(value)] as const);
  const marks = bodyMarks(texts, { key: "k1", known });
  const digest = sha256(canonicalJson(body));
  return { marks, digest, bytes: digestWithMarks(digest, marks) };
}

const first = kept({ source: { accountId: "a" }, amount: 5, description: "rent" });

describe("a body that is kept with marks", () => {
  it("is known again by its digest, and an older one without marks too", () => {
    expect(isOfBody(first.bytes, first.digest)).toBe(true);
    expect(isOfBody(first.digest, first.digest)).toBe(true);
    expect(isOfBody(first.bytes, kept({ amount: 6 }).digest)).toBe(false);
  });

  it.each([
    ["changed", { source: { accountId: "a" }, amount: 6, description: "rent" }, "amount"],
    ["changed within", { source: { accountId: "b" }, amount: 5, description: "rent" }, "source"],
    ["added", { source: { accountId: "a" }, amount: 5, description: "rent", extra: 1 }, "extra"],
    ["left out", { source: { accountId: "a" }, amount: 5 }, "description"],
    ["changed first", { description: "food", amount: 6, source: {} }, "description"],
  ])("tells which field was %s", (_what, body, field) => {
    expect(differingField(first.bytes, kept(body).marks)).toBe(field);
  });

  it("names none where nothing is known of the first body's fields", () => {
    expect(differingField(first.digest, kept({ amount: 6 }).marks)).toBeUndefined();
    expect(differingField(first.bytes, undefined)).toBeUndefined();
  });

  it("takes three bytes a field, and no more than 32 fields", () => {
    expect(first.marks.bytes).toHaveLength(9);
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`f${index}`, index]),
    );
    expect(kept(many).marks.bytes).toHaveLength(96);
  });

  it("has another mark for the same value under another key", () => {
    const marks = Array.from({ length: 20 }, (_, index) =>
      bodyMarks([["amount", "5"]], { key: `k${index}`, known: [] }).bytes.toString("hex"),
    );
    expect(new Set(marks).size).toBeGreaterThan(10);
  });
});

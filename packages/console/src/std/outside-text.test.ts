import { describe, expect, it } from "vitest";
import { shorten, visibleText } from "./outside-text.ts";

describe("text from outside", () => {
  it.each([
    ["Ana Ruiz", "Ana Ruiz"],
    ["a\u0000b", "a\u2400b"],
    ["a\u001b[31m", "a\u241b[31m"],
    ["line\nline\ttab", "line\nline\ttab"],
    ["evil\u202etxt.exe", "evil\ufffdtxt.exe"],
    ["\u2066a\u2069", "\ufffda\ufffd"],
    ["a\u061cb\u2028c\u0085", "a\ufffdb\ufffdc\ufffd"],
    ["<img src=x>", "<img src=x>"],
  ])("%j is shown as %j", (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it("is cut at 200 characters and never inside of one", () => {
    expect(shorten("a".repeat(200))).toEqual({ shown: "a".repeat(200), isCut: false });
    expect(shorten("a".repeat(10_000)).shown).toHaveLength(200);
    expect(shorten(`${"a".repeat(199)}\u{1f600}b`)).toEqual({
      shown: "a".repeat(199),
      isCut: true,
    });
  });
});

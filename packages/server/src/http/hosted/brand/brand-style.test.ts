import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { darkTheme, lightTheme } from "../palette.ts";
import { AA, brandColors, brandStyle, colorOf, contrast } from "./brand-style.ts";

const hex = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}`);

const between = (one: string, other: string) => contrast(colorOf(one), colorOf(other));

describe("a platform's colour", () => {
  it.each([
    ["light", lightTheme],
    ["dark", darkTheme],
  ])("leaves every text readable on a %s page, whatever it is", (_name, theme) => {
    fc.assert(
      fc.property(hex, (color) => {
        const { accent, button, onButton } = brandColors(color, theme);
        expect(button).toBe(color);
        expect(between(onButton, button)).toBeGreaterThanOrEqual(AA);
        for (const ground of [theme.ground, theme.panel]) {
          expect(between(accent, ground)).toBeGreaterThanOrEqual(AA);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it("stays as it is where it is readable, and takes the nearest readable shade elsewhere", () => {
    expect(brandColors("#0b6e4f", lightTheme).accent).toBe("#0b6e4f");
    expect(brandColors("#0b6e4f", darkTheme).accent).not.toBe("#0b6e4f");
    expect(brandColors("#ffffff", lightTheme).onButton).toBe("#000000");
  });

  it("reaches the page as custom properties of its form alone", () => {
    fc.assert(
      fc.property(hex, (color) => {
        expect(brandStyle(color)).toMatch(/^[-:;{}()@#\s\da-z]+$/);
      }),
    );
  });
});

describe("the colours of the pages", () => {
  it.each([
    ["light", lightTheme],
    ["dark", darkTheme],
  ])("are readable, %s", (_name, theme) => {
    for (const text of [theme.ink, theme.soft, theme.accent]) {
      for (const ground of [theme.ground, theme.panel]) {
        expect(between(text, ground)).toBeGreaterThanOrEqual(AA);
      }
    }
    const tinted = [
      [theme.good, theme.goodTint],
      [theme.wait, theme.waitTint],
      [theme.bad, theme.badTint],
      [theme.bad, theme.ground],
    ] as const;
    for (const [text, ground] of tinted) expect(between(text, ground)).toBeGreaterThanOrEqual(AA);
    expect(between(theme.edge, theme.ground)).toBeGreaterThanOrEqual(3);
  });
});

describe("contrast", () => {
  it.each([
    ["#000000", "#ffffff", 21],
    ["#777777", "#ffffff", 4.48],
    ["#ff0000", "#ffffff", 4],
  ])("of %s and %s is %d, as others compute it", (one, other, expected) => {
    expect(between(one, other)).toBeCloseTo(expected, 1);
  });
});

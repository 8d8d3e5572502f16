import { expect, it } from "vitest";
import { dayText } from "./time.ts";

it("shows a day as a day, whatever the zone and the hour", () => {
  const shown = dayText("2026-11-21");
  expect(shown).toMatch(/21/);
  expect(shown).toMatch(/Nov/);
  expect(shown).not.toMatch(/ago|:/);
  expect(dayText("2026-11-21T23:59:00.000Z")).toBe(shown);
  expect(dayText("soon")).toBe("soon");
});

import { afterEach, expect, it } from "vitest";
import { now } from "../std/host.ts";
import { ageOf, dayText, setClockAhead, shortTime } from "./time.ts";

afterEach(() => setClockAhead(0));

it("shows a day as a day, whatever the zone and the hour", () => {
  const shown = dayText("2026-11-21");
  expect(shown).toMatch(/21/);
  expect(shown).toMatch(/Nov/);
  expect(shown).not.toMatch(/ago|:/);
  expect(dayText("2026-11-21T23:59:00.000Z")).toBe(shown);
  expect(dayText("soon")).toBe("soon");
});

it("counts from the clock of the platform, which may be ahead, and from the server's where it is told", () => {
  const [day, hour] = [86_400_000, 3_600_000];
  const iso = (ms: number) => new Date(now() + ms).toISOString();
  setClockAhead(120 * day);
  expect(shortTime(iso(120 * day - 2 * hour - 1_000))).toMatch(/^2 h/);
  expect(shortTime(iso(-1_000))).not.toMatch(/now|ago/);
  expect(shortTime(iso(-1_000), true)).toMatch(/now/);
  expect(ageOf(iso(120 * day - 5 * hour - 1_000))).toMatch(/^5 h/);
  setClockAhead(0);
  expect(shortTime(iso(-1_000))).toMatch(/now/);
});

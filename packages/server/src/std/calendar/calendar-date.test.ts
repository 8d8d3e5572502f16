import { describe, expect, it } from "vitest";
import { isCalendarDate } from "./calendar-date.ts";

describe("a date", () => {
  it.each(["2024-02-29", "0001-01-01", "9999-12-31", "2000-02-29"])("%s is one", (text) => {
    expect(isCalendarDate(text)).toBe(true);
  });

  it.each([
    "2023-02-29",
    "1900-02-29",
    "0000-01-01",
    "2024-13-01",
    "2024-00-10",
    "2024-04-31",
    "2024-1-1",
  ])("%s is refused", (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });
});

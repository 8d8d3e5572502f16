import { expect, it } from "vitest";
import { createDailyBudget } from "./daily-budget.ts";

const NOON = Date.UTC(2026, 10, 25, 12);

it("the rows of a day count for that day alone, also when they are learned after its end", () => {
  const budget = createDailyBudget(100);
  expect(budget.take("REFUSAL", NOON)).toBe(1);
  budget.learn("2026-11-24", 100, 0);
  expect(budget.take("REFUSAL", NOON)).toBe(1);
  budget.learn("2026-11-25", 60, 40);
  expect(budget.take("REFUSAL", NOON)).toBe(0);
  expect(budget.take("REFUSAL", NOON + 86_400_000)).toBe(1);
});

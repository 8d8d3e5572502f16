import { expect, it } from "vitest";
import { later, t } from "./messages.ts";

it("has the texts of a later module before the module is evaluated", async () => {
  expect(() => t("daily.week")).toThrow("daily.week");
  expect(await later(async () => t("daily.week"))).toBe("7 days");
});

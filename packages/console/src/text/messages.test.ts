import { expect, it, vi } from "vitest";

it("has the texts of a later module before the module is evaluated", async () => {
  // Another file of this process may have loaded the texts.
  vi.resetModules();
  const { later, t } = await import("./messages.ts");
  expect(() => t("daily.week")).toThrow("daily.week");
  expect(await later(async () => t("daily.week"))).toBe("7 days");
});

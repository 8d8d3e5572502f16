import { expect, it } from "vitest";
import { amountsMeant } from "./find-items.sql.ts";

it.each([
  ["3012.50 usdc", ["USDC 3012500000"]],
  ["CHF 3,012.50", ["CHF 301250"]],
  ["3.012,50 EUR", ["EUR 301250"]],
  ["1500 jpy", ["JPY 1500"]],
  ["1250001 msat", ["MSAT 1250001"]],
  ["1500.5 jpy", []],
  ["Invoice 17", []],
])("%s means the amounts %j", (text, amounts) => {
  expect(amountsMeant(text)).toEqual(amounts);
});

it("an amount without a currency is meant in each", () => {
  const meant = amountsMeant("12.50");
  expect(meant).toEqual(expect.arrayContaining(["USD 1250", "EUR 1250", "KWD 12500"]));
  expect(meant).not.toContain("JPY 12");
});

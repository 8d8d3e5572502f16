/** Which amounts a text may mean. */
import { expect, it } from "vitest";
import { amountsIn } from "./amounts.ts";
import { toSearchQuery } from "./query.ts";

it.each<[string, readonly string[]]>([
  ["3012.50", ["#3012.5 "]],
  ["3012,50", ["#3012.5 "]],
  ["3,012.50", ["#3012.5 "]],
  ["3.012,50", ["#3012.5 "]],
  ["3 012,50", ["#3012.5 "]],
  ["3'012.50", ["#3012.5 "]],
  ["3’012.50", ["#3012.5 "]],
  ["3\u00a0012,50", ["#3012.5 "]],
  ["1,234,567.89", ["#1234567.89 "]],
  ["1.234.567,89", ["#1234567.89 "]],
  ["1,234,567", ["#1234567 "]],
  ["1.234.567", ["#1234567 "]],
  ["1,234", ["#1234 ", "#1.234 "]],
  ["1.234", ["#1.234 ", "#1234 "]],
  ["3012.50 usd", ["#3012.5 usd"]],
  ["3012.50usd", ["#3012.5 usd"]],
  ["usd 3,012.50", ["#3012.5 usd"]],
  ["$3,012.50", ["#3012.5 "]],
  ["3.012,50 €", ["#3012.5 "]],
  ["0.10", ["#0.1 "]],
  ["7", ["#7 "]],
  ["1,23,456.00", []],
  ["1,234.567.8", []],
  ["1..2", []],
  ["1.2.3", []],
  ["12.", []],
  [".5", []],
  ["usd", []],
  ["usd 5 eur", []],
  ["12345678901234567", []],
  ["1.12345678901", []],
  ["5 dollars", []],
  ["ana 5", ["#5 ana"]],
  ["", []],
])("%j may mean %j", (text, amounts) => {
  expect(amountsIn(text)).toEqual(amounts);
});

it.each<[string, readonly string[]]>([
  ["+1 (312) 555-0142", ["13125550142"]],
  ["0312 555 0142", ["3125550142"]],
  ["0047 91 23 45 67", ["4791234567"]],
  ["555-0142", ["5550142"]],
  ["12345", []],
  ["1234567890123456", []],
  ["312 555 x", []],
])("%j asks for the phone numbers %j", (text, phones) => {
  const query = toSearchQuery(text);
  const alternatives = "alternatives" in query ? query.alternatives : [];
  for (const phone of phones) expect(alternatives).toContainEqual([phone]);
  if (phones.length === 0)
    expect(alternatives.flat().filter((word) => /^\d{7,15}$/.test(word))).toEqual([]);
});

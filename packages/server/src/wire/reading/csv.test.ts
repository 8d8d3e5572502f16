import { expect, it } from "vitest";
import { csvLine } from "./csv.ts";

it("separates cells by commas and ends a line as RFC 4180 says", () => {
  expect(csvLine(["a", "", "b"])).toBe("a,,b\r\n");
});

it("quotes cells with commas, quotes and line ends", () => {
  expect(csvLine(['say "hi"', "a,b", "a\nb"])).toBe('"say ""hi""","a,b","a\nb"\r\n');
});

it.each(["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1"])(
  "lets no spreadsheet run %j",
  (cell) => {
    expect(csvLine([cell]).replaceAll('"', "")).toBe(`'${cell}\r\n`);
  },
);

it.each(["-1", "-1.50", "0", "12"])("leaves the number %s alone", (cell) => {
  expect(csvLine([cell])).toBe(`${cell}\r\n`);
});

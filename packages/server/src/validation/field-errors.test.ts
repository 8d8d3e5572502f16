/** What a caller reads of one wrong value: what to send instead. */
import { describe, expect, it } from "vitest";
import { toFieldErrors, type ValidationError } from "./field-errors.ts";
import { refusalKeyword } from "./schema.ts";

function messageOf(error: Partial<ValidationError>): string | undefined {
  const [line] = toFieldErrors([
    { keyword: "type", instancePath: "/x", schemaPath: "#", params: {}, ...error },
  ]);
  return line?.message;
}

const amount = { [refusalKeyword]: "INVALID_AMOUNT" };

describe("a value of another type", () => {
  it.each([
    ["integer", 12.5, "must be a whole number, written in digits alone"],
    ["integer", "12", "must be a whole number, written in digits alone, without quotes"],
    ["integer", "12.50", "must be a whole number, written in digits alone"],
    ["boolean", "true", "must be true or false, without quotes"],
    ["boolean", 1, "must be true or false"],
    ["string", 7, "must be a string"],
    [["integer", "null"], "x", "must be a whole number, written in digits alone, or null"],
  ])("%s: %j", (type, data, message) => {
    expect(messageOf({ params: { type }, data })).toBe(message);
  });

  it("gets the unit in its error where it is an amount", () => {
    expect(messageOf({ params: { type: "integer" }, data: 12.5, parentSchema: amount })).toBe(
      "must be a whole number of the smallest unit, written in digits alone",
    );
  });
});

describe("a value of another form", () => {
  it.each([
    ["date-time", "must be a date and a time with its zone, such as 2026-01-31T09:30:00Z"],
    ["date", "must be a date, such as 1990-05-17"],
    ["iso3166-1-alpha-2", "must be a two-letter country code in capitals, such as US"],
    ["e.164", "must be a phone number from its + on, such as +14155550123"],
    ["email", "must be an email address"],
    ["uuid", "must be a valid uuid"],
  ])("%s is shown one that would do", (format, message) => {
    expect(messageOf({ keyword: "format", params: { format } })).toBe(message);
  });

  it.each([
    ["\\S", "must not be blank"],
    ["^[A-Z]{2}$", "must be a two-letter country code in capitals, such as US"],
    ["^[A-Z0-9]{3,10}$", "must be the code of a currency in capitals, such as USD"],
    ["^x$", "does not have the required form"],
  ])("%s is said in words, with the pattern beside them", (pattern, message) => {
    const error = { keyword: "pattern", instancePath: "/x", schemaPath: "#", params: { pattern } };
    expect(toFieldErrors([error])).toEqual([{ field: "x", message, constraint: { pattern } }]);
  });

  it("is shown the values of a short list, and those of a long one in the constraint alone", () => {
    const among = (allowedValues: readonly string[]) =>
      toFieldErrors([
        { keyword: "enum", instancePath: "/x", schemaPath: "#", params: { allowedValues } },
      ]);
    expect(among(["asc", "desc"])[0]?.message).toBe("must be one of asc, desc");
    const many = Array.from({ length: 50 }, (_, index) => `VALUE_${index}`);
    expect(among(many)).toEqual([
      { field: "x", message: "must be one of the known values", constraint: { enum: many } },
    ]);
  });
});

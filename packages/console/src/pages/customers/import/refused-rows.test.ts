import { expect, it } from "vitest";
import { reasonOf, refusedRows } from "./refused-rows.ts";

const error = (row: number, message: string, correlationId = `row_${row}`) => ({
  row,
  correlationId,
  code: "INVALID_INPUT" as const,
  message,
});

const saved = async (text: string, ...errors: Parameters<typeof refusedRows>[1]) =>
  (await refusedRows(new Blob([text]), errors)).text();

it("has the refused rows as they were, each with its reason", async () => {
  const text = "platformCustomerId,fullName\na-1,Ana\n\na-2,\n,Bo\na-4,Cy\n";
  expect(await saved(text, error(2, 'the name is "missing"', "a-2"), error(3, "no id"))).toBe(
    'platformCustomerId,fullName,refusedBecause\r\na-2,,"the name is ""missing"""\r\n,Bo,no id\r\n',
  );
});

it("tells a refused row from an imported one with the same id", async () => {
  const text = "platformCustomerId,fullName\na-1,Ana\nrow_3,Bo\na-1,Cy\na-2,Di\n";
  expect(await saved(text, error(3, "taken", "a-1"), error(4, "wrong", "a-2"))).toBe(
    "platformCustomerId,fullName,refusedBecause\r\na-1,Cy,taken\r\na-2,Di,wrong\r\n",
  );
});

it("puts a new reason in the place of the old one when the file was mended and refused again", async () => {
  expect(
    await saved("platformCustomerId,refusedBecause,fullName\na-1,old,Ana\n", error(1, "new")),
  ).toBe("platformCustomerId,refusedBecause,fullName\r\na-1,new,Ana\r\n");
});

it("has every fault of a row in its reason, and the message of a row without a list of them", () => {
  const errors = [
    { field: "city", message: "is missing" },
    { field: "country", message: "is no country" },
  ];
  expect(reasonOf({ ...error(1, "city: is missing"), details: { errors } })).toBe(
    "city: is missing; country: is no country",
  );
  expect(reasonOf({ ...error(1, "taken"), details: { field: "platformCustomerId" } })).toBe(
    "taken",
  );
});

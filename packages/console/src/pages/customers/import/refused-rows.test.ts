import { expect, it } from "vitest";
import { refusedRows } from "./refused-rows.ts";

const error = (correlationId: string, message: string) => ({
  correlationId,
  code: "INVALID_INPUT" as const,
  message,
});

it("has the refused rows as they were, each with its reason", async () => {
  const file = new Blob(["platformCustomerId,fullName\na-1,Ana\na-2,\n,Bo\na-4,Cy\n"]);
  const errors = [error("a-2", 'the name is "missing"'), error("row_3", "no id")];
  expect(await (await refusedRows(file, errors)).text()).toBe(
    'platformCustomerId,fullName,refusedBecause\r\na-2,,"the name is ""missing"""\r\n,Bo,no id\r\n',
  );
});

it("puts a new reason in the place of the old one when the file was mended and refused again", async () => {
  const file = new Blob(["platformCustomerId,refusedBecause,fullName\na-1,old,Ana\n"]);
  expect(await (await refusedRows(file, [error("a-1", "new")])).text()).toBe(
    "platformCustomerId,refusedBecause,fullName\r\na-1,new,Ana\r\n",
  );
});

import { expect, it } from "vitest";
import { accountTypeWord, fieldWord } from "./field-word.ts";

it.each([
  ["USD_ACCOUNT", "USD account"],
  ["SWIFT_ACCOUNT", "SWIFT account"],
  ["ETHEREUM_WALLET", "Ethereum wallet"],
  ["SPARK_WALLET", "Spark wallet"],
])("the account type %s reads %s", (type, words) => {
  expect(accountTypeWord(type)).toBe(words);
});

it.each([
  ["accountNumber", "Account number"],
  ["address.line1", "Address, line1"],
  ["iban", "IBAN"],
])("the field %s reads %s", (path, words) => {
  expect(fieldWord(path)).toBe(words);
});

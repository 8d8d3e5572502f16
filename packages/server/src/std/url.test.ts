import { expect, it } from "vitest";
import { isSameOrigin } from "./url.ts";

const HERE = "https://bank.example/rates?key=1";

it.each([
  ["https://bank.example/other", true],
  ["https://BANK.example:443/", true],
  ["http://bank.example/rates", false],
  ["https://bank.example:8443/rates", false],
  ["https://bank.example.evil.test/rates", false],
  ["https://bank.example@evil.test/rates", false],
  ["https://api.bank.example/rates", false],
  ["", false],
  ["bank.example", false],
])("%s", (other, expected) => {
  expect(isSameOrigin(HERE, other)).toBe(expected);
  expect(isSameOrigin(other, HERE)).toBe(expected);
});

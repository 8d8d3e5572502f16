import { expect, it } from "vitest";
import { isEmailAddress } from "./email-address.ts";

it.each([
  "ana@example.com",
  "A.b+c@x.co",
  "o'neil@x.test",
  "a@xn--e1afmkfd.test",
  `${"a".repeat(64)}@x.test`,
])("takes %s", (text) => {
  expect(isEmailAddress(text)).toBe(true);
});

it.each([
  "",
  "a",
  "a@x",
  "@x.test",
  "a@@x.test",
  "a@x..test",
  "a@-x.test",
  "a@x_y.test",
  "a..b@x.test",
  ".a@x.test",
  " a@x.test",
  "a@x.test\n",
  "a b@x.test",
  '"a b"@x.test',
  "a@[192.0.2.1]",
  "ü@x.test",
  "a@\u212aelvin.test",
])("refuses %j", (text) => {
  expect(isEmailAddress(text)).toBe(false);
});

it("is checked in bounded time for near misses", () => {
  expect(isEmailAddress(`${"a.".repeat(50_000)}@${"a-".repeat(50_000)}`)).toBe(false);
  expect(isEmailAddress(`a@${"a".repeat(100_000)}`)).toBe(false);
});

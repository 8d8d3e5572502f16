import { expect, it } from "vitest";
import { nearestName } from "./nearest-name.ts";

const known = ["customerId", "createdAfter", "createdBefore", "limit", "cursor", "umaAddress"];

it.each([
  ["customer_id", "customerId"],
  ["CustomerID", "customerId"],
  ["costumerId", "customerId"],
  ["created_after", "createdAfter"],
  ["limits", "limit"],
  ["limti", "limit"],
  ["umaAdress", "umaAddress"],
  ["page", undefined],
  ["x", undefined],
  ["", undefined],
  ["__proto__", undefined],
  ["a".repeat(10_000), undefined],
])("%s is nearest to %s", (name, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});

import { expect, it } from "vitest";
import { differences } from "./differences.ts";

it("names what is new, what is gone and what has another value, and nothing else", () => {
  const before = { fullName: "Ana", address: { city: "Boston", line2: "B" }, roles: ["UBO"] };
  const after = {
    fullName: "Ana",
    address: { city: "Salem" },
    roles: ["UBO", "DIRECTOR"],
    email: "a",
  };
  expect(differences(before, after)).toEqual([
    { path: "address.city", before: "Boston", after: "Salem" },
    { path: "roles", before: "UBO", after: "UBO, DIRECTOR" },
    { path: "email", before: undefined, after: "a" },
    { path: "address.line2", before: "B", after: undefined },
  ]);
  expect(differences(after, after)).toEqual([]);
});

it("knows owners by their ids: one that is gone changes no other", () => {
  const owner = (id: string, share: number) => ({ id, ownershipPercentage: share });
  const before = { owners: [owner("A", 60), owner("B", 40)] };
  expect(differences(before, { owners: [owner("B", 40)] })).toEqual([
    { path: "owners.A.ownershipPercentage", before: "60", after: undefined },
  ]);
  expect(differences(before, { owners: [owner("A", 60), owner("B", 30)] })).toEqual([
    { path: "owners.B.ownershipPercentage", before: "40", after: "30" },
  ]);
});

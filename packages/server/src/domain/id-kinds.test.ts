import { describe, expect, it } from "vitest";
import { otherKindComplaint, otherKindInPath } from "./id-kinds.ts";

const uuid = "019a4f00-0000-7000-8000-000000000002";

describe("an id that a field does not take", () => {
  it.each([
    [uuid, ["InternalAccount"], "lacks the prefix InternalAccount:"],
    [
      uuid,
      ["InternalAccount", "ExternalAccount"],
      "lacks the prefix InternalAccount: or ExternalAccount:",
    ],
    [
      `ExternalAccount:${uuid}`,
      ["InternalAccount"],
      "is an external account; this field takes an internal one",
    ],
    [`InternalAccount:${uuid}`, ["InternalAccount"], undefined],
    [uuid.toUpperCase(), ["InternalAccount"], undefined],
    ["InternalAccount", ["InternalAccount"], undefined],
    [5, ["InternalAccount"], undefined],
  ] as const)("%s for %s: %s", (raw, wanted, complaint) => {
    expect(otherKindComplaint(raw, wanted)).toBe(complaint);
  });
});

it("in a path lacks its prefix, or is of another kind", () => {
  expect(otherKindInPath(uuid, "Customer")).toBe("The id lacks the prefix Customer:");
  expect(otherKindInPath(`Token:${uuid}`, "Customer")).toContain("is of a token");
  expect(otherKindInPath(`Customer:${uuid}`, "Customer")).toBeUndefined();
  expect(otherKindInPath("x", "Customer")).toBeUndefined();
});

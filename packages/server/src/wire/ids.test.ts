import { describe, expect, it } from "vitest";
import { parseId, requireId } from "./ids.ts";

const UUID = "019a2f6e-7c1b-7d3e-8a44-5b2f9c0d1e6f";

describe("a wire id", () => {
  it("gives its uuid when kind and spelling are right", () => {
    expect(parseId("Customer", `Customer:${UUID}`)).toBe(UUID);
    expect(requireId("Customer", `Customer:${UUID}`, "USER_NOT_FOUND")).toBe(UUID);
  });

  it.each([
    UUID,
    `Quote:${UUID}`,
    `customer:${UUID}`,
    `Customer:${UUID.toUpperCase()}`,
    `Customer:{${UUID}}`,
    `Customer:${UUID.replaceAll("-", "")}`,
    `Customer: ${UUID}`,
    `Customer:${UUID}\n`,
    `Customer:Customer:${UUID}`,
    "Customer:../../x",
    "Customer:",
    "",
  ])("%j is refused", (raw) => {
    expect(parseId("Customer", raw)).toBeUndefined();
    expect(() => requireId("Customer", raw, "USER_NOT_FOUND")).toThrow("does not exist");
  });
});

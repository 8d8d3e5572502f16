import { describe, expect, it } from "vitest";
import { roles } from "../people/role.ts";
import { mayAskOrDecideAny } from "./approval-kinds.ts";

describe("a role that is granted by two owners", () => {
  it("is each by which a person asks for an order of any kind or decides about one", () => {
    const guarded = roles.filter((role) => mayAskOrDecideAny([role]));
    expect(guarded).toEqual([
      "OWNER",
      "ADMIN",
      "DEVELOPER",
      "FINANCE",
      "APPROVER",
      "COMPLIANCE",
      "SUPPORT",
    ]);
  });
});

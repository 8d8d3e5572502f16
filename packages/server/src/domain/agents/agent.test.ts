import { expect, it } from "vitest";
import { policyRules } from "./actions/judge-action.ts";
import { ruleRefusal } from "./agent.ts";

it("what a policy refuses is remembered under a key, but for a permission, which can come back", () => {
  const remembered = policyRules.map((rule) => [rule, ruleRefusal(rule).isFinal]);
  expect(remembered).toEqual(policyRules.map((rule) => [rule, rule !== "PERMISSION"]));
});

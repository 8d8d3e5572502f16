import { expect, it } from "vitest";
import { policyRules } from "./actions/judge-action.ts";
import { ruleRefusal } from "./agent.ts";

it("a refusal of the policy is stored under the idempotency key, except that of a permission, which can be granted later", () => {
  const remembered = policyRules.map((rule) => [rule, ruleRefusal(rule).isFinal]);
  expect(remembered).toEqual(policyRules.map((rule) => [rule, rule !== "PERMISSION"]));
});

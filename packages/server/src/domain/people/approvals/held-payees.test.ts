/** Under which rules a new external account of a customer waits, and as which kind of approval. */
import { expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { customer, external, PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { customers } from "../../customers/customer.ts";
import { type Environment, platforms } from "../../platform.ts";
import { approvalPolicies, type PolicyRules } from "./approval-policy.ts";
import { customerPayeeOrder } from "./held-payees.ts";
import { holding } from "./hold-order.ts";

interface Case {
  readonly environment?: Environment;
  readonly rules?: PolicyRules;
  readonly isDeposit: boolean;
  readonly isOfPlatform?: boolean;
}

function kindOf({ environment = "PRODUCTION", rules = {}, isDeposit, isOfPlatform }: Case) {
  const { accountType, accountInfo, primaryIdentifier } = external;
  const input = {
    input: {
      customerId: isOfPlatform === true ? undefined : customer.id,
      currency: "USD",
      info: { ok: true, accountType, accountInfo, primaryIdentifier, pullable: true } as const,
      platformAccountId: undefined,
      defaultUmaDepositAccount: isDeposit,
      metadata: null,
    },
    sealed: { content: {}, contentSealed: "s", sealId: customer.id },
    hasTwoOwners: false,
    environment,
  };
  const command = holding(customerPayeeOrder);
  const world = worldFor({
    command,
    input,
    platformId: PLATFORM,
    tables: [
      rowsOf(platforms, { ...platform, environment }),
      rowsOf(customers, customer),
      rowsOf(approvalPolicies, {
        id: PLATFORM,
        rules,
        createdAt: DECIDED_AT,
        updatedAt: DECIDED_AT,
      }),
    ],
  });
  world.begin({ kind: "person", id: customer.id }, 5n);
  const held = command.decide(world, input);
  return held.kind === "held" ? `${held.approval.kind} ${held.approval.capabilities}` : "made";
}

const PAYMENT = "PAYMENT payments.approve";
const PAYEE = "PAYEE payments.approve";

it.each<readonly [what: string, Case, expected: string]>([
  ["a payee in production", { isDeposit: false }, "made"],
  ["a place of incoming money in production", { isDeposit: true }, PAYMENT],
  ["the same in a sandbox", { isDeposit: true, environment: "SANDBOX" }, "made"],
  [
    "an account of the platform, which is no such place",
    { isDeposit: true, isOfPlatform: true },
    "made",
  ],
  [
    "a place where payments do not wait",
    { isDeposit: true, rules: { PAYMENT: { waits: false } } },
    "made",
  ],
  [
    "a place where payees wait and payments do not",
    { isDeposit: true, rules: { PAYMENT: { waits: false }, PAYEE: { waits: true } } },
    PAYEE,
  ],
  ["a place where both wait", { isDeposit: true, rules: { PAYEE: { waits: true } } }, PAYMENT],
  [
    "a place where small payments do not wait",
    { isDeposit: true, rules: { PAYMENT: { waits: true, above: { USD: 1_000_000 } } } },
    PAYMENT,
  ],
  ["a payee where payees wait", { isDeposit: false, rules: { PAYEE: { waits: true } } }, PAYEE],
])("%s", (_what, one, expected) => {
  expect(kindOf(one)).toBe(expected);
});

/** Orders of operators are noted before they are carried out, and change nothing themselves. */
import { describe, expect, it } from "vitest";
import { decided } from "../../../../test/kit/decided.ts";
import { WORKSPACE } from "../../../../test/kit/person-rows.ts";
import {
  type OrderedPlatform,
  orderDecision,
  orderPlatform,
  orderWorkspace,
} from "./orders-of-operators.ts";
import { cancelVerify, NOTHING_COUNTED, startVerify } from "./verify-run.ts";

const place = { platformId: WORKSPACE, tables: [] };
const workspace = { id: "w", name: "Acme", code: "c" };
const platform: OrderedPlatform = {
  id: "p",
  workspaceId: "w",
  name: "Acme",
  environment: "SANDBOX",
  umaDomain: "p.test",
  isRegulated: false,
  clientId: "c",
  clientSecret: "s",
};
const run = { id: "r", requestedBy: "Ana", startedAt: 1, total: 2 };

describe("an order of an operator", () => {
  it.each([
    [
      "create-workspace",
      orderWorkspace.isNoted,
      () => decided({ command: orderWorkspace, input: workspace, ...place }),
      workspace,
    ],
    [
      "create-platform",
      orderPlatform.isNoted,
      () => decided({ command: orderPlatform, input: platform, ...place }),
      platform,
    ],
    [
      "start-verify",
      startVerify.isNoted,
      () => decided({ command: startVerify, input: run, ...place }),
      run,
    ],
    [
      "cancel-verify",
      cancelVerify.isNoted,
      () => decided({ command: cancelVerify, input: undefined, ...place }),
      undefined,
    ],
    [
      "order-verification-decision",
      orderDecision.isNoted,
      () => decided({ command: orderDecision, input: undefined, ...place }),
      undefined,
    ],
  ] as const)(
    "%s is noted and answers what was ordered, so that a repeated call does the same",
    (...row) => {
      const [, isNoted, order, expected] = row;
      const { output, refusal, world } = order();
      expect([isNoted, refusal, world.isEmpty]).toEqual([true, undefined, true]);
      expect(output).toEqual(expected);
    },
  );

  it("has the name that the audit log shows", () => {
    const names = [orderWorkspace, orderPlatform, startVerify, cancelVerify, orderDecision].map(
      ({ name }) => name,
    );
    expect(names).toEqual([
      "create-workspace",
      "create-platform",
      "start-verify",
      "cancel-verify",
      "order-verification-decision",
    ]);
  });

  it("begins a check with nothing counted", () => {
    expect(Object.values(NOTHING_COUNTED).every((count) => count === 0)).toBe(true);
  });
});

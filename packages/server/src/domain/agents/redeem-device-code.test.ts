import { expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { customer, PLATFORM } from "../../../test/kit/payment-rows.ts";
import { type Customer, customers } from "../customers/customer.ts";
import { type Agent, agents } from "./agent.ts";
import { type DeviceCode, deviceCodes } from "./device-code.ts";
import { redeemDeviceCode } from "./redeem-device-code.ts";
import { NOTHING_RESERVED, noUsage } from "./usage.ts";

const agent: Agent = {
  id: "018f0000-0000-7000-8000-0000000000a9",
  customerId: customer.id,
  name: "a",
  isPaused: false,
  policy: {
    permissions: [],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 1 },
  },
  accessTokenHash: null,
  ...noUsage(DECIDED_AT),
  ...NOTHING_RESERVED,
  createdAt: DECIDED_AT,
  updatedAt: DECIDED_AT,
  deletedAt: null,
};
const code: DeviceCode = {
  id: PLATFORM,
  agentId: agent.id,
  codeHash: "h",
  createdAt: DECIDED_AT,
  expiresAt: DECIDED_AT + 1,
  redeemedAt: null,
  voidedAt: null,
};

interface State {
  readonly code?: Partial<DeviceCode>;
  readonly agent?: Partial<Agent>;
  readonly customer?: Partial<Customer>;
}

function redeemed(state: State) {
  const input = { codeHash: "h", accessTokenHash: "t" };
  const tables = [
    rowsOf(deviceCodes, { ...code, ...state.code }),
    rowsOf(agents, { ...agent, ...state.agent }),
    rowsOf(customers, { ...customer, ...state.customer }),
  ];
  const world = worldFor({ command: redeemDeviceCode, input, platformId: PLATFORM, tables });
  const refusal = refusalOf(world, () => redeemDeviceCode.decide(world, input));
  if (refusal !== undefined) return refusal.details?.reason ?? refusal.code;
  const { redeemedAt } = world.get(deviceCodes.ref(code.id));
  const { accessTokenHash } = world.get(agents.ref(agent.id));
  return [redeemedAt, accessTokenHash, ...world.handles];
}

it("a device code is traded for a token, to the very end of its time", () => {
  expect(redeemed({})).toEqual([DECIDED_AT, "t", "agent:t"]);
  expect(redeemed({ code: { expiresAt: DECIDED_AT } })).toBe("has expired");
});

it("a device code that is worth nothing says why in one order", () => {
  const expired = { code: { expiresAt: 1 } };
  const used = { code: { ...expired.code, redeemedAt: 1 } };
  expect([redeemed(expired), redeemed(used)]).toEqual(["has expired", "was redeemed already"]);
  const gone = [
    { ...used, customer: { deletedAt: 1 } },
    { ...used, agent: { deletedAt: 1 } },
    { code: { ...used.code, voidedAt: 1 } },
    { code: { codeHash: "another" } },
  ];
  expect(gone.map(redeemed)).toEqual(gone.map(() => "REFERENCE_NOT_FOUND"));
});

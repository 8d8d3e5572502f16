import { expect, it } from "vitest";
import { deviceCode as code, agent as connected } from "../../../test/kit/agent-rows.ts";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { customer, PLATFORM } from "../../../test/kit/payment-rows.ts";
import { type Customer, customers } from "../customers/customer.ts";
import { type Agent, agents } from "./agent.ts";
import { type DeviceCode, deviceCodes } from "./device-code.ts";
import { redeemDeviceCode } from "./device-code-commands.ts";

/** Not yet. */
const agent: Agent = { ...connected, accessTokenHash: null };

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

it("a device code is redeemed for a token until the last moment before its expiry", () => {
  expect(redeemed({})).toEqual([DECIDED_AT, "t", "agent:t"]);
  expect(redeemed({ code: { expiresAt: DECIDED_AT } })).toBe("has expired");
});

it("a device code that cannot be redeemed is refused in a fixed order", () => {
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

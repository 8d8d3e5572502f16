import { expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { customer, PLATFORM } from "../../../test/kit/payment-rows.ts";
import { type Agent, agents } from "./agent.ts";
import { deleteAgent } from "./delete-agent.ts";
import { type DeviceCode, deviceCodes } from "./device-code.ts";
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

const OTHER = "018f0000-0000-7000-8000-0000000000b1";
const OTHERS_CODE = "018f0000-0000-7000-8000-0000000000b2";

it("an agent that is deleted takes its open device code with it, and no other agent's", () => {
  const tables = [
    rowsOf(agents, agent, { ...agent, id: OTHER }),
    rowsOf(deviceCodes, code, { ...code, id: OTHERS_CODE, agentId: OTHER, codeHash: "o" }),
  ];
  const input = { agentId: agent.id };
  const world = worldFor({ command: deleteAgent, input, platformId: PLATFORM, tables });
  deleteAgent.decide(world, input);
  expect(world.get(agents.ref(agent.id)).deletedAt).toBe(DECIDED_AT);
  const written = [...(world.dirty.get(deviceCodes)?.values() ?? [])].map(({ row }) => row);
  expect(written).toEqual([{ ...code, voidedAt: DECIDED_AT }]);
});

import { expect, it } from "vitest";
import { agent, deviceCode as code } from "../../../test/kit/agent-rows.ts";
import { DECIDED_AT, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { PLATFORM } from "../../../test/kit/payment-rows.ts";
import { agents } from "./agent.ts";
import { deleteAgent } from "./delete-agent.ts";
import { deviceCodes } from "./device-code.ts";

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

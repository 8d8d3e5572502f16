/** An agent of the customer in `payment-rows.ts`, and its device code. */

import { NOTHING_RESERVED, noUsage } from "../../src/domain/agents/actions/usage.ts";
import type { Agent } from "../../src/domain/agents/agent.ts";
import type { DeviceCode } from "../../src/domain/agents/device-code.ts";
import { DECIDED_AT as AT } from "./decide-alone.ts";
import { customer } from "./payment-rows.ts";

export const agent: Agent = {
  people: [],
  lastActionAt: null,
  id: "018f0000-0000-7000-8000-0000000000a9",
  customerId: customer.id,
  name: "a",
  isPaused: false,
  policy: {
    permissions: [],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 1 },
  },
  accessTokenHash: "h",
  ...noUsage(AT),
  ...NOTHING_RESERVED,
  createdAt: AT,
  updatedAt: AT,
  deletedAt: null,
};

export const deviceCode: DeviceCode = {
  id: "018f0000-0000-7000-8000-0000000000dc",
  agentId: agent.id,
  codeHash: "h",
  people: [],
  createdAt: AT,
  expiresAt: AT + 1,
  redeemedAt: null,
  voidedAt: null,
};

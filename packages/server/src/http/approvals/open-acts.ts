/** Carries out orders that move no money themselves: agents, freezes, verifications, external accounts. */
import { toAgentId } from "../../domain/agents/agent.ts";
import { overrideRejection } from "../../domain/customers/verification/override-rejection.ts";
import { toVerificationId } from "../../domain/customers/verification/verification.ts";
import type { Approval } from "../../domain/people/approvals/approval.ts";
import {
  createAgentOrder,
  deviceCodeOrder,
  updateAgentOrder,
  updateAgreedPolicy,
} from "../../domain/people/approvals/held-agents.ts";
import {
  freezeAgreedAccount,
  freezeAgreedCustomer,
  unfreezeAccountOrder,
  unfreezeAgreedAccount,
  unfreezeAgreedCustomer,
  unfreezeCustomerOrder,
} from "../../domain/people/approvals/held-freezes.ts";
import {
  customerPayeeOrder,
  platformPayeeOrder,
} from "../../domain/people/approvals/held-payees.ts";
import { agreedAccountInput } from "../operations/accounts/external-accounts.ts";
import {
  agreedOnAccount,
  agreedOnCustomer,
  type FreezeContent,
  freezeIn,
} from "../operations/accounts/held-freezes.ts";
import {
  type AgentContent,
  agentChangeInput,
  agentInput,
  agreedPolicyInput,
  type CodeContent,
  codeInput,
  peopleBehind,
} from "../operations/agents/held-agents.ts";
import { overrideInput } from "../operations/customers/held-decision.ts";
import type { Services } from "../request/services.ts";
import { type Opener, opening } from "./openers.ts";

const { resultOf: ofCustomer } = unfreezeCustomerOrder;
const { resultOf: ofAccount } = unfreezeAccountOrder;

/** By the operation's id. */
export const actOpeners: Readonly<Record<string, Opener>> = {
  updateAgentPolicy: opening(
    { command: updateAgreedPolicy, resultOf: ({ agent }) => toAgentId(agent.id) },
    agreedPolicyInput,
  ),
  updateAgent: opening(updateAgentOrder, agentChangeInput),
  createAgentDeviceCode: opening(
    deviceCodeOrder,
    (content: CodeContent, _services: Services, approval: Approval) => ({
      ...codeInput(content),
      ...peopleBehind(approval),
    }),
  ),
  createAgent: opening(
    createAgentOrder,
    (content: AgentContent, _services: Services, approval: Approval) => ({
      ...agentInput(content),
      ...peopleBehind(approval),
    }),
  ),
  unfreezeCustomer: opening(
    { command: unfreezeAgreedCustomer, resultOf: ofCustomer },
    agreedOnCustomer,
  ),
  unfreezeInternalAccount: opening(
    { command: unfreezeAgreedAccount, resultOf: ofAccount },
    agreedOnAccount,
  ),
  freezeCustomer: opening(
    { command: freezeAgreedCustomer, resultOf: ofCustomer },
    (content: FreezeContent) => ({ ...agreedOnCustomer(content), ...freezeIn(content) }),
  ),
  freezeInternalAccount: opening(
    { command: freezeAgreedAccount, resultOf: ofAccount },
    (content: FreezeContent) => ({ ...agreedOnAccount(content), ...freezeIn(content) }),
  ),
  decideVerification: opening(
    { command: overrideRejection, resultOf: ({ id }) => toVerificationId(id) },
    overrideInput,
  ),
  createCustomerExternalAccount: opening(customerPayeeOrder, agreedAccountInput),
  createPlatformExternalAccount: opening(platformPayeeOrder, agreedAccountInput),
};

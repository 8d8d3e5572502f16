/**
 * The acts that may wait for other people, by the kind of their approvals. Each has its order, the schema of its content, and the
 * conversion of the content to the input of its command. A kind without an act is a compile error.
 */

import Type from "typebox";
import { toAgentId } from "../../domain/agents/agent.ts";
import { overrideRejection } from "../../domain/customers/verification/override-rejection.ts";
import { toVerificationId } from "../../domain/customers/verification/verification.ts";
import { toAdjustmentId } from "../../domain/payments/adjustments/adjustment.ts";
import { executeHeldQuote } from "../../domain/payments/quotes/execute-held-quote.ts";
import type { BookLegsInput } from "../../domain/payments/transfers/book-legs.ts";
import { findApproval } from "../../domain/people/approvals/approval.ts";
import type { ApprovalKind } from "../../domain/people/approvals/approval-kinds.ts";
import type { OpenedOrder } from "../../domain/people/approvals/decide-approval.ts";
import * as agents from "../../domain/people/approvals/held-agents.ts";
import * as control from "../../domain/people/approvals/held-control.ts";
import * as freezes from "../../domain/people/approvals/held-freezes.ts";
import {
  customerPayeeOrder,
  platformPayeeOrder,
} from "../../domain/people/approvals/held-payees.ts";
import {
  changePersonOrder,
  inviteOrder,
  reEnrolOrder,
  removePersonOrder,
} from "../../domain/people/approvals/held-people.ts";
import * as schedules from "../../domain/people/approvals/held-schedules.ts";
import { decideVerificationOrder } from "../../domain/people/approvals/held-verifications.ts";
import { adjustmentNeeds, postAdjustment } from "../../domain/people/approvals/post-adjustment.ts";
import { setPolicyOrder } from "../../domain/people/approvals/set-policy.ts";
import { changeAgreedSso, changeSsoOrder } from "../../domain/people/single-sign-on/held-sso.ts";
import { present } from "../../std/assert.ts";
import type { JsonObject } from "../../std/json.ts";
import { freezeOfBody } from "../../wire/accounts/freeze.ts";
import { filledText } from "../../wire/fields.ts";
import { requireId } from "../../wire/ids.ts";
import { limitsBody } from "../../wire/prices/fx-position.ts";
import { feesBody, spreadsBody } from "../../wire/prices/price-rules.ts";
import { newLink } from "../console/link-code.ts";
import { emailField } from "../console/operations/people/entry.ts";
import { workspacePlace } from "../console/operations/people/find-approval.ts";
import { linkFor } from "../console/operations/people/person-access.ts";
import { policyInput, rulesField } from "../console/operations/people/policies.ts";
import { grantsField } from "../console/operations/people/role-grants.ts";
import { agreedSsoInput, SsoContent } from "../console/operations/people/sso.ts";
import { AccountContent, agreedAccountInput } from "../operations/accounts/external-accounts.ts";
import * as freezing from "../operations/accounts/freezes.ts";
import * as ofAgents from "../operations/agents/held-agents.ts";
import { OverrideContent, overrideInput } from "../operations/customers/verifications.ts";
import { AdjustmentBody, adjustmentOrderIn } from "../operations/payments/adjustments.ts";
import { batchInput } from "../operations/payments/batch-body.ts";
import { batchOrder, HeldBatchContent } from "../operations/payments/held-batch.ts";
import { boundIn, executeQuoteOrder, HeldQuoteContent } from "../operations/payments/held-quote.ts";
import * as ofSchedules from "../operations/payments/held-schedules.ts";
import * as transfers from "../operations/payments/held-transfers.ts";
import * as holds from "../operations/payments/holds.ts";
import { readHeldTerms } from "../operations/payments/quote-body.ts";
import { shownBookTransfer } from "../operations/payments/transfer-body.ts";
import { agreedTokenInput, carriedToken, TokenContent } from "../operations/people/tokens.ts";
import { limitsInput } from "../operations/prices/fx-positions.ts";
import { feesInput, spreadsInput } from "../operations/prices/price-rules.ts";
import * as connections from "../operations/rails/connection-body.ts";
import { requireConnection } from "../operations/rails/connection-body.ts";
import { CreateConnectionBody, UpdateConnectionBody } from "../operations/rails/connections.ts";
import {
  CreateRouteBody,
  createRouteInput,
  UpdateRouteBody,
  updateRouteInput,
} from "../operations/rails/routes.ts";
import type { Services } from "../request/services.ts";
import { type Act, act, actThat, type OrderPlace, openOrder, running } from "./act.ts";
import { openContent } from "./approval-content.ts";

/** A row as it was shown to people. It is compared as a whole with the current row when the order is carried out. */
const shownRow = Type.Unsafe<JsonObject>({ type: "object" });

const { TransferContent } = transfers;

/** The services of acts that a job carries out at a set time, without an approval. */
type Few = Pick<Services, "reads" | "clock">;

const ofPerson = Type.Object({ personId: Type.String() });

/** A change of people is judged by what its requester may grant at that moment. */
async function asRequester({ services, platformId, approval }: OrderPlace<Few>) {
  const { productionIds } = await workspacePlace(services, { workspaceId: platformId });
  return { by: present(approval.requesterId, "the person who asked"), productionIds };
}

const updatePersonAct = act(
  changePersonOrder,
  Type.Object({
    ...ofPerson.properties,
    roles: Type.Optional(grantsField),
    isSuspended: Type.Optional(Type.Boolean()),
  }),
  async ({ personId, roles, isSuspended }, at: OrderPlace<Few>) => ({
    personId: requireId("Person", personId, "REFERENCE_NOT_FOUND"),
    roles,
    isSuspended,
    ...(await asRequester(at)),
  }),
);

const removePersonAct = act(
  removePersonOrder,
  ofPerson,
  async ({ personId }, at: OrderPlace<Few>) => ({
    personId: requireId("Person", personId, "REFERENCE_NOT_FOUND"),
    ...(await asRequester(at)),
  }),
);

/** The link is shown to the approver, not to the requester. Every person who sees it could use it: `shownTo` names that person. */
function linkTo(
  {
    url,
    ...link
  }: {
    readonly codeHash: string;
    readonly urlSealed: string | undefined;
    readonly url: string | undefined;
  },
  person: { readonly id: string } | undefined,
) {
  return {
    link: { ...link, ...(url === undefined || person === undefined ? {} : { shownTo: person.id }) },
    shown: url === undefined ? {} : { issued: { url } },
  };
}

const invite = actThat(
  inviteOrder,
  Type.Object({
    personId: Type.String(),
    email: emailField,
    name: filledText(255),
    roles: grantsField,
  }),
  async ({ personId, email, name, roles }, at) => {
    const made = newLink(at.services, at.platformId, "INVITE");
    const { link, shown } = linkTo(made, at.person);
    const input = { personId, email, name, roles, ...link, ...(await asRequester(at)) };
    return { ...running(inviteOrder, input), ...shown };
  },
);

const reEnrol = actThat(reEnrolOrder, ofPerson, async (content, at) => {
  const personId = requireId("Person", content.personId, "REFERENCE_NOT_FOUND");
  const made = await linkFor(at.services, { workspaceId: at.platformId, personId });
  const { link, shown } = linkTo(made, at.person);
  const input = { personId, ...link, ...(await asRequester(at)) };
  return { ...running(reEnrolOrder, input), ...shown };
});

const ofCustomer = freezes.unfreezeCustomerOrder;
const ofAccount = freezes.unfreezeAccountOrder;

const CONTROL = [
  act(
    control.createConnectionOrder,
    Type.Object({
      ...CreateConnectionBody.properties,
      sealId: Type.String(),
      secrets: connections.sealedSecrets,
    }),
    (content, { place }) => connections.createConnectionInput(content, place),
  ),
  act(
    control.updateConnectionOrder,
    Type.Object({
      ...UpdateConnectionBody.properties,
      connectionId: Type.String(),
      secrets: connections.sealedSecrets,
      before: shownRow,
    }),
    connections.updateConnectionInput,
  ),
  act(
    control.activateOrder,
    Type.Object({ connectionId: Type.String(), connection: shownRow }),
    async ({ connectionId, connection: shown }, { services, platformId }) => {
      const found = await requireConnection(services, { platformId }, connectionId);
      return connections.activationInput(services, { found, shown });
    },
  ),
  act(
    control.createRouteOrder,
    Type.Object({ ...CreateRouteBody.properties, connection: Type.Optional(shownRow) }),
    createRouteInput,
  ),
  act(
    control.updateRouteOrder,
    Type.Object({
      ...UpdateRouteBody.properties,
      routeId: Type.String(),
      connection: Type.Optional(shownRow),
    }),
    updateRouteInput,
  ),
  act(control.setFeesOrder, feesBody, feesInput),
  act(control.setSpreadsOrder, spreadsBody, spreadsInput),
  act(control.setLimitsOrder, limitsBody, limitsInput),
] as const;

function runningLegs(input: BookLegsInput) {
  return running(transfers.bookLegsOrder(input), input);
}

const ACTS = {
  ADJUSTMENT: [
    actThat({ kind: "ADJUSTMENT", act: "createAdjustment" }, AdjustmentBody, (content) => {
      const order = adjustmentOrderIn(content);
      return {
        needs: (world) => adjustmentNeeds(world, order),
        carryOut: (world, approval) =>
          toAdjustmentId(postAdjustment(world, { order, approval }).id),
      };
    }),
  ],
  PAYMENT: [
    act(transfers.transferOutOrder, TransferContent, (content, { services }) =>
      transfers.transferOutInput(content, services),
    ),
    act(transfers.transferInOrder, TransferContent, (content, { services }) =>
      transfers.transferInInput(content, services),
    ),
    act(batchOrder, HeldBatchContent, (content, { services: { rails } }) =>
      batchInput(content, { rails, isAgreed: true }),
    ),
    actThat({ kind: "PAYMENT", act: "createTransfer" }, shownBookTransfer, (content) =>
      content.legs === undefined
        ? running(transfers.bookTransferOrder, transfers.bookTransferInput(content))
        : runningLegs(transfers.bookLegsInput(content)),
    ),
    act(transfers.refundOrder, transfers.RefundContent, (content, { services }) =>
      transfers.refundInput(content, services),
    ),
    act(holds.captureOrder, holds.CaptureContent, (content, { services }) =>
      holds.captureInput(content, services),
    ),
    act(schedules.createScheduleOrder, ofSchedules.CreateScheduleBody, (content, { services }) =>
      ofSchedules.createScheduleInput(content, services),
    ),
    act(
      { ...schedules.updateScheduleOrder, command: schedules.updateAgreedSchedule },
      ofSchedules.ChangeContent,
      (content, { services }) => ofSchedules.agreedChange(content, services),
    ),
    act(
      { ...schedules.runScheduleOrder, command: schedules.runAgreedSchedule },
      ofSchedules.RunContent,
      (content, { services }) => ofSchedules.agreedRun(content, services),
    ),
    act(
      { ...executeQuoteOrder, command: executeHeldQuote },
      HeldQuoteContent,
      async (content, { services, platformId }) => ({
        quoteId: requireId("Quote", content.quoteId, "QUOTE_NOT_FOUND"),
        terms: await readHeldTerms(services, platformId, content),
        bound: boundIn(content),
      }),
    ),
  ],
  TOKEN: [
    act(carriedToken, TokenContent, (content, { approval, place }) =>
      agreedTokenInput(content, approval, place),
    ),
  ],
  PAYEE: [
    act(customerPayeeOrder, AccountContent, agreedAccountInput),
    act(platformPayeeOrder, AccountContent, agreedAccountInput),
  ],
  AGENT_POLICY: [
    act(
      {
        ...agents.updatePolicyOrder,
        command: agents.updateAgreedPolicy,
        resultOf: ({ agent }) => toAgentId(agent.id),
      },
      ofAgents.PolicyContent,
      ofAgents.agreedPolicyInput,
    ),
    act(agents.updateAgentOrder, ofAgents.AgentChange, ofAgents.agentChangeInput),
    act(agents.deviceCodeOrder, ofAgents.CodeContent, (content, { approval }) => ({
      ...ofAgents.codeInput(content),
      ...ofAgents.peopleBehind(approval),
    })),
    act(agents.createAgentOrder, ofAgents.AgentContent, (content, { approval }) => ({
      ...ofAgents.agentInput(content),
      ...ofAgents.peopleBehind(approval),
    })),
  ],
  UNFREEZE: [
    act(
      { ...ofCustomer, command: freezes.unfreezeAgreedCustomer },
      freezing.CustomerUnfreeze,
      freezing.agreedOnCustomer,
    ),
    act(
      { ...ofAccount, command: freezes.unfreezeAgreedAccount },
      freezing.AccountUnfreeze,
      freezing.agreedOnAccount,
    ),
    act(
      {
        ...ofCustomer,
        act: freezes.freezeCustomerOrder.act,
        command: freezes.freezeAgreedCustomer,
      },
      freezing.CustomerFreeze,
      (content) => ({ ...freezing.agreedOnCustomer(content), freeze: freezeOfBody(content) }),
    ),
    act(
      { ...ofAccount, act: freezes.freezeAccountOrder.act, command: freezes.freezeAgreedAccount },
      freezing.AccountFreeze,
      (content) => ({ ...freezing.agreedOnAccount(content), freeze: freezeOfBody(content) }),
    ),
  ],
  KYC_OVERRIDE: [
    act(
      {
        ...decideVerificationOrder,
        command: overrideRejection,
        resultOf: ({ id }) => toVerificationId(id),
      },
      OverrideContent,
      (content, { approval }) => overrideInput(content, approval),
    ),
  ],
  ROLE_GRANT: [updatePersonAct, invite],
  REENROLMENT: [reEnrol],
  ISSUER: [act({ ...changeSsoOrder, command: changeAgreedSso }, SsoContent, agreedSsoInput)],
  OWNER_CHANGE: [removePersonAct],
  POLICY: [
    act(setPolicyOrder, Type.Object({ rules: rulesField }), ({ rules }, at) =>
      policyInput(rules, at),
    ),
  ],
  CONTROL,
} as const satisfies Readonly<Record<ApprovalKind, readonly [Act, ...Act[]]>>;

/** Acts by the id of their operation. */
export const acts: ReadonlyMap<string, Act> = new Map(
  Object.values(ACTS)
    .flat()
    .map((one) => [one.act, one]),
);

const timedActs = new Map([updatePersonAct, removePersonAct].map((one) => [one.act, one]));

type TimedServices = Few & Pick<Services, "sealer" | "compile">;

/** Opens the order of a workspace approval that a job carries out. */
export async function openTimed(
  services: TimedServices,
  workspaceId: string,
  approvalId: string,
): Promise<OpenedOrder> {
  const found = await findApproval(services.reads, workspaceId, approvalId);
  const approval = present(found, "the approval of a job");
  const place = await workspacePlace(services, { workspaceId });
  const content = openContent(services, workspaceId, approval);
  return openOrder<TimedServices>(timedActs, content, { ...place, services, approval });
}

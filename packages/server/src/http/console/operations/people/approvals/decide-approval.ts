import { createHash } from "node:crypto";
import Type, { type Static } from "typebox";
import { type Approval, challengeText } from "../../../../../domain/people/approvals/approval.ts";
import {
  cancelApproval as cancel,
  decideApproval as command,
  type DecideApprovalInput,
  refuseApprover,
} from "../../../../../domain/people/approvals/decide-approval.ts";
import { approverOf, standingOf } from "../../../../../domain/people/approvals/eligible-people.ts";
import { pathId } from "../../../../../wire/id-fields.ts";
import { ApprovalSchema, approvalExample } from "../../../../../wire/people/approval.ts";
import { openOrder } from "../../../../approvals/act.ts";
import { acts } from "../../../../approvals/acts.ts";
import { openContent } from "../../../../approvals/approval-content.ts";
import { withIssued } from "../../../../approvals/submit-held.ts";
import { defineOperation, type PersonPrincipal } from "../../../../request/operation.ts";
import type { Services } from "../../../../request/services.ts";
import { submitForCaller } from "../../../../request/submit-for-caller.ts";
import { noteCopied } from "../entry/counter-back.ts";
import { AssertionSchema, fixedOptions, proveFixed } from "../entry/passkey-proof.ts";
import { OptionsSchema } from "../entry/start.ts";
import { type FoundApproval, requireApproval, seenApproval } from "./find-approval.ts";

const params = Type.Object({ approvalId: pathId("Approval") });

const body = Type.Object({
  outcome: Type.Enum(["APPROVED", "REJECTED"]),
  note: Type.Optional(Type.String({ maxLength: 500 })),
  assertion: Type.Optional(AssertionSchema),
});

export const decideApproval = defineOperation({
  id: "decideApproval",
  method: "POST",
  path: "/workspace/approvals/{approvalId}/decide",
  access: "PERSON",
  tag: "Approvals",
  summary: "Agree to an order that waits, or refuse it",
  description:
    "To agree, a passkey signs a challenge that follows from the id and the digest of what is shown; without `assertion` the answer has the " +
    "options for that, and nothing is decided. The last agreement that is needed carries the order out in the same commit.",
  params,
  body,
  requestExample: { outcome: "REJECTED", note: "The amount is wrong." },
  answers: {
    200: {
      description: "The approval after it, or the options.",
      schema: Type.Union([ApprovalSchema, OptionsSchema]),
      example: { ...approvalExample, state: "REJECTED" },
    },
  },
  refusals: ["INVALID_INPUT", "APPROVAL_NOT_FOUND", "APPROVAL_NOT_YOURS", "CONFLICT"],
  async handle({ principal, params: { approvalId }, body: sent, idempotency }, services: Services) {
    const found = await requireApproval(services, principal, approvalId);
    const approver = approverOf(found.person, found.place);
    const decide = (decision: DecideApprovalInput["decision"], issued?: object) =>
      submitForCaller(services.engine, atPlace(principal, found, sent.note), {
        command,
        input: {
          approvalId: found.approval.id,
          approver,
          standing: standingOf(found.approval, found.place),
          note: sent.note ?? null,
          decision,
        },
        toAnswer(approval) {
          const answer = shown(services, found, approval);
          const body = withIssued(answer.body, approval.state === "DONE" ? issued : undefined);
          return { ...answer, body };
        },
        idempotency,
        secret: true,
      });
    if (sent.outcome === "REJECTED") return decide({ outcome: "REJECTED" });
    const challenge = challengeOf(found.approval);
    if (sent.assertion === undefined) {
      refuseApprover(found.approval, approver, sent.outcome);
      const options = await fixedOptions(services, challenge, principal);
      return { status: 200, body: JSON.stringify(options) };
    }
    const { decision, issued } = await agreement(services, principal, {
      found,
      sent: sent.assertion,
    });
    const answered = await decide(decision, issued);
    // The order may have changed people.
    services.people.sessions.forget();
    return answered;
  },
});

/** Base64url, as a browser takes it. */
function challengeOf(approval: Approval): string {
  return createHash("sha256").update(challengeText(approval)).digest("base64url");
}

async function agreement(
  services: Services,
  principal: PersonPrincipal,
  { found, sent }: { readonly found: FoundApproval; readonly sent: Static<typeof AssertionSchema> },
): Promise<{ readonly decision: DecideApprovalInput["decision"]; readonly issued?: object }> {
  const { approval, platformId } = found;
  const { workspaceId, personId } = principal;
  const copied = (passkeyId: string) => noteCopied(services, principal, passkeyId);
  return services.people.failedProofs.run(`approve ${personId}`, async () => {
    const asked = { workspaceId, personId, sent, noteCopied: copied };
    const assertion = await proveFixed(services, challengeOf(approval), asked);
    const content = openContent(services, platformId, approval);
    const { issued, ...order } = await openOrder(acts, content, { ...found, services });
    const decision = { outcome: "APPROVED", assertion, order } as const;
    return { decision, ...(issued === undefined ? {} : { issued }) };
  });
}

export const cancelApproval = defineOperation({
  id: "cancelApproval",
  method: "POST",
  path: "/workspace/approvals/{approvalId}/cancel",
  access: "PERSON",
  tag: "Approvals",
  summary: "Take back an order that waits",
  description: "Only the person who asked for it, or who made the token that did.",
  params,
  answers: {
    200: {
      description: "The approval after it.",
      schema: ApprovalSchema,
      example: { ...approvalExample, state: "CANCELLED" },
    },
  },
  refusals: ["APPROVAL_NOT_FOUND", "APPROVAL_NOT_YOURS", "CONFLICT"],
  async handle({ principal, params: { approvalId }, idempotency }, services: Services) {
    const found = await requireApproval(services, principal, approvalId);
    return submitForCaller(services.engine, atPlace(principal, found), {
      command: cancel,
      input: { approvalId: found.approval.id, personId: principal.personId },
      toAnswer: (approval) => shown(services, found, approval),
      idempotency,
      secret: true,
    });
  },
});

/** The person, at the partition of the approval. */
function atPlace(
  principal: PersonPrincipal,
  { platformId }: FoundApproval,
  reason: string | undefined = undefined,
): PersonPrincipal {
  return { ...principal, platformId, act: { ...principal.act, reason: reason ?? null } };
}

function shown(services: Services, found: FoundApproval, approval: Approval) {
  return { status: 200, body: seenApproval(services, found, approval) };
}

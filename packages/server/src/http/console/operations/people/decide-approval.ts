/** Agreeing to an order, refusing it, and taking it back. */
import { createHash } from "node:crypto";
import Type, { type Static } from "typebox";
import { type Approval, challengeText } from "../../../../domain/people/approvals/approval.ts";
import {
  cancelApproval as cancelApprovalCommand,
  type DecideApprovalInput,
  decideApproval as decideApprovalCommand,
  refuseApprover,
} from "../../../../domain/people/approvals/decide-approval.ts";
import { approverOf, standingOf } from "../../../../domain/people/approvals/eligible-people.ts";
import type { AgreedShowing } from "../../../../domain/people/approvals/shown/kept-showing.ts";
import type { Answered, Idempotency } from "../../../../engine/command.ts";
import { wrongState } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { ApprovalSchema, approvalExample } from "../../../../wire/people/approval.ts";
import { openOrder } from "../../../approvals/act.ts";
import { acts } from "../../../approvals/acts.ts";
import { openContent } from "../../../approvals/approval-content.ts";
import { LONGEST_SHOWN, refuseChanged, shownBack } from "../../../approvals/showing.ts";
import { withIssued } from "../../../approvals/submit-held.ts";
import { defineOperation, type PersonPrincipal, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller, submitFound } from "../../../request/submit-for-caller.ts";
import { noteCopied } from "./counter-back.ts";
import { OptionsSchema } from "./entry.ts";
import { type FoundApproval, requireApproval, seenApproval, shownTo } from "./find-approval.ts";
import { AssertionSchema, fixedOptions, proveFixed } from "./passkey-proof.ts";

const params = Type.Object({ approvalId: pathId("Approval") });

const body = Type.Object({
  outcome: Type.Enum(["APPROVED", "REJECTED"]),
  note: Type.Optional(Type.String({ maxLength: 500 })),
  shown: Type.Optional(
    Type.String({
      maxLength: LONGEST_SHOWN,
      description: "To agree: the `shown.sealed` of the approval as you were shown it.",
    }),
  ),
  assertion: Type.Optional(AssertionSchema),
});

const decideApproval = defineOperation({
  id: "decideApproval",
  ...route("POST /workspace/approvals/{approvalId}/decide", "PERSON"),
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
    if (sent.outcome === "REJECTED") {
      const find = async () => ({ decision: { outcome: "REJECTED" } as const });
      return decideAs(services, principal, { found, note: sent.note, find, idempotency });
    }
    if (sent.assertion === undefined) refuseNow(found);
    const to = shownTo(services, principal, found);
    const shown = shownBack(services, to, sent.shown);
    const challenge = challengeOf(found.approval, shown);
    if (sent.assertion === undefined) {
      await refuseChanged(services, to, shown);
      const options = await fixedOptions(services, challenge, principal);
      return { status: 200, body: JSON.stringify(options) };
    }
    const agreed = await agreement(services, principal, { found, challenge, sent: sent.assertion });
    const find = async () => {
      await refuseChanged(services, to, shown);
      const { decision, issued } = agreed;
      return { decision: { ...decision, shown }, issued };
    };
    const answered = await decideAs(services, principal, {
      found,
      note: sent.note,
      find,
      idempotency,
    });
    // The order may have changed people, so cached sessions are dropped.
    services.people.sessions.forget();
    return answered;
  },
});

/** Refuses a person who may not agree before their passkey is asked for. */
function refuseNow({ approval, person, place }: FoundApproval): void {
  refuseApprover(approval, approverOf(person, place), "APPROVED");
  const { state: status } = approval;
  if (status !== "PENDING")
    throw wrongState({ object: "approval", status, needed: "PENDING", action: "decided" });
}

interface Decided {
  readonly decision: DecideApprovalInput["decision"];
  /** Secrets that the order creates. */
  readonly issued?: object | undefined;
}

/** Submits the decision, or the refusal of `find` in its place, under the key of the call. */
function decideAs(
  services: Services,
  principal: PersonPrincipal,
  {
    found,
    note,
    find,
    idempotency,
  }: {
    readonly found: FoundApproval;
    readonly note: string | undefined;
    readonly find: () => Promise<Decided>;
    readonly idempotency: Idempotency | undefined;
  },
): Promise<Answered> {
  let issued: object | undefined;
  return submitFound(services.engine, atPlace(principal, found, note), {
    command: decideApprovalCommand,
    async find() {
      const decided = await find();
      issued = decided.issued;
      return {
        approvalId: found.approval.id,
        approver: approverOf(found.person, found.place),
        standing: standingOf(found.approval, found.place),
        note: note ?? null,
        decision: decided.decision,
      };
    },
    toAnswer(approval) {
      const answer = shown(services, found, approval);
      const body = withIssued(answer.body, approval.state === "DONE" ? issued : undefined);
      return { ...answer, body };
    },
    idempotency,
    secret: true,
  });
}

/** The challenge in base64url, as browsers expect it. */
function challengeOf(approval: Approval, { digest }: AgreedShowing): string {
  return createHash("sha256").update(challengeText(approval, digest)).digest("base64url");
}

async function agreement(
  services: Services,
  principal: PersonPrincipal,
  {
    found,
    challenge,
    sent,
  }: {
    readonly found: FoundApproval;
    readonly challenge: string;
    readonly sent: Static<typeof AssertionSchema>;
  },
) {
  const { approval, platformId } = found;
  const { workspaceId, personId } = principal;
  const copied = (passkeyId: string) => noteCopied(services, principal, passkeyId);
  return services.people.failedProofs.run(`approve ${personId}`, async () => {
    const asked = { workspaceId, personId, sent, noteCopied: copied };
    const assertion = await proveFixed(services, challenge, asked);
    const content = openContent(services, platformId, approval);
    const { issued, ...order } = await openOrder(acts, content, { ...found, services });
    return { decision: { outcome: "APPROVED", assertion, order } as const, issued };
  });
}

const cancelApproval = defineOperation({
  id: "cancelApproval",
  ...route("POST /workspace/approvals/{approvalId}/cancel", "PERSON"),
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
      command: cancelApprovalCommand,
      input: { approvalId: found.approval.id, personId: principal.personId },
      toAnswer: (approval) => shown(services, found, approval),
      idempotency,
      secret: true,
    });
  },
});

/** The person as a caller at the partition of the approval. */
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

export const decidingOperations = [decideApproval, cancelApproval];

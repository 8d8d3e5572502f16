import Type from "typebox";
import {
  type Approval,
  type ApprovalDecision,
  approvalStates,
  toApprovalId,
} from "../../domain/people/approvals/approval.ts";
import { approvalKinds } from "../../domain/people/approvals/approval-kinds.ts";
import { toPlatformConfigId } from "../../domain/platform.ts";
import { toIso } from "../../std/clock.ts";
import type { JsonObject } from "../../std/json.ts";
import { sensitive } from "../../validation/schema.ts";
import { DateTimeSchema, optional } from "../fields.ts";

const text = (description?: string) =>
  Type.String(description === undefined ? {} : { description });

const DecisionSchema = Type.Object({
  by: text("`Person:<uuid>`"),
  at: DateTimeSchema,
  outcome: Type.Enum(["APPROVED", "REJECTED"]),
  note: Type.Optional(text()),
  isOwn: Type.Optional(
    Type.Boolean({
      description: "Who asked agreed: in a sandbox whose workspace has no other active person.",
    }),
  ),
  assertion: Type.Optional(
    Type.Object(
      {
        credentialId: text(),
        clientDataJSON: Type.String(sensitive),
        authenticatorData: Type.String(sensitive),
        signature: Type.String(sensitive),
      },
      {
        description:
          "The proof of the passkey. Its challenge is the SHA-256 of `florin approval v1`, the id and `contentDigest`, each on a line of its own.",
      },
    ),
  ),
});

export const ApprovalSchema = Type.Object(
  {
    id: text("`Approval:<uuid>`"),
    platformId: Type.Optional(
      text("`PlatformConfig:<uuid>`; absent where it concerns the workspace."),
    ),
    kind: Type.Enum([...approvalKinds]),
    operation: text("The operation that was asked for."),
    state: Type.Enum([...approvalStates], {
      description:
        "`DONE`: the people agreed and it was carried out. `FAILED`: they agreed, and it was refused then; `failure` says why, and nothing was done.",
    }),
    requestedBy: text("`Person:<uuid>` or `Token:<uuid>`"),
    requestedAt: DateTimeSchema,
    summary: text("What is asked for, in a sentence without personal data."),
    content: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            "What was asked for, as it was sent, and what it would change: a policy as `before`, a freeze as `frozen`, a `rejection`. Events do not have it.",
        },
      ),
    ),
    contentDigest: text(
      "SHA-256, in hexadecimal, of the JSON object of `content`, `kind`, `operation` and `summary`, with sorted keys and without spaces.",
    ),
    approvalsNeeded: Type.Integer({
      minimum: 0,
      maximum: 2,
      description: "0: it is carried out at `expiresAt` unless it is rejected before.",
    }),
    decisions: Type.Array(DecisionSchema, { description: "The first one first." }),
    expiresAt: Type.String({
      format: "date-time",
      description: "It is not decided after this time.",
    }),
    resultId: Type.Optional(text("The object that came of it.")),
    failure: Type.Optional(
      Type.Object({
        code: text("A code of an error."),
        message: text(),
        details: Type.Optional(Type.Object({}, { additionalProperties: true })),
      }),
    ),
    issued: Type.Optional(
      Type.Object(
        {
          clientId: Type.Optional(text()),
          clientSecret: Type.Optional(Type.String({ ...sensitive })),
          url: Type.Optional(Type.String({ ...sensitive })),
          code: Type.Optional(Type.String({ ...sensitive })),
          deviceCode: Type.Optional(Type.Object({ code: Type.String({ ...sensitive }) })),
        },
        {
          description:
            "In the answer to the request alone: secrets of what was asked for, which count once it is `DONE`. The link of an invitation or of a new passkey is in the answer to the agreement that carries it out, unless it is mailed.",
        },
      ),
    ),
    blockedBecause: Type.Optional(
      Type.Enum(["NO_ELIGIBLE_APPROVER"], {
        description:
          "Too few people of the workspace may decide; roles in the console change that.",
      }),
    ),
  },
  { $id: "Approval" },
);

interface ShownWith {
  /** That of the approval; undefined for what concerns the workspace. */
  readonly platformId: string | undefined;
  /** Undefined in events. */
  readonly content: JsonObject | undefined;
  readonly isBlocked: boolean;
}

export function approvalJson(approval: Approval, shown: ShownWith): string {
  const { platformId, content, isBlocked } = shown;
  const { failure } = approval;
  return JSON.stringify({
    id: toApprovalId(approval.id),
    ...optional("platformId", platformId === undefined ? null : toPlatformConfigId(platformId)),
    kind: approval.kind,
    operation: approval.act,
    state: approval.state,
    requestedBy: approval.requestedBy,
    requestedAt: toIso(approval.createdAt),
    summary: approval.summary,
    ...optional("content", content ?? null),
    contentDigest: approval.contentDigest,
    approvalsNeeded: approval.approvalsNeeded,
    decisions: approval.decisions.map(decisionToWire),
    expiresAt: toIso(approval.expiresAt),
    ...optional("resultId", approval.resultId),
    ...(failure === null ? {} : { failure: { ...failure, details: failure.details ?? undefined } }),
    ...(isBlocked ? { blockedBecause: "NO_ELIGIBLE_APPROVER" } : {}),
  });
}

function decisionToWire({ by, at, outcome, note, isOwn, assertion }: ApprovalDecision) {
  return {
    by,
    at,
    outcome,
    ...optional("note", note),
    ...(isOwn ? { isOwn } : {}),
    ...(assertion === null
      ? {}
      : {
          assertion: {
            credentialId: assertion.credentialId,
            clientDataJSON: assertion.clientDataJson,
            authenticatorData: assertion.authenticatorData,
            signature: assertion.signature,
          },
        }),
  };
}

export const approvalExample = {
  id: "Approval:019a4f00-0000-7000-8000-000000000041",
  platformId: "PlatformConfig:019a4f00-0000-7000-8000-000000000000",
  kind: "ADJUSTMENT",
  operation: "createAdjustment",
  state: "PENDING",
  requestedBy: "Token:019a4f00-0000-7000-8000-000000000007",
  requestedAt: "2026-11-21T10:00:00.000Z",
  summary: "Credit of 12.50 USD to InternalAccount:019a4f00-0000-7000-8000-000000000002: GOODWILL",
  content: {
    accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
    direction: "CREDIT",
    amount: 1250,
    currency: "USD",
    reasonCode: "GOODWILL",
    note: "Apology for the late payout",
  },
  contentDigest: "7b1f0a3d5c9e2f48a6b0c4d8e1f3a5b7c9d0e2f4a6b8c0d2e4f6a8b0c2d4e6f8",
  approvalsNeeded: 1,
  decisions: [],
  expiresAt: "2026-11-28T10:00:00.000Z",
};

/** The answer to an act that waits for other people. */
export const waitingForPeople = {
  description: "It waits: nothing is done before other people have agreed to it.",
  schema: ApprovalSchema,
  example: approvalExample,
};

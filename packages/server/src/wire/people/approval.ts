import Type from "typebox";
import {
  type Approval,
  type ApprovalDecision,
  approvalStates,
  type KeptAssertion,
} from "../../domain/people/approvals/approval.ts";
import { approvalKinds } from "../../domain/people/approvals/approval-kinds.ts";
import type { JsonObject } from "../../std/json.ts";
import { sensitive } from "../../validation/schema.ts";
import { DateTimeSchema } from "../fields.ts";
import { exampleId } from "../id-fields.ts";
import { partiesSchema } from "../reading/party.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const proof = wireObject(
  {
    description:
      "The proof of the passkey. Its challenge is the SHA-256 of `florin approval v2`, the id, `contentDigest` and `shownDigest`, each on a line of its own. Without `shownDigest` the first line is `florin approval v1`.",
  },
  ({ of }: Kit<KeptAssertion>) => ({
    credentialId: of.text(),
    clientDataJSON: of.text({ from: "clientDataJson", ...sensitive }),
    authenticatorData: of.text(sensitive),
    signature: of.text(sensitive),
  }),
);

const decision = wireObject({}, ({ of, maybe }: Kit<ApprovalDecision>) => ({
  by: of.text({ description: "`Person:<uuid>`" }),
  at: of.json(DateTimeSchema),
  outcome: of.enum(["APPROVED", "REJECTED"]),
  note: maybe.text(),
  isOwn: maybe.boolean({
    from: ({ isOwn }) => isOwn || null,
    description: "Who asked agreed: in a sandbox whose workspace has no other active person.",
  }),
  shownDigest: maybe.text({
    description:
      "SHA-256, in hexadecimal, of the facts that the person was shown. Absent for a rejection, and for agreements of earlier versions.",
  }),
  assertion: maybe.object(proof),
}));

const ContentSchema = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      "What was asked for, as it was sent, and what it would change: a policy as `before`, a freeze as `frozen`, a `rejection`. Events do not have it.",
  },
);

const FailureSchema = Type.Object({
  code: Type.String({ description: "A code of an error." }),
  message: Type.String(),
  details: Type.Optional(Type.Object({}, { additionalProperties: true })),
});

const IssuedSchema = Type.Object(
  {
    clientId: Type.Optional(Type.String()),
    clientSecret: Type.Optional(Type.String({ ...sensitive })),
    url: Type.Optional(Type.String({ ...sensitive })),
    code: Type.Optional(Type.String({ ...sensitive })),
    deviceCode: Type.Optional(Type.Object({ code: Type.String({ ...sensitive }) })),
  },
  {
    description:
      "In the answer to the request alone: secrets of what was asked for, which count once it is `DONE`. The link of an invitation or of a new passkey is in the answer to the agreement that carries it out, unless it is mailed.",
  },
);

const PartiesSchema = partiesSchema(
  ["from", "to", "by"],
  "Who asked is `by`; a payment and an adjustment have sides as well. ",
);

interface ShownWith {
  /** The platform of the approval; undefined when it concerns the workspace. */
  readonly platformId: string | undefined;
  /** Undefined in events, which do not show the content. */
  readonly content: JsonObject | undefined;
  readonly isBlocked: boolean;
}

export const {
  schema: ApprovalSchema,
  json: approvalJson,
  example: approvalExample,
} = wireObject("Approval", ({ of, maybe }: Kit<Approval, ShownWith>) => ({
  id: of.id("Approval", { description: "`Approval:<uuid>`", example: 41 }),
  platformId: maybe.id("PlatformConfig", {
    from: (_, { platformId }) => platformId,
    description: "`PlatformConfig:<uuid>`; absent where it concerns the workspace.",
    example: 0,
  }),
  kind: of.enum(approvalKinds, { example: "ADJUSTMENT" }),
  operation: of.text({
    from: "act",
    description: "The operation that was asked for.",
    example: "createAdjustment",
  }),
  state: of.enum(approvalStates, {
    description:
      "`DONE`: the people agreed and it was carried out. `FAILED`: they agreed, and it was refused then; `failure` says why, and nothing was done.",
    example: "PENDING",
  }),
  requestedBy: of.text({
    description: "`Person:<uuid>` or `Token:<uuid>`",
    example: exampleId("Token", "7"),
  }),
  requestedAt: of.time({ from: "createdAt", example: "2026-11-21T10:00:00.000Z" }),
  summary: of.text({
    description: "What is asked for, in a sentence without personal data.",
    example: `Credit of 12.50 USD to ${exampleId("InternalAccount")}: GOODWILL`,
  }),
  content: maybe.json(ContentSchema, {
    from: (_, { content }) => content,
    example: {
      accountId: exampleId("InternalAccount"),
      direction: "CREDIT",
      amount: 1250,
      currency: "USD",
      reasonCode: "GOODWILL",
      note: "Apology for the late payout",
    },
  }),
  contentDigest: of.text({
    description:
      "SHA-256, in hexadecimal, of the JSON object of `content`, `kind`, `operation` and `summary`, with sorted keys and without spaces.",
    example: "7b1f0a3d5c9e2f48a6b0c4d8e1f3a5b7c9d0e2f4a6b8c0d2e4f6a8b0c2d4e6f8",
  }),
  approvalsNeeded: of.integer({
    minimum: 0,
    maximum: 2,
    description: "0: it is carried out at `expiresAt` unless it is rejected before.",
    example: 1,
  }),
  decisions: of.list(decision, { description: "The first one first.", example: [] }),
  expiresAt: of.time({
    description: "It is not decided after this time.",
    example: "2026-11-28T10:00:00.000Z",
  }),
  resultId: maybe.text({ description: "The object that came of it." }),
  failure: maybe.json(FailureSchema, {
    from: ({ failure }) => failure && { ...failure, details: failure.details ?? undefined },
  }),
  issued: maybe.json(IssuedSchema, { from: () => undefined }),
  parties: maybe.json(PartiesSchema, { from: () => undefined }),
  blockedBecause: maybe.enum(["NO_ELIGIBLE_APPROVER"], {
    from: (_, { isBlocked }) => (isBlocked ? "NO_ELIGIBLE_APPROVER" : null),
    description: "Too few people of the workspace may decide; roles in the console change that.",
  }),
}));

/** The answer to an act that waits for other people. */
export const waitingForPeople = {
  description: "It waits: nothing is done before other people have agreed to it.",
  schema: ApprovalSchema,
  example: approvalExample,
};

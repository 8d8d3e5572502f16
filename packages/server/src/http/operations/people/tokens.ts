import { randomBytes } from "node:crypto";
import Type, { type Static } from "typebox";
import type { Kin } from "../../../domain/lineage.ts";
import type { Approval } from "../../../domain/people/approvals/approval.ts";
import {
  type ApprovalPlace,
  capabilitiesIn,
  hasTwoOwners,
  lineageAt,
} from "../../../domain/people/approvals/eligible-people.ts";
import type { HoldableOrder } from "../../../domain/people/approvals/hold-order.ts";
import { isOwner } from "../../../domain/people/person.ts";
import { openedBy } from "../../../domain/people/role.ts";
import { findToken, listTokens as loadTokens } from "../../../domain/people/tokens/token.sql.ts";
import {
  type CreateTokenInput,
  createToken as createTokenCommand,
  deleteToken as deleteTokenCommand,
  EXPIRED_ALREADY,
  refuseGrant,
  refuseLongerLife,
} from "../../../domain/people/tokens/token-commands.ts";
import { hashSecret, lineageBelow, type Permission, type Token } from "../../../domain/token.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { toWireId } from "../../../std/ids.ts";
import { judgementOf } from "../../../validation/validation.ts";
import { nameField } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { CreatedTokenSchema, PermissionSchema, wireToken } from "../../../wire/people/token.ts";
import { placeOf } from "../../approvals/approval-content.ts";
import { submitHeld } from "../../approvals/submit-held.ts";
import { dateConditions, dateFilters, when } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { getFacts, listFacts } from "../../request/noun.ts";
import {
  defineOperation,
  isPerson,
  type JudgeSurroundings,
  type Principal,
  route,
} from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

/** The content holds only the hash of the secret, which the token stores. */
export const TokenContent = Type.Object({
  name: nameField,
  permissions: Type.Array(PermissionSchema, { minItems: 1 }),
  expiresAt: Type.Optional(Type.String({ format: "date-time" })),
  clientId: Type.String(),
  secretHash: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});
export type TokenContent = Static<typeof TokenContent>;

function tokenInput(content: TokenContent, lineage: readonly Kin[]): CreateTokenInput {
  const { name, permissions, expiresAt, clientId, secretHash } = content;
  return {
    name,
    permissions,
    clientId,
    secretHash: Buffer.from(secretHash, "hex"),
    expiresAt: expiresAt === undefined ? null : Date.parse(expiresAt.toUpperCase()),
    lineage,
  };
}

/** The input for a token that others have approved. The requester is its creator, with the lineage that the requester has now. */
export function agreedTokenInput(
  content: TokenContent,
  { requestedBy, requesterId }: Pick<Approval, "requestedBy" | "requesterId">,
  { platform, people, now }: ApprovalPlace,
): CreateTokenInput {
  const requester = people.find(({ id }) => id === requesterId);
  const lineage = requester === undefined ? [] : lineageAt(requester, platform, now);
  return {
    ...tokenInput(content, lineage),
    creator: { createdBy: requestedBy, personId: requesterId },
  };
}

/**
 * Whether another person must approve a token: one that permits what the requester may not do; in production also each token that does more
 * than read, unless the requester is the sole owner and counts as one with no other person.
 */
function needsAgreement(
  permissions: readonly Permission[],
  personId: string,
  { platform, people, now }: ApprovalPlace,
): boolean {
  const person = people.find(({ id }) => id === personId);
  if (person === undefined) return true;
  const held = capabilitiesIn(person, platform);
  if (openedBy(permissions).some((one) => !held.has(one))) return true;
  if (platform?.environment !== "PRODUCTION") return false;
  // If the owner counts as one with another person, that person may be the same human.
  const isOneself = lineageAt(person, platform, now).length === 1;
  const isSoleOwner = isOwner(person) && isOneself && !hasTwoOwners(people);
  return permissions.some((one) => one !== "VIEW") && !isSoleOwner;
}

export function tokenOrder(
  place: ApprovalPlace,
  personId: string,
): HoldableOrder<CreateTokenInput, Token> {
  const isProduction = place.platform?.environment === "PRODUCTION";
  return {
    ...carriedToken,
    factsOf: ({ permissions }) => ({
      summary: `An API token with ${permissions.join(", ")}`,
      capabilities: ["tokens.write", ...openedBy(permissions), ...(isProduction ? OWNERS : [])],
      isHarmless: !needsAgreement(permissions, personId, place),
    }),
  };
}

/** The parts of the order that do not depend on the requester. */
export const carriedToken = {
  kind: "TOKEN",
  act: "createToken",
  command: createTokenCommand,
  resultOf: ({ id }: Token) => toWireId("Token", id),
} as const;

/** A capability that only owners have. */
const OWNERS = ["policies.write"] as const;

const tokens = {
  path: "/tokens",
  tag: "Tokens",
  capability: "tokens.read",
  schema: wireToken.schema,
  example: wireToken.example,
} as const;

const createToken = defineOperation({
  id: "createToken",
  ...route("POST /tokens", "MANAGE", "tokens.write"),
  tag: "Tokens",
  summary: "Create an API token",
  description:
    "The secret is in this answer and never again. A token can grant only permissions that it holds itself, and for no longer " +
    "than it lives itself. From `expiresAt` on, in the platform's time, the token is refused like an unknown one.",
  body: Type.Object({
    name: nameField,
    permissions: Type.Array(PermissionSchema, { minItems: 1, maxItems: 3, uniqueItems: true }),
    expiresAt: Type.Optional(
      Type.String({ format: "date-time", description: "In the future. Never when absent." }),
    ),
  }),
  requestExample: { name: "payouts", permissions: ["VIEW", "TRANSACT"] },
  answers: {
    201: {
      description: "The token with its secret.",
      schema: CreatedTokenSchema,
      example: { ...wireToken.example, clientSecret: "8c1f…64 hexadecimal digits" },
    },
  },
  refusals: ["INVALID_INPUT", "FORBIDDEN"],
  judge({ expiresAt }, { context: { clock } }: JudgeSurroundings<Services, Principal>) {
    // A platform's clock is never behind the host's, so a time that has passed here has passed there.
    const hasPassed = typeof expiresAt === "string" && toMilliseconds(expiresAt) <= clock.now();
    return {
      ...judgementOf([]),
      furtherFaults: () => (hasPassed ? [EXPIRED_ALREADY] : []),
    };
  },
  async handle({ principal, body, idempotency }, services: Services) {
    const clientSecret = randomBytes(32).toString("hex");
    const content: TokenContent = {
      ...body,
      clientId: randomBytes(16).toString("hex"),
      secretHash: hashSecret(clientSecret).toString("hex"),
    };
    const toAnswer = (token: Token) => ({
      status: 201,
      body: wireToken.json(token, { clientSecret }),
    });
    if (isPerson(principal)) {
      const place = await placeOf(services, principal.platformId);
      return submitHeld(services, principal, {
        order: tokenOrder(place, principal.personId),
        content,
        input: tokenInput(content, principal.lineage),
        place,
        issued: { clientId: content.clientId, clientSecret },
        toAnswer,
        idempotency,
      });
    }
    refuseGrant(body.permissions, principal.permissions);
    const creator = await findToken(services.reads, principal.platformId, principal.tokenId);
    // The token was deleted since the call began.
    if (creator === undefined) throw new Refusal("UNAUTHORIZED");
    const input = tokenInput(content, lineageBelow(creator.token));
    refuseLongerLife(input.expiresAt, creator.token);
    return submitForCaller(services.engine, principal, {
      command: createTokenCommand,
      input,
      toAnswer,
      idempotency,
      secret: true,
    });
  },
});

function toMilliseconds(moment: string): number {
  return Date.parse(moment.toUpperCase());
}

const listTokens = defineOperation({
  ...listFacts(tokens),
  id: "listTokens",
  summary: "List API tokens",
  query: Type.Object({
    name: Type.Optional(
      Type.String({ maxLength: 255, description: "Exactly this name.", examples: ["payouts"] }),
    ),
    ...dateFilters,
    ...pageParameters,
  }),
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listTokens",
      principal,
      query,
      load: (page) =>
        loadTokens(services.reads, {
          ...page,
          conditions: [when(query.name, "t.name = ?::text"), ...dateConditions(query)],
        }),
      idOf: ({ token }) => token.id,
      toJson: ({ token, lastUsedAt }) => wireToken.json(token, { lastUsedAt }),
    }),
});

const getToken = defineOperation({
  ...getFacts(tokens, "The token, without its secret."),
  id: "getToken",
  path: "/tokens/{tokenId}",
  summary: "Get an API token",
  params: Type.Object({ tokenId: pathId("Token") }),
  refusals: ["TOKEN_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const found = await findToken(
      reads,
      principal.platformId,
      requireId("Token", params.tokenId, "TOKEN_NOT_FOUND"),
    );
    if (found === undefined) throw new Refusal("TOKEN_NOT_FOUND");
    return { status: 200, body: wireToken.json(found.token, { lastUsedAt: found.lastUsedAt }) };
  },
});

const deleteToken = defineOperation({
  id: "deleteToken",
  ...route("DELETE /tokens/{tokenId}", "MANAGE", "tokens.write"),
  tag: "Tokens",
  summary: "Delete an API token",
  description: "The token is refused from now on. The last token with MANAGE cannot be deleted.",
  params: Type.Object({ tokenId: pathId("Token") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["TOKEN_NOT_FOUND", "INVALID_INPUT"],
  async handle({ principal, params }, services: Services) {
    const answered = await submitForCaller(services.engine, principal, {
      command: deleteTokenCommand,
      input: { tokenId: requireId("Token", params.tokenId, "TOKEN_NOT_FOUND") },
      toAnswer: () => ({ status: 204, body: "" }),
    });
    services.forgetCredentials();
    return answered;
  },
});

export const tokenOperations = [createToken, listTokens, getToken, deleteToken];

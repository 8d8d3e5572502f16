/** Tokens that people ask for, as orders that may wait. */

import Type, { type Static } from "typebox";
import type { Kin } from "../../../domain/lineage.ts";
import type { Approval } from "../../../domain/people/approvals/approval.ts";
import type { ApprovalPlace } from "../../../domain/people/approvals/eligible-people.ts";
import {
  capabilitiesIn,
  hasTwoOwners,
  lineageAt,
} from "../../../domain/people/approvals/eligible-people.ts";
import type { HoldableOrder } from "../../../domain/people/approvals/hold-order.ts";
import { isOwner } from "../../../domain/people/person.ts";
import { openedBy } from "../../../domain/people/role.ts";
import { type CreateTokenInput, createToken } from "../../../domain/people/tokens/create-token.ts";
import type { Permission, Token } from "../../../domain/token.ts";
import { toWireId } from "../../../std/ids.ts";
import { nameField } from "../../../wire/fields.ts";
import { PermissionSchema } from "../../../wire/people/token.ts";

/** The secret is in none of it: the token has its hash. */
export const TokenContent = Type.Object({
  name: nameField,
  permissions: Type.Array(PermissionSchema, { minItems: 1 }),
  expiresAt: Type.Optional(Type.String({ format: "date-time" })),
  clientId: Type.String(),
  secretHash: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});
export type TokenContent = Static<typeof TokenContent>;

export function tokenInput(content: TokenContent, lineage: readonly Kin[]): CreateTokenInput {
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

/** Of a token that others have agreed to: it is made by the person who asked for it, who has the lineage of now. */
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
 * Whether another person must agree: to a token that opens what who asks for it lacks; in production to each that does more than read,
 * unless a sole owner asks who counts as no other person.
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
  // An owner who counts as one with another person may be that person.
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

/** The order without what depends on the person who asks. */
export const carriedToken = {
  kind: "TOKEN",
  act: "createToken",
  command: createToken,
  resultOf: ({ id }: Token) => toWireId("Token", id),
} as const;

/** What owners alone hold. */
const OWNERS = ["policies.write"] as const;

/** An API token: its client id and secret are the name and password of HTTP Basic. Only the secret's hash is kept. */
import type { Actor, World } from "../engine/command.ts";
import { sha256 } from "../std/digest.ts";
import { defineTable, fixed, mutable, type RowOf } from "../tables/tables.ts";
import { type Kin, membersOf } from "./lineage.ts";

export const permissions = ["VIEW", "TRANSACT", "MANAGE"] as const;
export type Permission = (typeof permissions)[number];

const columns = {
  id: fixed("uuid"),
  name: fixed("text"),
  permissions: fixed<readonly Permission[]>("json"),
  clientId: fixed("text"),
  secretHash: fixed("bytes"),
  /** Platform time from which it is refused; null for never. */
  expiresAt: fixed<number | null>("time"),
  /** The wire id of a token or of a person, or `operator`; null for tokens of earlier versions. */
  createdBy: fixed<string | null>("text"),
  /** The person at the start of the chain of creators: acts of the token count as the person's. */
  personId: fixed<string | null>("uuid"),
  /** The lineage of the chain of creators: see lineage.ts. Empty for a token of the operator, which starts its own lineage. */
  lineage: fixed<readonly Kin[]>("json"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  deletedAt: mutable<number | null>("time"),
};

export interface Token extends RowOf<typeof columns> {}

export const tokens = defineTable<Token>("tokens", columns);

/** The secret has 256 random bits, so a plain hash of it cannot be brute-forced. */
export function hashSecret(secret: string): Buffer {
  return sha256(secret);
}

/** The key of a client id in the deployment's directory. */
export function tokenHandle(clientId: string): string {
  return `token:${clientId}`;
}

export type TokenCreator = Pick<Token, "createdBy" | "personId" | "lineage">;

export function creatorIn(actor: Actor, lineage: readonly Kin[]): TokenCreator {
  return { createdBy: creatorOf(actor), personId: actor.personId ?? null, lineage };
}

/** The ids that count as the token: its own and those of its lineage. */
export function peopleBehind({ id, lineage }: Pick<Token, "id" | "lineage">, now: number) {
  return [...membersOf(lineage, now), id];
}

/** The lineage of the tokens that this token creates. */
export function lineageBelow({ id, lineage }: Pick<Token, "id" | "lineage">): readonly Kin[] {
  return lineage.length > 0 ? lineage : [{ id, until: null }];
}

/** Tokens are created by other tokens, by people, and by the operator on the command line or at the first start. */
function creatorOf({ kind, id }: Actor): string {
  if (kind === "person") return `Person:${id}`;
  return kind === "token" ? `Token:${id}` : "operator";
}

/** Stores a new token and claims its client id in the deployment's directory. */
export function putToken(
  world: World,
  token: {
    readonly name: string;
    readonly permissions: readonly Permission[];
    readonly clientId: string;
    readonly secretHash: Buffer;
    readonly expiresAt: number | null;
  },
  creator: TokenCreator = creatorIn(world.actor, []),
) {
  world.claimHandle(tokenHandle(token.clientId));
  return world.put(tokens, {
    id: world.newId(),
    ...token,
    ...creator,
    createdAt: world.at,
    updatedAt: world.at,
    deletedAt: null,
  });
}

/** An API token: its client id and secret are the name and password of HTTP Basic. Only the secret's hash is kept. */
import type { Actor } from "../../engine/command.ts";
import { sha256 } from "../../std/digest.ts";
import { defineTable, fixed, mutable } from "../../tables/tables.ts";

export const permissions = ["VIEW", "TRANSACT", "MANAGE"] as const;
export type Permission = (typeof permissions)[number];

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly clientId: string;
  readonly secretHash: Buffer;
  /** Platform time from which it is refused; null for never. */
  readonly expiresAt: number | null;
  /** A token's wire id, or `operator`; null for tokens of earlier versions. */
  readonly createdBy: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
}

export const tokens = defineTable<Token>("tokens", {
  id: fixed("uuid"),
  name: fixed("text"),
  permissions: fixed("json"),
  clientId: fixed("text"),
  secretHash: fixed("bytes"),
  expiresAt: fixed("time"),
  createdBy: fixed("text"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  deletedAt: mutable("time"),
});

/** The secret has 256 random bits: a plain hash of it cannot be searched. */
export function hashSecret(secret: string): Buffer {
  return sha256(secret);
}

/** The key of a client id in the deployment's directory. */
export function tokenHandle(clientId: string): string {
  return `token:${clientId}`;
}

/** Tokens are created by other tokens, and by the operator on the command line or at the first start. */
export function creatorOf({ kind, id }: Actor): string {
  return kind === "token" ? `Token:${id}` : "operator";
}

/**
 * The signed retry: an operation on a wallet takes two calls, and the second one has the owner's stamp. All operations use this module.
 *
 * Steps: the first call is checked in full and stores a request with the text to sign → the client signs → the second call brings the
 * request's id and the stamp, and the same command checks everything again, uses the request up and acts, in one commit. A second call is
 * refused when its request was used, has expired, or was made for another operation, target or body. A wrong stamp leaves the request open.
 * If the process dies between the two calls, the request is kept; it expires five minutes after the first call.
 */

import type { Loaded, World } from "../../engine/command.ts";
import { Bug } from "../../std/assert.ts";
import { type AnyRef, defineTable, fixed, mutable, type RowOf } from "../../tables/tables.ts";
import { platforms } from "../platform.ts";
import { type CredentialType, unproven } from "./credentials/credential.ts";
import type { Registration } from "./credentials/registration.ts";
import { type OwnerStamp, refuseUnlessStamped, stampNeeds, WRONG_STAMP } from "./owner-stamp.ts";
import { signingPayload, type WalletActivity, type WalletOperation } from "./payload-to-sign.ts";
import type { Session } from "./session.ts";

const columns = {
  id: fixed("uuid"),
  accountId: fixed("uuid"),
  operation: fixed<WalletOperation>("text"),
  /** The uuid of what the operation acts on. */
  target: fixed("uuid"),
  bodySha256: fixed("text"),
  payloadToSign: fixed("text"),
  /** The credential to add, with its proof as verified at the first call. */
  registration: fixed<Registration | null>("json"),
  createdAt: fixed("time"),
  expiresAt: fixed("time"),
  usedAt: mutable<number | null>("time"),
};

/** Open until it is used or runs out. */
export interface SignedRequest extends RowOf<typeof columns> {}

export const signedRequests = defineTable<SignedRequest>("wallet_requests", columns, {
  isFinal: ({ usedAt }) => usedAt !== null,
});

/** How long a request, and a passkey challenge, waits for its answer. */
export const REQUEST_LIFETIME_MS = 5 * 60 * 1000;

export function toRequestId(id: string): string {
  return `Request:${id}`;
}

/** The two headers of a call: the request's id and the stamp. */
export type OwnerProof =
  | { readonly kind: "none" }
  /** Only one of the two headers, or a malformed id. */
  | { readonly kind: "incomplete"; readonly reason: string }
  | { readonly kind: "given"; readonly requestId: string; readonly stamp: OwnerStamp };

/** The account, operation and target of a call, which the stamp must cover. */
export interface SignedAct {
  readonly operation: WalletOperation;
  readonly target: string;
  readonly bodySha256: string;
  /** Which of the account's sessions may sign it; any, when absent. */
  readonly maySign?: (session: Session) => boolean;
}

/** The first call returns a request, the second one the result. */
export type Signed<Done> =
  | {
      readonly kind: "to-sign";
      readonly request: SignedRequest;
      /** The type of the credential concerned, if any. */
      readonly type?: CredentialType;
    }
  | { readonly kind: "done"; readonly done: Done };

export const WRONG_REQUEST = "Invalid Request-Id";

export function proofNeeds(world: Loaded, proof: OwnerProof): readonly AnyRef[] {
  if (proof.kind !== "given") return [];
  const request = world.find(signedRequests.ref(proof.requestId));
  return [
    platforms.ref(world.platformId),
    signedRequests.ref(proof.requestId),
    ...(request === undefined ? [] : stampNeeds(world, request.accountId)),
  ];
}

/**
 * The request that a second call answers; undefined at a first call. Refuses with UNAUTHORIZED, in this order: a missing or malformed
 * header, a request that is not open for exactly this act, a stamp that its owner did not make.
 */
export function findSignedRequest(
  world: World,
  act: SignedAct,
  proof: OwnerProof,
): SignedRequest | undefined {
  if (proof.kind === "none") return undefined;
  if (proof.kind === "incomplete") throw unproven(proof.reason);
  if (proof.stamp.kind === "unreadable") throw unproven(WRONG_STAMP);
  const request = world.find(signedRequests.ref(proof.requestId));
  if (request === undefined || !isOpenFor(request, act, world.at)) throw unproven(WRONG_REQUEST);
  const { accountId, payloadToSign } = request;
  refuseUnlessStamped(world, { accountId, payloadToSign, maySign: act.maySign }, proof.stamp);
  return request;
}

function isOpenFor(request: SignedRequest, act: SignedAct, at: number): boolean {
  return (
    request.usedAt === null &&
    at < request.expiresAt &&
    request.operation === act.operation &&
    request.target === act.target &&
    request.bodySha256 === act.bodySha256
  );
}

export interface NewRequest extends Omit<SignedAct, "maySign"> {
  readonly accountId: string;
  readonly activity: WalletActivity;
  readonly registration?: Registration;
}

/** Opens the request of a first call. */
export function openSignedRequest(world: World, wanted: NewRequest): SignedRequest {
  const { accountId, operation, target, bodySha256, activity } = wanted;
  const id = world.newId();
  const expiresAt = world.at + REQUEST_LIFETIME_MS;
  const { payloadToSign } = signingPayload({
    environment: world.get(platforms.ref(world.platformId)).environment,
    platformId: world.platformId,
    accountId,
    operation,
    target,
    bodySha256,
    requestId: toRequestId(id),
    at: world.at,
    expiresAt,
    activity,
  });
  return world.put(signedRequests, {
    id,
    accountId,
    operation,
    target,
    bodySha256,
    payloadToSign,
    registration: wanted.registration ?? null,
    createdAt: world.at,
    expiresAt,
    usedAt: null,
  });
}

/** Marks the request of a second call as used. */
export function useSignedRequest(world: World, request: SignedRequest): void {
  if (request.usedAt !== null) throw new Bug(`request ${request.id} is used twice`);
  world.put(signedRequests, { ...request, usedAt: world.at });
}

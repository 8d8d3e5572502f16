/**
 * The two headers of a signed retry. The stamp's signature is verified here, over the stored payload. The command
 * decides which key may sign and whether the request is still pending.
 */
import { createHash } from "node:crypto";
import { MISSING_STAMP, type OwnerStamp } from "../../domain/wallets/owner-stamp.ts";
import {
  type OwnerProof,
  type Signed,
  type SignedRequest,
  toRequestId,
  WRONG_REQUEST,
} from "../../domain/wallets/signed-request.ts";
import { findRequest } from "../../domain/wallets/wallet.sql.ts";
import type { Answer, Idempotency } from "../../engine/command.ts";
import { toIso } from "../../std/clock.ts";
import { parseId } from "../../wire/ids.ts";
import type { HeaderNote, Principal } from "../request/operation.ts";
import type { Services } from "../request/services.ts";

const SIGNATURE_HEADER = "Service-Wallet-Signature";
const REQUEST_HEADER = "Request-Id";
/** The signature that a sandbox accepts for every session. */
const SANDBOX_STAMP = "sandbox-valid-signature";

export const signedRetryHeaders: readonly HeaderNote[] = [
  {
    name: SIGNATURE_HEADER,
    description:
      "On the second call: the stamp of a session key over `payloadToSign`. In a sandbox `sandbox-valid-signature`.",
    example: SANDBOX_STAMP,
  },
  {
    name: REQUEST_HEADER,
    description: "On the second call: the `requestId` of the first one's answer.",
    example: "Request:019a4f00-0000-7000-8000-000000000009",
  },
];

type Headers = Readonly<Record<string, string | undefined>>;
type Tools = Pick<Services, "reads" | "wallets">;

interface StampSent {
  readonly signature: string;
  readonly payloadToSign: string | undefined;
}

export async function readOwnerProof(
  tools: Tools,
  principal: Principal,
  headers: Headers,
): Promise<OwnerProof> {
  const signature = headers[SIGNATURE_HEADER.toLowerCase()];
  const wireId = headers[REQUEST_HEADER.toLowerCase()];
  if (signature === undefined && wireId === undefined) return { kind: "none" };
  if (signature === undefined) return { kind: "incomplete", reason: MISSING_STAMP };
  if (wireId === undefined) return { kind: "incomplete", reason: `Missing ${REQUEST_HEADER}` };
  const requestId = parseId("Request", wireId);
  if (requestId === undefined) return { kind: "incomplete", reason: WRONG_REQUEST };
  const payloadToSign = await payloadOf(tools, principal, requestId);
  const stamp = await readStampOver(tools, principal, { signature, payloadToSign });
  return { kind: "given", requestId, stamp };
}

/** Only production verifies stamps, so only production reads the payload. */
async function payloadOf(
  { reads }: Tools,
  { platformId, environment }: Principal,
  requestId: string,
): Promise<string | undefined> {
  if (environment === "SANDBOX") return undefined;
  return (await findRequest(reads, platformId, requestId))?.payloadToSign;
}

/** Parses a stamp and verifies it over a payload. Without a payload no stamp is valid. */
export async function readStampOver(
  { wallets }: Pick<Services, "wallets">,
  { environment }: Pick<Principal, "environment">,
  { signature, payloadToSign }: StampSent,
): Promise<OwnerStamp> {
  if (environment === "SANDBOX") {
    return { kind: signature === SANDBOX_STAMP ? "sandbox-word" : "wrong" };
  }
  const stamp = wallets.crypto.parseStamp(signature);
  if (stamp === undefined) return { kind: "unreadable" };
  if (payloadToSign === undefined) return { kind: "wrong" };
  const fits = await wallets.crypto.verifyStamp(stamp, payloadToSign);
  return fits ? { kind: "signed", publicKey: stamp.publicKey, payloadToSign } : { kind: "wrong" };
}

/**
 * The idempotency key of a signed retry. It differs from the first call's key and covers the signature headers, so a
 * retry with other headers does not get the stored answer.
 */
export function signedIdempotency(
  idempotency: Idempotency | undefined,
  headers: Headers,
): Idempotency | undefined {
  const names = [SIGNATURE_HEADER, REQUEST_HEADER];
  const bound = bindIdempotency(
    idempotency,
    names.map((name) => headers[name.toLowerCase()]),
  );
  return bound && { ...bound, scope: `${bound.scope} signed` };
}

/** An idempotency key bound to values that this call sends in headers instead of the body. */
export function bindIdempotency(
  idempotency: Idempotency | undefined,
  values: readonly (string | undefined)[],
): Idempotency | undefined {
  if (idempotency === undefined) return undefined;
  const digest = createHash("sha256").update(idempotency.bodyDigest);
  for (const value of values) digest.update(JSON.stringify(value ?? null));
  return { ...idempotency, bodyDigest: digest.digest() };
}

/** 202 with the payload to sign, or the answer of the completed operation. */
export function toSignedAnswer<Done>(
  signed: Signed<Done>,
  toAnswer: (done: Done) => Answer,
): Answer {
  if (signed.kind === "done") return toAnswer(signed.done);
  const body = signedRequestJson(signed.request, signed.type);
  return { status: 202, body, isFinal: false };
}

function signedRequestJson({ id, payloadToSign, expiresAt }: SignedRequest, type?: string): string {
  return JSON.stringify({
    payloadToSign,
    requestId: toRequestId(id),
    expiresAt: toIso(expiresAt),
    ...(type === undefined ? {} : { type }),
  });
}

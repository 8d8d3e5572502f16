/**
 * The signature of the rail protocol, version 1: HMAC-SHA256 over method, path, key and the digest of the body of a request, or over
 * the status and the digest of the body of an answer, both with the request's time and nonce. A secret is its UTF-8 bytes.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

export const RAIL_SIGNATURE = "florin-rail-signature";
/** How far the signer's clock may be off. */
export const SIGNATURE_WINDOW_SECONDS = 300;

export interface SignedRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly idempotencyKey: string;
  readonly body: Buffer;
}

export interface SignatureStamp {
  /** Seconds since 1970. */
  readonly time: number;
  readonly nonce: string;
}

export interface ReadSignature extends SignatureStamp {
  readonly mac: Buffer;
}

const HEADER = /^t=(\d{1,12}),n=([A-Za-z0-9_-]{16,64}),v1=([0-9a-f]{64})$/;

export function signRequest(secret: string, request: SignedRequest, stamp: SignatureStamp): string {
  return headerOf(stamp, macOf(secret, requestLines(request, stamp)));
}

export function signAnswer(
  secret: string,
  answer: { readonly status: number; readonly body: Buffer },
  stamp: SignatureStamp,
): string {
  return headerOf(stamp, macOf(secret, answerLines(answer, stamp)));
}

/** Undefined for any text that is no signature. */
export function readSignature(header: string | undefined): ReadSignature | undefined {
  const [, time, nonce = "", mac = ""] = HEADER.exec(header ?? "") ?? [];
  if (time === undefined) return undefined;
  return { time: Number(time), nonce, mac: Buffer.from(mac, "hex") };
}

/** Whether one of the secrets signed the request. Every secret is tried, so that the time taken does not tell which one fits. */
export function isSignedRequest(
  secrets: readonly string[],
  request: SignedRequest,
  signature: ReadSignature,
): boolean {
  return isSigned(secrets, requestLines(request, signature), signature.mac);
}

/** The answer must carry the time and the nonce of the request. */
export function isSignedAnswer(
  secrets: readonly string[],
  answer: { readonly status: number; readonly body: Buffer; readonly header: string | undefined },
  stamp: SignatureStamp,
): boolean {
  const signature = readSignature(answer.header);
  if (signature === undefined) return false;
  const isOfRequest = signature.time === stamp.time && signature.nonce === stamp.nonce;
  return isSigned(secrets, answerLines(answer, stamp), signature.mac) && isOfRequest;
}

export function isTimely({ time }: SignatureStamp, nowMs: number): boolean {
  return Math.abs(nowMs / 1_000 - time) <= SIGNATURE_WINDOW_SECONDS;
}

function isSigned(secrets: readonly string[], lines: string, mac: Buffer): boolean {
  let isFitting = false;
  for (const secret of secrets) {
    if (timingSafeEqual(macOf(secret, lines), mac)) isFitting = true;
  }
  return isFitting;
}

function requestLines(
  { method, path, idempotencyKey, body }: SignedRequest,
  { time, nonce }: SignatureStamp,
): string {
  return ["v1", time, nonce, method, path, idempotencyKey, digestOf(body)].join("\n");
}

function answerLines(
  { status, body }: { readonly status: number; readonly body: Buffer },
  { time, nonce }: SignatureStamp,
): string {
  return ["v1", time, nonce, status, digestOf(body)].join("\n");
}

function digestOf(body: Buffer): string {
  return createHash("sha256").update(body).digest("hex");
}

function macOf(secret: string, lines: string): Buffer {
  return createHmac("sha256", Buffer.from(secret, "utf8")).update(lines).digest();
}

function headerOf({ time, nonce }: SignatureStamp, mac: Buffer): string {
  return `t=${time},n=${nonce},v1=${mac.toString("hex")}`;
}

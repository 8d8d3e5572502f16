/**
 * The round trip of an operation that the wallet's owner has to sign: send it, get `payloadToSign`, stamp it, send the same
 * thing again with the stamp.
 *
 * Your server carries these calls, so what comes back to be signed is looked at before it is signed: an operation that
 * is not the one you asked for is refused.
 */
import { fromBase64url, fromUtf8 } from "./bytes.ts";
import { WalletError } from "./errors.ts";
import type { WalletSession } from "./session.ts";

/** As much of a `fetch` answer as is needed. */
export interface CallAnswer {
  readonly status: number;
  json(): Promise<unknown>;
}

/** Sends the operation, both times the same but for these headers. */
export type SignedCall<Answer extends CallAnswer> = (
  headers: Readonly<Record<string, string>>,
) => Promise<Answer>;

export type WalletOperation =
  | "ADD_CREDENTIAL"
  | "REVOKE_CREDENTIAL"
  | "REVOKE_SESSION"
  | "REFRESH_SESSION"
  | "EXPORT_WALLET"
  | "EXECUTE_QUOTE";

/** What a `payloadToSign` says. */
export interface PayloadToSign {
  readonly type: string;
  /** The wallet. */
  readonly organizationId: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What the signature is meant for; whatever is left out is not compared. */
export interface ExpectedPayload {
  readonly operation: WalletOperation;
  readonly organizationId?: string;
  /** The uuid of what is acted upon. */
  readonly target?: string;
  /** Of an export or a refresh: the key that the answer will be sealed to. */
  readonly clientPublicKey?: string;
}

/** The answer to the signed call; or the first answer, when it was not a request for a signature. */
export async function signAndRetry<Answer extends CallAnswer>(
  send: SignedCall<Answer>,
  session: WalletSession,
  expected: ExpectedPayload,
): Promise<Answer> {
  const first = await send({});
  if (first.status !== 202) return first;
  const { payloadToSign, requestId } = asObject(await first.json()) ?? {};
  if (typeof payloadToSign !== "string" || typeof requestId !== "string") {
    throw new WalletError("malformed", "the answer is no request for a signature");
  }
  assertPayload(payloadToSign, expected);
  return send({
    "Service-Wallet-Signature": await session.stamp(payloadToSign),
    "Request-Id": requestId,
  });
}

/** The text inside a `payloadToSign`, to show or to check. What is signed is the text around it. */
export function readPayload(payloadToSign: string): PayloadToSign {
  const bytes = fromBase64url(payloadToSign);
  const text = bytes && fromUtf8(bytes);
  const { type, organizationId, parameters } = asObject(parseJson(text ?? "")) ?? {};
  const members = asObject(parameters);
  if (typeof type !== "string" || typeof organizationId !== "string" || members === undefined) {
    throw new WalletError("malformed", "this is not a payload to sign");
  }
  return { type, organizationId, parameters: members };
}

/** Refuses a payload for anything else than what is expected. */
export function assertPayload(payloadToSign: string, expected: ExpectedPayload): void {
  const { organizationId, parameters } = readPayload(payloadToSign);
  const pairs: readonly [string, unknown, string | undefined][] = [
    ["operation", parameters.operation, expected.operation],
    ["wallet", organizationId, expected.organizationId],
    ["target", parameters.target, expected.target],
    ["client key", parameters.targetPublicKey, expected.clientPublicKey],
  ];
  for (const [what, given, wanted] of pairs) {
    if (wanted !== undefined && given !== wanted) {
      throw new WalletError("other-operation", `the payload to sign is for another ${what}`);
    }
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  return value as Readonly<Record<string, unknown>>;
}

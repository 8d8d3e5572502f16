import type {
  ClientPublicKey,
  IssuedSessionKey,
} from "../../../domain/wallets/wallet-crypto.port.ts";
import { type FieldError, invalidFields } from "../../../engine/refusal.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { Judgement } from "../../../validation/validation.ts";
import { judgementOf } from "../../../validation/validation.ts";
import type { JudgeSurroundings, Principal } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

/** The client's public key. The schema checks its form; this function checks that the point is on the curve. */
export function requireClientKey({ wallets }: Services, sent: string): ClientPublicKey {
  const key = wallets.crypto.parseClientPublicKey(sent);
  if (key !== undefined) return key;
  throw invalidFields([OFF_THE_CURVE]);
}

const OFF_THE_CURVE: FieldError = {
  field: "clientPublicKey",
  message: "must be a point of the curve P-256",
};

/** The fault of the client's key, to be reported together with other faults of the body. */
export function clientKeyFaults(
  { clientPublicKey: sent }: JsonObject,
  { crypto }: Services["wallets"],
): readonly FieldError[] {
  const isWrong = typeof sent === "string" && crypto.parseClientPublicKey(sent) === undefined;
  return isWrong ? [OFF_THE_CURVE] : [];
}

/** The `judge` of an operation whose only field beyond the schema is the client's key. */
export function judgeClientKey(
  body: JsonObject,
  { context }: JudgeSurroundings<Services, Principal>,
): Judgement<undefined> {
  return { ...judgementOf([]), furtherFaults: () => clientKeyFaults(body, context.wallets) };
}

/** The key of a new session, sealed to the client. A sandbox returns a key of the same form that cannot sign. */
export function newSessionKey(
  { wallets }: Services,
  { environment }: Principal,
  clientPublicKey: ClientPublicKey,
): Promise<IssuedSessionKey> {
  return environment === "SANDBOX"
    ? wallets.crypto.issueSandboxSessionKey()
    : wallets.crypto.issueSessionKey(clientPublicKey);
}

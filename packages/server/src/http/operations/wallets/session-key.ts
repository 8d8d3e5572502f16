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

/** The client's key. The schema has seen its shape; this one sees whether there is such a point. */
export function requireClientKey({ wallets }: Services, sent: string): ClientPublicKey {
  const key = wallets.crypto.parseClientPublicKey(sent);
  if (key !== undefined) return key;
  throw invalidFields([OFF_THE_CURVE]);
}

const OFF_THE_CURVE: FieldError = {
  field: "clientPublicKey",
  message: "must be a point of the curve P-256",
};

/** The same of a body that has other faults. */
export function clientKeyFaults(
  { clientPublicKey: sent }: JsonObject,
  { crypto }: Services["wallets"],
): readonly FieldError[] {
  const isWrong = typeof sent === "string" && crypto.parseClientPublicKey(sent) === undefined;
  return isWrong ? [OFF_THE_CURVE] : [];
}

/** Of an operation whose body has the client's key and nothing else that a schema cannot judge. */
export function judgeClientKey(
  body: JsonObject,
  { context }: JudgeSurroundings<Services, Principal>,
): Judgement<undefined> {
  return { ...judgementOf([]), besides: () => clientKeyFaults(body, context.wallets) };
}

/** The key of a new session, sealed to the client; in a sandbox of the same shape, and good for nothing. */
export function newSessionKey(
  { wallets }: Services,
  { environment }: Principal,
  clientPublicKey: ClientPublicKey,
): Promise<IssuedSessionKey> {
  return environment === "SANDBOX"
    ? wallets.crypto.issueSandboxSessionKey()
    : wallets.crypto.issueSessionKey(clientPublicKey);
}

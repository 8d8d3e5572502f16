/** What the console knows of a caller without a session. */
import type { NewSession } from "../../../../domain/people/sessions/person-session.ts";
import type { ActNote, Answered } from "../../../../engine/command.ts";
import { Refusal, type RefusalCode } from "../../../../engine/refusal.ts";
import type { JsonObject } from "../../../../std/json.ts";
import { addressKey } from "../../../auth/address-key.ts";
import type { HeaderNote, OperationRequest } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { hashOfSecret, type SessionKey } from "../../session-cookie.ts";

const AGENT_HEADER = "User-Agent";
const LONGEST_AGENT = 256;

export const visitorHeaders: readonly HeaderNote[] = [
  { name: AGENT_HEADER, description: "Shown beside the session." },
];

export type Visit = Pick<
  OperationRequest<unknown, unknown, unknown, undefined>,
  "headers" | "remoteAddress" | "requestId"
>;

function agentOf({ headers }: Visit): string {
  const text = headers[AGENT_HEADER.toLowerCase()] ?? "";
  return text.replace(/\p{Cc}/gu, "").slice(0, LONGEST_AGENT);
}

export function visitOf(visit: Visit, actorName: string | null = null): ActNote {
  return {
    requestId: visit.requestId,
    address: visit.remoteAddress,
    userAgent: agentOf(visit),
    sessionId: null,
    actorName,
    target: null,
    reason: null,
  };
}

export function newSession(
  visit: Visit,
  { secret }: SessionKey,
  { people: { lives } }: Pick<Services, "people">,
): NewSession {
  return {
    secretHash: hashOfSecret(secret),
    address: visit.remoteAddress,
    userAgent: agentOf(visit),
    lifeMs: lives.wholeMs,
  };
}

/** Runs an attempt under two limits of failed attempts: one for its source address, one for what it names. */
export function limited<T>(
  { people: { failedSources, failedProofs } }: Pick<Services, "people">,
  { visit, named }: { readonly visit: Visit; readonly named: string },
  attempt: () => Promise<T>,
): Promise<T> {
  return failedSources.run(addressKey(visit.remoteAddress), () => failedProofs.run(named, attempt));
}

/** Throws the refusal that a command answered, so that the limits count it. */
export function requireDone({ status, body }: Answered): void {
  if (status < 400) return;
  const { code, message, details } = JSON.parse(body) as {
    readonly code: RefusalCode;
    readonly message: string;
    readonly details?: JsonObject;
  };
  throw new Refusal(code, details, message);
}

import type { IncomingMessage } from "node:http";
import type { ActNote } from "../../engine/command.ts";
import { anyIdPattern } from "../../std/ids.ts";
import { isJsonObject } from "../../std/json.ts";

const WIRE_ID = new RegExp(`^${anyIdPattern}$`);
const LONGEST_AGENT = 256;
const LONGEST_REASON = 1_000;

/** What the audit entry of a call says about the call. */
export function actOf(call: {
  readonly raw: IncomingMessage;
  readonly requestId: string;
  readonly addressOf: (raw: IncomingMessage) => string;
  readonly params: Readonly<Record<string, string>>;
  readonly body?: unknown;
}): ActNote {
  const { raw, requestId, addressOf, params, body } = call;
  const reason = isJsonObject(body) ? body.reason : undefined;
  return {
    requestId,
    address: addressOf(raw),
    userAgent: userAgentOf(raw),
    sessionId: null,
    actorName: null,
    target: Object.values(params).findLast((value) => WIRE_ID.test(value)) ?? null,
    reason: typeof reason === "string" ? reason.slice(0, LONGEST_REASON) : null,
  };
}

/** The user agent without control characters, which would break a line of a log. */
export function userAgentOf({ headers }: IncomingMessage): string {
  return (headers["user-agent"] ?? "").replace(/\p{Cc}/gu, "").slice(0, LONGEST_AGENT);
}

/** Tells sandbox from production, and asks before a change in production. */

import { UsageError } from "../failures.ts";
import type { Host } from "../host.ts";
import { asObject, parseJson } from "../json.ts";
import type { Connection } from "./connection.ts";
import type { Environment } from "./profiles.ts";
import { type Endpoint, send } from "./send.ts";

/** Only a sandbox has a clock. UNKNOWN, as for a token that may not read the clock, is treated like production. */
export async function environmentOf(host: Host, endpoint: Endpoint): Promise<Environment> {
  const { status, text } = await send(host, endpoint, { method: "GET", target: "/sandbox/clock" });
  if (status === 200) return "SANDBOX";
  const details = asObject(asObject(parseJson(text))?.details);
  return status === 403 && details?.permission === undefined ? "PRODUCTION" : "UNKNOWN";
}

/** Asks before a change unless it is known to be in a sandbox; `--yes` answers in advance. */
export async function confirmChange(
  host: Host,
  connection: Connection,
  { what, isConfirmed }: { readonly what: string; readonly isConfirmed: boolean },
): Promise<void> {
  if (isConfirmed || connection.environment === "SANDBOX") return;
  const environment =
    connection.environment === "UNKNOWN"
      ? await environmentOf(host, connection)
      : connection.environment;
  if (environment === "SANDBOX") return;
  const where = `${environment === "PRODUCTION" ? "production" : "an unknown environment"} at ${connection.url}`;
  if (!host.canAsk) throw new UsageError(`${what} changes ${where}; add --yes to confirm`);
  const answer = await host.ask(`${what} changes ${where}. Go on? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError("not confirmed; nothing was sent");
}

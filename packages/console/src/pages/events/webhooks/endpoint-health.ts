/** How an endpoint does. One that is switched on but takes nothing is not shown as well. */
import type { WebhookEndpoint } from "@florin/client";
import type { Tone } from "../../../text/tones.ts";

export interface Health {
  /** `STATE`: the state of the endpoint says all. */
  readonly kind: "STATE" | "NOT_ARRIVED" | "NOTHING_ARRIVES";
  /** Deliveries that were given up, and those that wait after a failure. */
  readonly count: number;
  readonly tone: Tone | undefined;
}

export function healthOf({ state, stats }: Pick<WebhookEndpoint, "state" | "stats">): Health {
  const count = stats?.notArrived ?? 0;
  if (state !== "ACTIVE") return { kind: "STATE", count, tone: undefined };
  const tone = stats?.successRate === 0 ? "bad" : "wait";
  if (count > 0) return { kind: "NOT_ARRIVED", count, tone };
  if (stats?.successRate === 0) return { kind: "NOTHING_ARRIVES", count, tone };
  return { kind: "STATE", count, tone: undefined };
}

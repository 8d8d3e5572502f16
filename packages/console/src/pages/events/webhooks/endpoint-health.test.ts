import type { WebhookEndpoint } from "@florin/client";
import { expect, it } from "vitest";
import { healthOf } from "./endpoint-health.ts";

const stats = { position: 9, waiting: 0, retrying: 0, notArrived: 0 };

it.each<[Pick<WebhookEndpoint, "state" | "stats">, string, string | undefined]>([
  [{ state: "ACTIVE" }, "STATE", undefined],
  [{ state: "ACTIVE", stats }, "STATE", undefined],
  [{ state: "ACTIVE", stats: { ...stats, successRate: 1 } }, "STATE", undefined],
  [{ state: "ACTIVE", stats: { ...stats, successRate: 0 } }, "NOTHING_ARRIVES", "bad"],
  [{ state: "ACTIVE", stats: { ...stats, notArrived: 3, successRate: 0 } }, "NOT_ARRIVED", "bad"],
  [
    { state: "ACTIVE", stats: { ...stats, notArrived: 3, successRate: 0.9 } },
    "NOT_ARRIVED",
    "wait",
  ],
  [{ state: "FAILING", stats: { ...stats, notArrived: 3, successRate: 0 } }, "STATE", undefined],
  [{ state: "DISABLED" }, "STATE", undefined],
])("%j is shown as %s, %s", (endpoint, kind, tone) => {
  expect(healthOf(endpoint)).toMatchObject({ kind, tone });
});

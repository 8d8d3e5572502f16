import type { WebhookEndpoint } from "@florin/client";
import { t } from "../../../text/messages.ts";
import { Pill, StatePill } from "../../../ui/pill.tsx";
import { healthOf } from "./endpoint-health.ts";

/** The state of an endpoint, or what did not arrive at one that is switched on. */
export function EndpointPill({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { kind, count, tone } = healthOf(endpoint);
  if (kind === "STATE" || tone === undefined) return <StatePill state={endpoint.state} />;
  const word =
    kind === "NOTHING_ARRIVES" ? t("webhooks.nothingArrives") : t("webhooks.notArrived", { count });
  return <Pill word={word} tone={tone} />;
}

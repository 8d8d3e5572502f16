/** Disables endpoints beside the default one after five days of nothing but failures. */
import {
  type DisableFailingEndpointInput,
  disableFailingEndpoint,
} from "../../domain/events/delivery-log/disable-failing-endpoint.ts";
import type { FailingEndpoint } from "../../domain/events/delivery-log/endpoint-health.sql.ts";
import type { WebhookEndpoint } from "../../domain/events/webhook-endpoint.ts";
import type { Engine } from "../../engine/engine.ts";
import { messageOf } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";

/** Returns at once. If disabling fails, the next failure of the endpoint tries it again. */
export function disableFailing({ engine, log }: { readonly engine: Engine; readonly log: Log }) {
  async function disable({ platformId, endpointId, setting }: FailingEndpoint): Promise<void> {
    const { status } = await engine.submit<DisableFailingEndpointInput, WebhookEndpoint>({
      platformId,
      actor: { kind: "worker", id: "delivery-log" },
      command: disableFailingEndpoint,
      input: { endpointId, setting },
      toAnswer: ({ isDisabled }) => ({ status: isDisabled ? 200 : 204, body: "" }),
    });
    if (status !== 200) return;
    log.warn(
      { platform: platformId, endpoint: endpointId },
      "a failing webhook endpoint was disabled",
    );
  }

  return (endpoint: FailingEndpoint): void => {
    disable(endpoint).catch((error: unknown) => {
      const { platformId: platform } = endpoint;
      log.warn({ err: messageOf(error), platform }, "a failing webhook endpoint was not disabled");
    });
  };
}

import { describe, expect, it } from "vitest";
import { fromDeliveryId, toDeliveryId, toEndpointId } from "./delivery-id.ts";
import { DEFAULT_ENDPOINT } from "./stream.sql.ts";

const PLATFORM = "018f0000-0000-7000-8000-00000000000a";
const OTHER = "018f0000-0000-7000-8000-00000000000b";
const EVENT = "018f0000-0000-7000-8000-00000000000e";

describe("the id of a delivery", () => {
  it.each([
    ["an endpoint", OTHER, OTHER],
    [
      "the default endpoint, which is shown with the id of its platform",
      DEFAULT_ENDPOINT,
      PLATFORM,
    ],
  ])("names %s and its event", (_what, endpointId, shown) => {
    const id = toDeliveryId(PLATFORM, { endpointId, eventId: EVENT });
    expect(id).toBe(`WebhookDelivery:${shown}.${EVENT}`);
    expect(fromDeliveryId(PLATFORM, id)).toEqual({ endpointId, eventId: EVENT });
    expect(toEndpointId(PLATFORM, endpointId)).toBe(`WebhookEndpoint:${shown}`);
  });

  it.each([
    "",
    ".",
    `WebhookDelivery:${OTHER}`,
    `WebhookDelivery:${OTHER}.`,
    `WebhookDelivery:${OTHER}.${EVENT}.`,
    `WebhookDelivery:${OTHER}.${EVENT.toUpperCase()}`,
    `Webhook:${OTHER}.${EVENT}`,
    `${OTHER}.${EVENT}`,
  ])("is not %j", (text) => {
    expect(fromDeliveryId(PLATFORM, text)).toBeUndefined();
  });
});

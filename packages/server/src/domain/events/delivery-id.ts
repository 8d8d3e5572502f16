/**
 * The id of a delivery: `WebhookDelivery:<endpoint>.<event>`, two uuids. A delivery is no row. It is an event that an endpoint gets, so
 * its id is made from both and read back without a table.
 */
import { fromWireId, isUuid, toWireId } from "../../std/ids.ts";
import { DEFAULT_ENDPOINT } from "./stream.sql.ts";

export interface DeliveryKey {
  /** As in the key of a stream. */
  readonly endpointId: string;
  readonly eventId: string;
}

const KIND = "WebhookDelivery";

export function toDeliveryId(platformId: string, { endpointId, eventId }: DeliveryKey): string {
  return `${KIND}:${shownEndpoint(platformId, endpointId)}.${eventId}`;
}

/** Undefined for any other text. The endpoint and the event may be unknown. */
export function fromDeliveryId(platformId: string, text: string): DeliveryKey | undefined {
  const [first = "", eventId = "", ...rest] = text.split(".");
  const shown = fromWireId(KIND, first);
  if (shown === undefined || !isUuid(eventId) || rest.length > 0) return undefined;
  return { endpointId: storedEndpoint(platformId, shown), eventId };
}

/** `WebhookEndpoint:<uuid>` of an endpoint that is stored under this id. */
export function toEndpointId(platformId: string, endpointId: string): string {
  return toWireId("WebhookEndpoint", shownEndpoint(platformId, endpointId));
}

/** The default endpoint is shown with the id of its platform. */
function shownEndpoint(platformId: string, endpointId: string): string {
  return endpointId === DEFAULT_ENDPOINT ? platformId : endpointId;
}

/** The id under which streams and deliveries of an endpoint are stored. */
export function storedEndpoint(platformId: string, shown: string): string {
  return shown === platformId ? DEFAULT_ENDPOINT : shown;
}

/**
 * The id of a delivery: `WebhookDelivery:<endpoint>.<event>`, two uuids. A delivery need not have a row, so its id is composed of both ids
 * and parsed without a read.
 */
import { fromWireId, isUuid, toWireId } from "../../std/ids.ts";
import { DEFAULT_ENDPOINT } from "./stream.sql.ts";

export interface DeliveryKey {
  /** The stored id, as in `StreamKey`. */
  readonly endpointId: string;
  readonly eventId: string;
}

const KIND = "WebhookDelivery";

export function toDeliveryId(platformId: string, { endpointId, eventId }: DeliveryKey): string {
  return `${KIND}:${shownEndpoint(platformId, endpointId)}.${eventId}`;
}

/** Parses the id of a delivery; undefined for any other text. The endpoint and the event need not exist. */
export function fromDeliveryId(platformId: string, text: string): DeliveryKey | undefined {
  const [first = "", eventId = "", ...rest] = text.split(".");
  const shown = fromWireId(KIND, first);
  if (shown === undefined || !isUuid(eventId) || rest.length > 0) return undefined;
  return { endpointId: storedEndpoint(platformId, shown), eventId };
}

/** `WebhookEndpoint:<uuid>` for the endpoint that is stored under this id. */
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

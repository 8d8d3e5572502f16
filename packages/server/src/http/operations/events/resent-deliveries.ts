/** Selects the deliveries of an event that get one more attempt. */
import { findEndpoint } from "../../../domain/events/endpoint.sql.ts";
import {
  type DeliveryPlace,
  deliveryPlaces,
} from "../../../domain/events/resends/event-resend.sql.ts";
import { DEFAULT_ENDPOINT } from "../../../domain/events/stream.sql.ts";
import type { StoredEvent } from "../../../engine/command-log.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";

/**
 * Refuses, in this order: a TEST event, an unknown endpoint, an endpoint that gets no events, an event that asks whether to take a payment,
 * an event type that the endpoint does not get. Without an endpoint, it refuses an event that no endpoint gets.
 */
export async function resentDeliveries(
  reads: Reads,
  platformId: string,
  { event, endpointId }: { readonly event: StoredEvent; readonly endpointId: string | undefined },
): Promise<readonly DeliveryPlace[]> {
  const { seq, type } = event;
  if (type === "TEST") {
    const message =
      "A TEST event is not sent again; POST /webhook-endpoints/{endpointId}/test sends a new one.";
    throw new Refusal("CONFLICT", {}, message);
  }
  const places = await deliveryPlaces(reads, platformId, seq);
  const named = places.filter(
    (place) => endpointId === undefined || place.endpointId === endpointId,
  );
  if (endpointId !== undefined) await refuseDeaf(reads, platformId, { endpointId, named });
  if (places.some(({ isQuestion }) => isQuestion)) {
    const message = "The event asks whether to take a payment: it is sent once.";
    throw new Refusal("CONFLICT", {}, message);
  }
  const found = named.filter(({ takesEvents, isWanted }) => takesEvents && isWanted);
  if (found.length > 0) return found;
  if (endpointId !== undefined) {
    throw new Refusal("CONFLICT", { type }, `The endpoint gets no events of type ${type}.`);
  }
  const message = `The platform has no endpoint that gets events of type ${type}.`;
  throw new Refusal("WEBHOOK_ENDPOINT_NOT_SET", { type }, message);
}

async function refuseDeaf(
  reads: Reads,
  platformId: string,
  { endpointId, named }: { readonly endpointId: string; readonly named: readonly DeliveryPlace[] },
): Promise<void> {
  if (named.some(({ takesEvents }) => takesEvents)) return;
  await refuseUnknownEndpoint(reads, platformId, endpointId);
  throw deafEndpoint();
}

/** `endpointId` is the id under which streams are stored. */
export async function refuseUnknownEndpoint(
  reads: Reads,
  platformId: string,
  endpointId: string,
): Promise<void> {
  if (endpointId === DEFAULT_ENDPOINT) return;
  if ((await findEndpoint(reads, platformId, endpointId)) === undefined) {
    throw new Refusal("WEBHOOK_ENDPOINT_NOT_FOUND");
  }
}

export function deafEndpoint(): Refusal {
  const message =
    "The endpoint is not set, disabled, or has answered 410; it gets events again once it is set again.";
  return new Refusal("WEBHOOK_ENDPOINT_NOT_SET", {}, message);
}

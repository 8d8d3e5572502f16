/** What the operations on deliveries share: the id in their path, and the delivery that it names. */
import Type from "typebox";
import { fromDeliveryId } from "../../../domain/events/delivery-id.ts";
import { listDeliveries } from "../../../domain/events/delivery-log/delivery-list.sql.ts";
import type { Delivery } from "../../../domain/events/delivery-log/delivery-state.sql.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";
import { deliveryExample } from "../../../wire/events/webhook-delivery.ts";
import { requireId } from "../../../wire/ids.ts";

export const deliveryInPath = Type.Object({
  deliveryId: Type.String({
    description: "`WebhookDelivery:<uuid>.<uuid>`",
    examples: [deliveryExample.id],
  }),
});

/** The delivery with this id, or the refusal of an unknown one. */
export async function requireDelivery(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<Delivery> {
  const key = fromDeliveryId(platformId, id);
  // An id of another kind is refused with that kind.
  if (key === undefined) requireId("WebhookDelivery", id, "REFERENCE_NOT_FOUND");
  const [delivery] = key === undefined ? [] : await findDeliveries(reads, { platformId, ...key });
  if (delivery === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  return delivery;
}

/** The page size; no platform has more endpoints. */
const MANY = 100;

/** The deliveries of an event, or the one to an endpoint. */
export async function findDeliveries(
  reads: Reads,
  {
    platformId,
    ...key
  }: { readonly platformId: string; readonly eventId: string; readonly endpointId?: string },
): Promise<readonly Delivery[]> {
  const { rows } = await listDeliveries(reads, {
    platformId,
    eventId: key.eventId,
    endpointId: key.endpointId,
    types: [],
    subject: undefined,
    state: undefined,
    statusClass: undefined,
    since: undefined,
    until: undefined,
    after: undefined,
    limit: MANY,
  });
  return rows;
}

/** How the order of an approval is carried out, by the operation that was asked for. */
import type { Static } from "typebox";
import { toAdjustmentId } from "../../domain/adjustments/adjustment.ts";
import { adjustmentNeeds, postAdjustment } from "../../domain/adjustments/post-adjustment.ts";
import type { Approval } from "../../domain/approvals/approval.ts";
import type { OpenedOrder } from "../../domain/approvals/decide-approval.ts";
import { present } from "../../std/assert.ts";
import type { JsonObject } from "../../std/json.ts";
import {
  type AdjustmentBody,
  adjustmentOrderIn,
} from "../operations/adjustments/create-adjustment.ts";
import type { Services } from "../request/services.ts";

type Order = Omit<OpenedOrder, "content">;

interface Place {
  readonly platformId: string;
  readonly approval: Approval;
}

type Opener = (content: JsonObject, services: Services, place: Place) => Order | Promise<Order>;

/** By the operation's id. The content was validated by the schema of the operation when it was sent. */
const openers: Readonly<Record<string, Opener>> = {
  createAdjustment(content) {
    const order = adjustmentOrderIn(content as Static<typeof AdjustmentBody>);
    return {
      needs: (world) => adjustmentNeeds(world, order),
      carryOut: (world, approval) => toAdjustmentId(postAdjustment(world, { order, approval }).id),
    };
  },
};

export async function openOrder(
  services: Services,
  content: JsonObject,
  place: Place,
): Promise<OpenedOrder> {
  const { act } = place.approval;
  const open = present(openers[act], `how to carry out ${act}`);
  return { content, ...(await open(content, services, place)) };
}

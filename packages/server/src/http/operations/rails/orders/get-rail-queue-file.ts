import Type from "typebox";
import { queuedPages } from "../../../../domain/rails/orders/rail-payment.sql.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { queueFile } from "../../../../wire/rails/queue-file.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { requireConnection } from "../connections/connection-body.ts";

const CONTENT_TYPE = "text/csv; charset=utf-8";

export const getRailQueueFile = defineOperation({
  id: "getRailQueueFile",
  method: "GET",
  path: "/rails/connections/{connectionId}/queue.csv",
  access: "TRANSACT",
  capability: "reconciliation.write",
  opensPersonalData: true,
  tag: "Rails",
  summary: "Download the queue of a connection",
  description:
    "Every order that is `QUEUED`, oldest first, with whole account numbers and amounts in whole units, for the people who work it off; then those that " +
    "were sent and are to be recalled, with the reason in `recall`. " +
    "A cell that a spreadsheet would run is prefixed with an apostrophe.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  answers: {
    200: {
      description: "The queue.",
      contentType: "text/csv",
      example:
        "id,createdAt,direction,paymentRail,currency,amount,name,accountType,account,reference,remittance,endToEndId,recall\r\n",
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, services: Services) {
    const { connection } = await requireConnection(services, principal, params.connectionId);
    const { platformId } = principal;
    return {
      status: 200,
      contentType: CONTENT_TYPE,
      headers: ["Content-Disposition", 'attachment; filename="queue.csv"'],
      body: () => queueFile(queuedPages(services.reads, platformId, connection.id)),
    };
  },
});

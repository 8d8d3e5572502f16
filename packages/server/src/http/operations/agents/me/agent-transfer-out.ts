import Type from "typebox";
import { metadataOf } from "../../../../domain/metadata.ts";
import { MetadataSchema } from "../../../../wire/metadata.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import {
  requireAccounts,
  transferOutExample,
  transferOutFields,
} from "../../payments/transfers/transfer-body.ts";
import { actionAnswer, submit, transferRefusals } from "./submit.ts";

export const agentTransferOut = defineOperation({
  id: "agentTransferOut",
  method: "POST",
  path: "/agents/me/transfer-out",
  access: "AGENT",
  agentPermission: "CREATE_TRANSFERS",
  tag: "For agents",
  summary: "Create a transfer out as an agent",
  description:
    "Sends money from an internal to an external account of your customer. " +
    "Both accounts are in one currency. The policy decides whether the transfer is carried out at once or waits for the " +
    "platform; an action that waits is answered with status `PENDING_APPROVAL` and its id, to be read again later. It fails " +
    "when it is not decided within 24 hours. At most 1,000 actions of an agent wait: the next one is refused with 409.",
  body: Type.Object({ ...transferOutFields, metadata: Type.Optional(MetadataSchema) }),
  requestExample: transferOutExample,
  answers: { 201: actionAnswer },
  refusals: transferRefusals,
  handle: async (request, services: Services) => {
    const { destination, amount, metadata } = request.body;
    return submit(request, services, {
      status: 201,
      order: {
        type: "TRANSFER_OUT",
        ...requireAccounts(request.body, "OUTGOING"),
        amountMinor: BigInt(amount),
        metadata: metadataOf(metadata),
        paymentRail: destination.paymentRail,
      },
    });
  },
});

import Type from "typebox";
import { metadataOf } from "../../../../domain/metadata.ts";
import { MetadataSchema } from "../../../../wire/metadata.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import {
  requireAccounts,
  transferInExample,
  transferInFields,
} from "../../payments/transfers/transfer-body.ts";
import { actionAnswer, submit, transferRefusals } from "./submit.ts";

export const agentTransferIn = defineOperation({
  id: "agentTransferIn",
  method: "POST",
  path: "/agents/me/transfer-in",
  access: "AGENT",
  agentPermission: "CREATE_TRANSFERS",
  tag: "For agents",
  summary: "Create a transfer in as an agent",
  description:
    "Pulls money from an external into an internal account of your customer. " +
    "Both accounts are in one currency, and the source must be one that money can be pulled from. The amount counts towards " +
    "the limits of the policy as one that is sent does.",
  body: Type.Object({ ...transferInFields, metadata: Type.Optional(MetadataSchema) }),
  requestExample: transferInExample,
  answers: { 201: actionAnswer },
  refusals: transferRefusals,
  handle: async (request, services: Services) => {
    return submit(request, services, {
      status: 201,
      order: {
        type: "TRANSFER_IN",
        ...requireAccounts(request.body, "INCOMING"),
        amountMinor: BigInt(request.body.amount),
        metadata: metadataOf(request.body.metadata),
      },
    });
  },
});

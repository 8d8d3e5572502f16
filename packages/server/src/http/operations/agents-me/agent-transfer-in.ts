import Type from "typebox";
import { metadataOf } from "../../../domain/metadata.ts";
import { requestAmount } from "../../../validation/schema.ts";
import { MetadataSchema } from "../../../wire/metadata.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { requireAccounts } from "../transfers/transfer-accounts.ts";
import { actionAnswer, submit, transferRefusals } from "./submit.ts";

export const agentTransferIn = defineOperation({
  id: "agentTransferIn",
  method: "POST",
  path: "/agents/me/transfer-in",
  access: "AGENT",
  agentPermission: "CREATE_TRANSFERS",
  tag: "For agents",
  summary: "Pull money from an external into an internal account of your customer",
  description:
    "Both accounts are in one currency, and the source must be one that money can be pulled from. The amount counts towards " +
    "the limits of the policy as one that is sent does.",
  body: Type.Object({
    source: Type.Object({ accountId: Type.String({ description: "An external account." }) }),
    destination: Type.Object({ accountId: Type.String({ description: "An internal account." }) }),
    amount: requestAmount(),
    metadata: Type.Optional(MetadataSchema),
  }),
  requestExample: {
    source: { accountId: "ExternalAccount:019a4f00-0000-7000-8000-000000000003" },
    destination: { accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002" },
    amount: 12500,
  },
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

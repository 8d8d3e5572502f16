import Type from "typebox";
import { metadataOf } from "../../../domain/metadata.ts";
import { requestAmount } from "../../../validation/schema.ts";
import { MetadataSchema } from "../../../wire/metadata.ts";
import { listedText } from "../../../wire/value-lists.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { requireAccounts } from "../transfers/transfer-accounts.ts";
import { actionAnswer, submit, transferRefusals } from "./submit.ts";

export const agentTransferOut = defineOperation({
  id: "agentTransferOut",
  method: "POST",
  path: "/agents/me/transfer-out",
  access: "AGENT",
  agentPermission: "CREATE_TRANSFERS",
  tag: "For agents",
  summary: "Send money from an internal to an external account of your customer",
  description:
    "Both accounts are in one currency. The policy decides whether the transfer is carried out at once or waits for the " +
    "platform; an action that waits is answered with status `PENDING_APPROVAL` and its id, to be read again later. It fails " +
    "when it is not decided within 24 hours. At most 1,000 actions of an agent wait: the next one is refused with 409.",
  body: Type.Object({
    source: Type.Object({ accountId: Type.String({ description: "An internal account." }) }),
    destination: Type.Object({
      accountId: Type.String({ description: "An external account." }),
      paymentRail: Type.Optional(
        listedText("PaymentRail", {
          maxLength: 64,
          description: "One of the destination's rails; of a wallet, its network.",
        }),
      ),
    }),
    amount: requestAmount(),
    metadata: Type.Optional(MetadataSchema),
  }),
  requestExample: {
    source: { accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002" },
    destination: { accountId: "ExternalAccount:019a4f00-0000-7000-8000-000000000003" },
    amount: 12500,
  },
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

import Type from "typebox";
import {
  findExternalAccount,
  toExternalAccountId,
} from "../../../../domain/accounts/external/external-account.ts";
import { receivableAt } from "../../../../domain/uma/receiver.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  ExternalAccountReceiverSchema,
  externalAccountReceiverExample,
  toWireReceiver,
} from "../../../../wire/uma/receiver.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { findPayer, PayerQuery, readPayer } from "./payer.ts";

export const lookupExternalAccountReceiver = defineOperation({
  id: "lookupExternalAccountReceiver",
  method: "GET",
  path: "/receiver/external-account/{accountId}",
  access: "VIEW",
  capability: "quotes.read",
  tag: "Receivers",
  summary: "Look up an external account receiver",
  description:
    "Tells what an external account can receive. " +
    "Without a payer, rates are from the platform's first currency.",
  params: Type.Object({ accountId: pathId("ExternalAccount") }),
  query: PayerQuery,
  answers: {
    200: {
      description: "The account's currency, and an id to quote with.",
      schema: ExternalAccountReceiverSchema,
      example: externalAccountReceiverExample,
    },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_UMA_ADDRESS",
    "REFERENCE_NOT_FOUND",
    "USER_NOT_FOUND",
    "CUSTOMER_DELETED",
  ],
  async handle({ principal: { platformId }, params, query }, services: Services) {
    const named = readPayer(query);
    const id = requireId("ExternalAccount", params.accountId, "REFERENCE_NOT_FOUND");
    const payer = await findPayer(services, { platformId, named });
    const account = await findExternalAccount(services.reads, platformId, id);
    if (account === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const accountId = toExternalAccountId(id);
    const lookupId = services.lookupIds.make({ platformId, receiver: accountId }, payer.at);
    const { payingCurrency, platform } = payer;
    const { environment } = platform;
    const currencies = [receivableAt(platform, account.currency)];
    return {
      status: 200,
      body: JSON.stringify({
        accountId,
        ...toWireReceiver({
          lookupId,
          environment,
          payingCurrency,
          currencies,
          requiredPayerFields: [],
        }),
      }),
    };
  },
});

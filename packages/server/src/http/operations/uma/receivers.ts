import Type from "typebox";
import {
  findExternalAccount,
  toExternalAccountId,
} from "../../../domain/accounts/external/external-account.ts";
import { normalizeUmaAddress } from "../../../domain/customers/uma-address.ts";
import type { MarketFacts } from "../../../domain/prices/rates/market-rate.ts";
import type { ReceivableCurrency } from "../../../domain/uma/receiver.port.ts";
import { estimatedRate, receivableAt } from "../../../domain/uma/receiver.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { pathId, umaAddressInPath } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import {
  ExternalAccountReceiverSchema,
  externalAccountReceiverExample,
  type Receivable,
  toWireReceiver,
  UmaReceiverSchema,
  umaReceiverExample,
} from "../../../wire/uma/receiver.ts";
import { umaAddressFault } from "../../../wire/uma/uma-address.ts";
import { defineOperation, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { lookUpOutside, outsideRefusals } from "./look-up-outside.ts";
import { findPayer, marketFor, type Payer, PayerQuery, readPayer } from "./payer.ts";

const lookupUmaReceiver = defineOperation({
  id: "lookupUmaReceiver",
  ...route("GET /receiver/uma/{receiverUmaAddress}", "VIEW", "quotes.read"),
  tag: "Receivers",
  summary: "Look up a UMA receiver",
  description:
    "Tells who can be paid at a UMA address, and how. " +
    "Without a payer, rates are from the platform's first currency; in production they are those of the platform's sources, and a currency without one is left out. " +
    "The platform's own customers are found first, in every environment. A sandbox knows its counterparties and the customers of all sandbox platforms of the deployment. " +
    "Who is not found there is looked up at the institution at the address's domain, over UMA: in production, and in a sandbox whose own domain is `ACTIVE`. " +
    "Its refusals are told with its own words, in `details.counterpartyCode` and `details.counterpartyReason`.",
  params: Type.Object({ receiverUmaAddress: umaAddressInPath }),
  query: PayerQuery,
  answers: {
    200: {
      description: "The currencies the receiver takes, and an id to quote with.",
      schema: UmaReceiverSchema,
      example: umaReceiverExample,
    },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_UMA_ADDRESS",
    "UMA_NOT_FOUND",
    "USER_NOT_FOUND",
    "CUSTOMER_DELETED",
    "CONFLICT",
    "RATE_LIMITED",
    ...outsideRefusals,
  ],
  async handle({ principal: { platformId }, params, query }, services: Services) {
    const receiverAddress = normalizeUmaAddress(params.receiverUmaAddress);
    const named = readPayer(
      query,
      receiverAddress === undefined ? [umaAddressFault("receiverUmaAddress")] : [],
    );
    const address = present(receiverAddress, "a well-formed address");
    const payer = await findPayer(services, { platformId, named });
    const lookupId = services.lookupIds.make({ platformId, receiver: address }, payer.at);
    const here = await services.receivers.find(address, payer.platform);
    const { currencies, requiredPayerFields } =
      here === undefined
        ? await lookUpOutside(services, { payer, receiver: address, lookupId })
        : { ...here, currencies: await withEstimates(services, payer, here.currencies) };
    return {
      status: 200,
      body: JSON.stringify({
        receiverUmaAddress: address,
        ...toWireReceiver({ lookupId, currencies, requiredPayerFields }),
      }),
    };
  },
});

const lookupExternalAccountReceiver = defineOperation({
  id: "lookupExternalAccountReceiver",
  ...route("GET /receiver/external-account/{accountId}", "VIEW", "quotes.read"),
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
    const receivable = [receivableAt(payer.platform, account.currency)];
    const currencies = await withEstimates(services, payer, receivable);
    return {
      status: 200,
      body: JSON.stringify({
        accountId,
        ...toWireReceiver({ lookupId, currencies, requiredPayerFields: [] }),
      }),
    };
  },
});

async function withEstimates(
  services: Services,
  payer: Payer,
  currencies: readonly ReceivableCurrency[],
): Promise<readonly Receivable[]> {
  const { payingCurrency: paid } = payer;
  const isOneCurrency = currencies.every(({ currency }) => currency === paid);
  const market = isOneCurrency ? NO_MARKET : await marketFor(services, payer);
  return currencies.map((each) => ({
    ...each,
    estimatedRate: paid === undefined ? undefined : estimatedRate(paid, each.currency, market),
  }));
}

/** Within one currency no rate is read. */
const NO_MARKET: MarketFacts = { sources: [], spreads: [], at: 0 };

export const receiverOperations = [lookupUmaReceiver, lookupExternalAccountReceiver];

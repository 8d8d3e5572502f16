import Type from "typebox";
import type { RequestedField } from "../../domain/customers/customer-info.ts";
import type { ReceivableCurrency } from "../../domain/uma/receiver.port.ts";
import { toWireCurrency } from "../../money/currency.ts";
import { printAmount } from "../../money/money.ts";
import { CurrencySchema } from "../fields.ts";
import { listedText } from "../value-lists.ts";

const members = {
  lookupId: Type.String({ description: "`Lookup:<uuid>`; good for ten minutes." }),
  supportedCurrencies: Type.Array(
    Type.Object({
      currency: CurrencySchema,
      estimatedExchangeRate: Type.Number({
        exclusiveMinimum: 0,
        description: "Whole receiving units for one whole sending unit. Not locked.",
      }),
      min: Type.Integer({ minimum: 1, description: "The least that can be received at once." }),
      max: Type.Integer({ minimum: 1, description: "The most that can be received at once." }),
    }),
  ),
  requiredPayerDataFields: Type.Optional(
    Type.Array(
      Type.Object(
        {
          name: listedText("PayerDataFieldName", { maxLength: 100 }),
          mandatory: Type.Boolean(),
        },
        { $id: "PayerDataField" },
      ),
    ),
  ),
};

export const UmaReceiverSchema = Type.Object(
  { receiverUmaAddress: Type.String(), ...members },
  { $id: "UmaReceiver" },
);

export const ExternalAccountReceiverSchema = Type.Object(
  { accountId: Type.String({ description: "`ExternalAccount:<uuid>`" }), ...members },
  { $id: "ExternalAccountReceiver" },
);

export interface Receivable extends ReceivableCurrency {
  /** Whole receiving units for one whole sending unit; undefined without a rate. */
  readonly estimatedRate: number | undefined;
}

/** The members that both kinds of receiver share. Currencies without a rate, or without room between the limits, are left out. */
export function toWireReceiver({
  lookupId,
  currencies,
  requiredPayerFields,
}: {
  readonly lookupId: string;
  readonly currencies: readonly Receivable[];
  readonly requiredPayerFields: readonly RequestedField[];
}) {
  return {
    lookupId: `Lookup:${lookupId}`,
    supportedCurrencies: currencies.flatMap(({ currency, minMinor, maxMinor, estimatedRate }) => {
      if (estimatedRate === undefined || maxMinor < minMinor) return [];
      return [
        {
          currency: toWireCurrency(currency),
          estimatedExchangeRate: estimatedRate,
          min: printAmount(minMinor),
          max: printAmount(maxMinor),
        },
      ];
    }),
    ...(requiredPayerFields.length === 0 ? {} : { requiredPayerDataFields: requiredPayerFields }),
  };
}

const EUR = { code: "EUR", name: "Euro", symbol: "€", decimals: 2 };

const example = {
  lookupId: "Lookup:019a4f00-0000-7000-8000-000000000007",
  supportedCurrencies: [
    { currency: EUR, estimatedExchangeRate: 0.92, min: 1, max: 100_000_000_000 },
  ],
  requiredPayerDataFields: [{ name: "FULL_NAME", mandatory: false }],
};

export const umaReceiverExample = {
  receiverUmaAddress: "$success.eur@sandbox.florin.test",
  ...example,
};

export const externalAccountReceiverExample = {
  accountId: "ExternalAccount:019a4f00-0000-7000-8000-000000000003",
  lookupId: example.lookupId,
  supportedCurrencies: example.supportedCurrencies,
};

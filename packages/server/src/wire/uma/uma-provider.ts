import Type from "typebox";
import type { ListedProvider } from "../../domain/uma/uma-provider.ts";
import { toWireCurrency } from "../../money/currency.ts";
import { CurrencySchema } from "../fields.ts";

export const UmaProviderSchema = Type.Object(
  {
    name: Type.String(),
    domain: Type.String({ description: "What the provider's UMA addresses end in." }),
    supportedRegions: Type.Array(Type.String({ description: "ISO 3166-1 alpha-2." })),
    supportedCurrencies: Type.Array(CurrencySchema),
    logoUrl: Type.Optional(Type.String()),
    lei: Type.Optional(
      Type.String({ description: "Legal entity identifier, where one is known." }),
    ),
    allowListStatus: Type.Boolean({
      description:
        "False for a provider that the platform refuses: it is blocked, or not allowed where only listed ones are.",
    }),
  },
  { $id: "UmaProvider" },
);

export function umaProviderJson(provider: ListedProvider): string {
  const { name, domain, supportedRegions, supportedCurrencies, isAllowed } = provider;
  return JSON.stringify({
    name,
    domain,
    supportedRegions,
    supportedCurrencies: supportedCurrencies.map(toWireCurrency),
    allowListStatus: isAllowed,
  });
}

export const umaProviderExample = {
  name: "Coins.ph",
  domain: "coins.ph",
  supportedRegions: ["PH"],
  supportedCurrencies: [{ code: "PHP", name: "Philippine Peso", symbol: "₱", decimals: 2 }],
  allowListStatus: true,
};

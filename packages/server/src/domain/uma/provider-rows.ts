import type { UmaProvider } from "./uma-provider.ts";

/**
 * Providers that have announced, in public, that their customers have UMA addresses. Written down by hand
 * from general public knowledge; compare with the providers' own pages before relying on a row. What is not commonly known,
 * such as a legal entity identifier, is left out. Newest last: new rows are added at the end, because a row's place is its age.
 */
export const providerRows: readonly UmaProvider[] = [
  {
    name: "Bitnob",
    domain: "bitnob.com",
    supportedRegions: ["GH", "KE", "NG"],
    supportedCurrencies: ["GHS", "KES", "NGN"],
  },
  {
    name: "Coins.ph",
    domain: "coins.ph",
    supportedRegions: ["PH"],
    supportedCurrencies: ["PHP"],
  },
  {
    name: "Foxbit",
    domain: "foxbit.com.br",
    supportedRegions: ["BR"],
    supportedCurrencies: ["BRL"],
  },
  {
    name: "Ripio",
    domain: "ripio.com",
    supportedRegions: ["AR", "BR"],
    supportedCurrencies: ["ARS", "BRL"],
  },
  {
    name: "Xapo Bank",
    domain: "xapobank.com",
    supportedRegions: ["GI"],
    supportedCurrencies: ["USD", "BTC"],
  },
  {
    name: "SoFi",
    domain: "sofi.com",
    supportedRegions: ["US"],
    supportedCurrencies: ["USD"],
  },
];

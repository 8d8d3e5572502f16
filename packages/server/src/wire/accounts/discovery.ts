import Type from "typebox";
import type { Institution } from "../../domain/accounts/discoveries/directory.ts";
import { listedText } from "../value-lists.ts";

export const DiscoverySchema = Type.Object(
  {
    bankName: Type.String({ description: "The value to pass, letter for letter." }),
    displayName: Type.String({ description: "The name to show to people." }),
    country: Type.String({ description: "ISO 3166-1 alpha-2." }),
    currency: listedText("CurrencyCode", { description: "ISO 4217." }),
  },
  { $id: "Discovery" },
);

export function discoveryJson({ bankName, displayName, country, currency }: Institution): string {
  return JSON.stringify({ bankName, displayName, country, currency });
}

export const discoveryExample = {
  bankName: "BPI",
  displayName: "Bank of the Philippine Islands",
  country: "PH",
  currency: "PHP",
};

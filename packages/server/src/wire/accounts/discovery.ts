import type { Institution } from "../../domain/accounts/discoveries/directory.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const wireDiscovery = wireObject("Discovery", ({ of }: Kit<Institution>) => ({
  bankName: of.text({ description: "The value to pass, letter for letter.", example: "BPI" }),
  displayName: of.text({
    description: "The name to show to people.",
    example: "Bank of the Philippine Islands",
  }),
  country: of.text({ description: "ISO 3166-1 alpha-2.", example: "PH" }),
  currency: of.currency({ description: "ISO 4217.", example: "PHP" }),
}));

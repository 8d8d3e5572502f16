import type { CustomerInfo } from "../../customers/customer-info.ts";

export interface ToldPayer {
  readonly kind: "PERSON" | "BUSINESS";
  readonly information: CustomerInfo;
}

/** One of these is told with the name, so that the payer can be told from another one of that name. */
const IDENTIFYING = ["BIRTH_DATE", "POSTAL_ADDRESS", "REGISTRATION_NUMBER"] as const;

/** The fields that must be told of a payer and are not known: what the institution requires, and what the travel rule asks for. */
export function missingFacts(
  { kind, information }: ToldPayer,
  {
    required,
    isToldUnderTravelRule,
  }: { readonly required: readonly string[]; readonly isToldUnderTravelRule: boolean },
): readonly string[] {
  const known = new Map<string, string>(Object.entries(information));
  const isKnown = (name: string) => (known.get(name)?.trim() ?? "") !== "";
  const names = [...required];
  if (isToldUnderTravelRule) {
    names.push("FULL_NAME");
    if (!IDENTIFYING.some(isKnown)) {
      names.push(kind === "PERSON" ? "BIRTH_DATE" : "REGISTRATION_NUMBER");
    }
  }
  return [...new Set(names)].filter((name) => !isKnown(name));
}

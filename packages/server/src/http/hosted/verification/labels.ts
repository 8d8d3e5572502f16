/** Texts for people in place of the API's enum values. */
import type { BeneficialOwner } from "../../../domain/beneficial-owners/beneficial-owner.ts";
import { countryCodes } from "../../../std/countries.ts";
import { plainName } from "../plain-name.ts";

const LABELS: Readonly<Record<string, string>> = {
  SSN: "Social security number (SSN)",
  ITIN: "Individual taxpayer number (ITIN)",
  EIN: "Employer number (EIN)",
  NON_US_TAX_ID: "Tax number of another country",
  DRIVERS_LICENSE: "Driver's license",
  NATIONAL_ID: "National identity card",
  LLC: "Limited liability company (LLC)",
  S_CORPORATION: "S corporation",
  NON_PROFIT: "Non-profit organisation",
  UBO: "Owns 25 % or more",
  CONTROL_PERSON: "Controls the business",
  COMPANY_OFFICER: "Officer of the company",
};

/** `SOLE_PROPRIETORSHIP` as plain text. */
export function labelOf(value: string): string {
  const words = LABELS[value];
  if (words !== undefined) return words;
  const lower = value.toLowerCase().replaceAll("_", " ");
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}

export interface Option {
  readonly value: string;
  readonly words: string;
}

const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "code" });

/** Sorted by name. */
export const countryOptions: readonly Option[] = countryCodes
  .map((value) => ({ value, words: names.of(value) ?? value }))
  .sort((left, right) => (left.words < right.words ? -1 : 1));

export function nameOf({ personalInfo }: BeneficialOwner): string {
  return plainName(`${personalInfo.firstName} ${personalInfo.lastName}`);
}

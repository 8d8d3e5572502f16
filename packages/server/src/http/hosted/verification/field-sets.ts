/** Which fields the forms of a verification have. */
import { type OwnerRole, ownerRoles } from "../../../domain/beneficial-owners/beneficial-owner.ts";
import { businessFields, idTypes } from "../../../domain/customers/customer-fields.ts";
import { documentSides } from "../../../domain/documents/document-types.ts";
import { present } from "../../../std/assert.ts";
import type { FormField } from "./form-fields.ts";

const text = (longest: number) => ({ kind: "text", longest }) as const;

interface Surroundings {
  /** The platform's day. */
  readonly today: string;
  /** A number that is known is not shown, and kept when none is typed. */
  readonly hasIdentifier: boolean;
}

function pastDate(today: string) {
  return (day: string) => (day > today ? "Enter a day that has come." : undefined);
}

const twoWords = (name: string) =>
  name.split(/\s+/).length < 2 ? "Enter a first and a last name." : undefined;

function addressFields(prefix: string): readonly FormField[] {
  return [
    {
      name: `${prefix}address.line1`,
      label: "Street and number",
      ...text(255),
      autocomplete: "address-line1",
    },
    {
      name: `${prefix}address.line2`,
      label: "Flat or floor",
      ...text(255),
      isOptional: true,
      autocomplete: "address-line2",
    },
    {
      name: `${prefix}address.city`,
      label: "City",
      ...text(255),
      isOptional: true,
      autocomplete: "address-level2",
    },
    {
      name: `${prefix}address.state`,
      label: "State or region",
      ...text(255),
      isOptional: true,
      autocomplete: "address-level1",
    },
    {
      name: `${prefix}address.postalCode`,
      label: "Postal code",
      ...text(255),
      autocomplete: "postal-code",
    },
    {
      name: `${prefix}address.country`,
      label: "Country of the address",
      kind: "country",
      autocomplete: "country",
    },
  ];
}

function identifierField(name: string, hasIdentifier: boolean): FormField {
  const field = { name, label: "Number", ...text(64) };
  if (!hasIdentifier) return { ...field, hint: "A social security number is written 123-45-6789." };
  return { ...field, isOptional: true, hint: "We have it. Leave this empty to keep it." };
}

export function personFields({ today, hasIdentifier }: Surroundings): readonly FormField[] {
  return [
    { name: "fullName", label: "Full name", ...text(255), autocomplete: "name", check: twoWords },
    {
      name: "birthDate",
      label: "Date of birth",
      kind: "date",
      autocomplete: "bday",
      check: pastDate(today),
    },
    { name: "nationality", label: "Nationality", kind: "country" },
    ...addressFields(""),
    { name: "idType", label: "Kind of number", kind: "choice", values: ["SSN", "ITIN"] },
    identifierField("identifier", hasIdentifier),
  ];
}

function choicesOf(name: string): readonly string[] {
  const field = businessFields.find((one) => one.name === name);
  return present(field?.form === "choice" ? field.values : undefined, `the choices of ${name}`);
}

export function companyFields({ today }: Pick<Surroundings, "today">): readonly FormField[] {
  const info = (name: string) => `businessInfo.${name}`;
  return [
    { name: info("legalName"), label: "Legal name", ...text(255), autocomplete: "organization" },
    {
      name: info("doingBusinessAs"),
      label: "Other name that it trades under",
      ...text(255),
      isOptional: true,
    },
    {
      name: info("entityType"),
      label: "Legal form",
      kind: "choice",
      values: choicesOf("entityType"),
      isOptional: true,
    },
    { name: info("country"), label: "Country of incorporation", kind: "country" },
    {
      name: info("incorporatedOn"),
      label: "Date of incorporation",
      kind: "date",
      check: pastDate(today),
    },
    { name: info("taxId"), label: "Tax number", ...text(64) },
    {
      name: info("registrationNumber"),
      label: "Registration number",
      ...text(64),
      isOptional: true,
    },
    {
      name: info("countriesOfOperation"),
      label: "Countries where it does business",
      kind: "countries",
    },
    ...addressFields(""),
  ];
}

export function ownerFields({ today, hasIdentifier }: Surroundings): readonly FormField[] {
  const info = (name: string) => `personalInfo.${name}`;
  const roles: readonly OwnerRole[] = ownerRoles;
  return [
    { name: info("firstName"), label: "First name", ...text(255) },
    { name: info("lastName"), label: "Last name", ...text(255) },
    { name: "roles", label: "What this person does", kind: "choices", values: roles },
    {
      name: "ownershipPercentage",
      label: "Share of the business in per cent",
      kind: "percent",
      hint: "A whole number; 0 for somebody without a share.",
    },
    { name: info("birthDate"), label: "Date of birth", kind: "date", check: pastDate(today) },
    { name: info("nationality"), label: "Nationality", kind: "country" },
    ...addressFields("personalInfo."),
    { name: info("idType"), label: "Kind of number", kind: "choice", values: idTypes },
    identifierField(info("identifier"), hasIdentifier),
    {
      name: info("countryOfIssuance"),
      label: "Country that gave the number",
      kind: "country",
      isOptional: true,
    },
  ];
}

export function paperFields(types: readonly string[]): readonly FormField[] {
  return [
    { name: "documentType", label: "Kind of document", kind: "choice", values: types },
    { name: "country", label: "Country that issued it", kind: "country" },
    {
      name: "side",
      label: "Side",
      kind: "choice",
      values: documentSides,
      isOptional: true,
      hint: "For an identity card or a driver's license: send both sides, one after the other.",
    },
    {
      name: "documentNumber",
      label: "Number of the document",
      ...text(255),
      isOptional: true,
      hint: "Needed for a passport, an identity card or a driver's license.",
    },
    {
      name: "issuingAuthority",
      label: "Who issued it",
      ...text(255),
      isOptional: true,
      hint: "Needed for a passport, an identity card or a driver's license.",
    },
  ];
}

/** The fields of each verification form. */
import Type, { type TSchema } from "typebox";
import { type OwnerRole, ownerRoles } from "../../../domain/beneficial-owners/beneficial-owner.ts";
import { businessFields, idTypes } from "../../../domain/customers/customer-fields.ts";
import { documentSides } from "../../../domain/documents/document-types.ts";
import { present } from "../../../std/assert.ts";
import { isNode } from "../../../validation/schema.ts";
import { NewBusinessInfoSchema } from "../../../wire/customers/customer-field-schemas.ts";
import { NewOwnerBody } from "../../operations/beneficial-owners/owner-body.ts";
import { newCustomerBody } from "../../operations/customers/customer-body.ts";
import { documentFields } from "../../operations/documents/document-form.ts";
import type { FormField } from "./form-fields.ts";

/** A text field with the maximum length of the API's schema. */
const textsOf = (body: TSchema) => (name: string) =>
  ({ name, kind: "text", longest: longestAt(body, name) }) as const;

function longestAt(body: TSchema, path: string): number {
  let schema: unknown = body;
  for (const name of path.split(".")) {
    const members = isNode(schema) ? schema.properties : undefined;
    schema = isNode(members) ? members[name] : undefined;
  }
  const longest = isNode(schema) ? schema.maxLength : undefined;
  return present(typeof longest === "number" ? longest : undefined, `the length of ${path}`);
}

type TextOf = ReturnType<typeof textsOf>;

const ofCustomers = textsOf(newCustomerBody(NewBusinessInfoSchema));
const ofOwners = textsOf(NewOwnerBody);
const ofDocuments = textsOf(Type.Object(documentFields));

interface Surroundings {
  /** Today's date by the platform's clock. */
  readonly today: string;
  /** A stored identifier is not shown, and is kept when the field is left empty. */
  readonly hasIdentifier: boolean;
}

function pastDate(today: string) {
  return (day: string) => (day > today ? "Enter a day that has come." : undefined);
}

const fullNameFault = (name: string) =>
  name.split(/\s+/).length < 2 ? "Enter a first and a last name." : undefined;

function addressFields(prefix: string, textOf: TextOf): readonly FormField[] {
  return [
    {
      ...textOf(`${prefix}address.line1`),
      label: "Street and number",
      autocomplete: "address-line1",
    },
    {
      ...textOf(`${prefix}address.line2`),
      label: "Flat or floor",
      isOptional: true,
      autocomplete: "address-line2",
    },
    {
      ...textOf(`${prefix}address.city`),
      label: "City",
      isOptional: true,
      autocomplete: "address-level2",
    },
    {
      ...textOf(`${prefix}address.state`),
      label: "State or region",
      isOptional: true,
      autocomplete: "address-level1",
    },
    {
      ...textOf(`${prefix}address.postalCode`),
      label: "Postal code",
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

function identifierField(text: ReturnType<TextOf>, hasIdentifier: boolean): FormField {
  const field = { ...text, label: "Number" };
  if (!hasIdentifier) return { ...field, hint: "A social security number is written 123-45-6789." };
  const hint = "We have it. Leave this empty to keep it.";
  return { ...field, isOptional: true, isKeptWhenEmpty: true, hint };
}

export function personFields({ today, hasIdentifier }: Surroundings): readonly FormField[] {
  return [
    { ...ofCustomers("fullName"), label: "Full name", autocomplete: "name", check: fullNameFault },
    {
      name: "birthDate",
      label: "Date of birth",
      kind: "date",
      autocomplete: "bday",
      check: pastDate(today),
    },
    { name: "nationality", label: "Nationality", kind: "country" },
    ...addressFields("", ofCustomers),
    { name: "idType", label: "Kind of number", kind: "choice", values: ["SSN", "ITIN"] },
    identifierField(ofCustomers("identifier"), hasIdentifier),
  ];
}

function choicesOf(name: string): readonly string[] {
  const field = businessFields.find((one) => one.name === name);
  return present(field?.form === "choice" ? field.values : undefined, `the choices of ${name}`);
}

export function companyFields({ today }: Pick<Surroundings, "today">): readonly FormField[] {
  const info = (name: string) => `businessInfo.${name}`;
  return [
    { ...ofCustomers(info("legalName")), label: "Legal name", autocomplete: "organization" },
    {
      ...ofCustomers(info("doingBusinessAs")),
      label: "Other name that it trades under",
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
    { ...ofCustomers(info("taxId")), label: "Tax number" },
    {
      ...ofCustomers(info("registrationNumber")),
      label: "Registration number",
      isOptional: true,
    },
    {
      name: info("countriesOfOperation"),
      label: "Countries where it does business",
      kind: "countries",
    },
    ...addressFields("", ofCustomers),
  ];
}

export function ownerFields({ today, hasIdentifier }: Surroundings): readonly FormField[] {
  const info = (name: string) => `personalInfo.${name}`;
  const roles: readonly OwnerRole[] = ownerRoles;
  return [
    { ...ofOwners(info("firstName")), label: "First name" },
    { ...ofOwners(info("lastName")), label: "Last name" },
    { name: "roles", label: "What this person does", kind: "choices", values: roles },
    {
      name: "ownershipPercentage",
      label: "Share of the business in per cent",
      kind: "percent",
      hint: "A whole number; 0 for somebody without a share.",
    },
    { name: info("birthDate"), label: "Date of birth", kind: "date", check: pastDate(today) },
    { name: info("nationality"), label: "Nationality", kind: "country" },
    ...addressFields("personalInfo.", ofOwners),
    { name: info("idType"), label: "Kind of number", kind: "choice", values: idTypes },
    identifierField(ofOwners(info("identifier")), hasIdentifier),
    {
      name: info("countryOfIssuance"),
      label: "Country that gave the number",
      kind: "country",
      isOptional: true,
    },
  ];
}

export function documentFormFields(types: readonly string[]): readonly FormField[] {
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
      ...ofDocuments("documentNumber"),
      label: "Number of the document",
      isOptional: true,
      hint: "Needed for a passport, an identity card or a driver's license.",
    },
    {
      ...ofDocuments("issuingAuthority"),
      label: "Who issued it",
      isOptional: true,
      hint: "Needed for a passport, an identity card or a driver's license.",
    },
  ];
}

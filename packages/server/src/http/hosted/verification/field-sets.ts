/** The fields of each verification form. */
import Type, { type TSchema } from "typebox";
import {
  type OwnerRole,
  ownerRoles,
} from "../../../domain/customers/beneficial-owners/beneficial-owner.ts";
import { businessFields, idTypes } from "../../../domain/customers/customer-fields.ts";
import { documentSides } from "../../../domain/customers/documents/document-types.ts";
import { present } from "../../../std/assert.ts";
import { isNode } from "../../../validation/schema.ts";
import { NewBusinessInfoSchema } from "../../../wire/customers/customer-field-schemas.ts";
import { newCustomerBody } from "../../operations/customers/customer-body.ts";
import { documentFields } from "../../operations/customers/document-form.ts";
import { NewOwnerBody } from "../../operations/customers/owner-body.ts";
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
  return (day: string) => (day > today ? ("dayToCome" as const) : undefined);
}

const fullNameFault = (name: string) =>
  name.split(/\s+/).length < 2 ? ("firstAndLast" as const) : undefined;

function addressFields(prefix: string, textOf: TextOf): readonly FormField[] {
  return [
    {
      ...textOf(`${prefix}address.line1`),
      label: "line1",
      autocomplete: "address-line1",
    },
    {
      ...textOf(`${prefix}address.line2`),
      label: "line2",
      isOptional: true,
      autocomplete: "address-line2",
    },
    {
      ...textOf(`${prefix}address.city`),
      label: "city",
      isOptional: true,
      autocomplete: "address-level2",
    },
    {
      ...textOf(`${prefix}address.state`),
      label: "state",
      isOptional: true,
      autocomplete: "address-level1",
    },
    {
      ...textOf(`${prefix}address.postalCode`),
      label: "postalCode",
      autocomplete: "postal-code",
    },
    {
      name: `${prefix}address.country`,
      label: "addressCountry",
      kind: "country",
      autocomplete: "country",
    },
  ];
}

function identifierField(text: ReturnType<TextOf>, hasIdentifier: boolean): FormField {
  const field = { ...text, label: "identifier" } as const;
  if (!hasIdentifier) return { ...field, hint: "identifierHint" };
  return { ...field, isOptional: true, isKeptWhenEmpty: true, hint: "identifierKnown" };
}

export function personFields({ today, hasIdentifier }: Surroundings): readonly FormField[] {
  return [
    { ...ofCustomers("fullName"), label: "fullName", autocomplete: "name", check: fullNameFault },
    {
      name: "birthDate",
      label: "birthDate",
      kind: "date",
      autocomplete: "bday",
      check: pastDate(today),
    },
    { name: "nationality", label: "nationality", kind: "country" },
    ...addressFields("", ofCustomers),
    { name: "idType", label: "idType", kind: "choice", values: ["SSN", "ITIN"] },
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
    { ...ofCustomers(info("legalName")), label: "legalName", autocomplete: "organization" },
    {
      ...ofCustomers(info("doingBusinessAs")),
      label: "tradeName",
      isOptional: true,
    },
    {
      name: info("entityType"),
      label: "legalForm",
      kind: "choice",
      values: choicesOf("entityType"),
      isOptional: true,
    },
    {
      name: info("businessType"),
      label: "industry",
      kind: "choice",
      values: choicesOf("businessType"),
      isOptional: true,
    },
    { name: info("country"), label: "countryOfIncorporation", kind: "country" },
    {
      name: info("incorporatedOn"),
      label: "incorporatedOn",
      kind: "date",
      check: pastDate(today),
    },
    { ...ofCustomers(info("taxId")), label: "taxId" },
    {
      ...ofCustomers(info("registrationNumber")),
      label: "registrationNumber",
      isOptional: true,
    },
    {
      name: info("countriesOfOperation"),
      label: "countriesOfOperation",
      kind: "countries",
      hint: "countriesHint",
    },
    ...addressFields("", ofCustomers),
  ];
}

export function ownerFields({ today, hasIdentifier }: Surroundings): readonly FormField[] {
  const info = (name: string) => `personalInfo.${name}`;
  const roles: readonly OwnerRole[] = ownerRoles;
  return [
    { ...ofOwners(info("firstName")), label: "firstName" },
    { ...ofOwners(info("lastName")), label: "lastName" },
    { name: "roles", label: "roles", kind: "choices", values: roles },
    {
      name: "ownershipPercentage",
      label: "share",
      kind: "percent",
      hint: "shareHint",
    },
    { name: info("birthDate"), label: "birthDate", kind: "date", check: pastDate(today) },
    { name: info("nationality"), label: "nationality", kind: "country" },
    ...addressFields("personalInfo.", ofOwners),
    { name: info("idType"), label: "idType", kind: "choice", values: idTypes },
    identifierField(ofOwners(info("identifier")), hasIdentifier),
    {
      name: info("countryOfIssuance"),
      label: "issuerOfNumber",
      kind: "country",
      isOptional: true,
    },
  ];
}

export function documentFormFields(types: readonly string[]): readonly FormField[] {
  return [
    { name: "documentType", label: "documentType", kind: "choice", values: types },
    { name: "country", label: "documentCountry", kind: "country" },
    {
      name: "side",
      label: "side",
      kind: "choice",
      values: documentSides,
      isOptional: true,
      hint: "sideHint",
    },
    {
      ...ofDocuments("documentNumber"),
      label: "documentNumber",
      isOptional: true,
      hint: "identityHint",
    },
    {
      ...ofDocuments("issuingAuthority"),
      label: "issuer",
      isOptional: true,
      hint: "identityHint",
    },
  ];
}

/** The receiver's data that the platform requires, under the platform's field names. */
import { isJsonObject, type JsonObject } from "../../../../std/json.ts";
import type { Destination } from "./quote-parties.ts";

/** The paths in a beneficiary for each field; the first path with a value is used. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  FULL_NAME: ["fullName", "legalName"],
  COMPANY_LEGAL_NAME: ["legalName"],
  BIRTH_DATE: ["birthDate"],
  NATIONALITY: ["nationality"],
  COUNTRY_OF_RESIDENCE: ["countryOfResidence", "address.country"],
  PHONE_NUMBER: ["phoneNumber"],
  EMAIL: ["email"],
  POSTAL_ADDRESS: ["address"],
  TAX_ID: ["taxId"],
  REGISTRATION_NUMBER: ["registrationNumber"],
  USER_TYPE: ["beneficiaryType"],
  ID_TYPE: ["documentType"],
  ID_NUMBER: ["documentNumber"],
};

const ADDRESS_LINES = ["line1", "line2", "city", "state", "postalCode", "country"] as const;

/** The known values of these fields. An internal account of the customer needs none. */
export function knownAbout(destination: Destination, names: readonly string[]): JsonObject {
  if (destination.kind === "internal") return {};
  const known: Record<string, string> = {};
  for (const name of names) {
    const value =
      destination.kind === "uma"
        ? textOf((destination.receiver.counterpartyInformation as JsonObject)[name])
        : ofBeneficiary(destination, name);
    if (value !== undefined) known[name] = value;
  }
  return known;
}

function ofBeneficiary(
  { account }: Extract<Destination, { kind: "external" }>,
  name: string,
): string | undefined {
  if (name === "ACCOUNT_IDENTIFIER") return account.primaryIdentifier;
  const { beneficiary } = account.accountInfo;
  if (!isJsonObject(beneficiary)) return undefined;
  for (const place of PLACES[name] ?? []) {
    const value = textOf(memberAt(beneficiary, place));
    if (value !== undefined) return value;
  }
  return undefined;
}

function memberAt(object: JsonObject, path: string): unknown {
  let value: unknown = object;
  for (const key of path.split(".")) value = isJsonObject(value) ? value[key] : undefined;
  return value;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  if (!isJsonObject(value)) return undefined;
  const lines = ADDRESS_LINES.map((line) => value[line]).filter(
    (line) => typeof line === "string" && line !== "",
  );
  return lines.length === 0 ? undefined : lines.join(", ");
}

/** Data about people in messages: what one side asks of the other, and what is told. */
import type { MessageValue } from "./json-message.ts";
import type { Members } from "./members.ts";

export const kycStatuses = ["UNKNOWN", "NOT_VERIFIED", "PENDING", "VERIFIED"] as const;
export type KycStatus = (typeof kycStatuses)[number];

/** A status that is not known is read as UNKNOWN. */
export function readKycStatus(part: Members): KycStatus {
  const text = part.text("kycStatus", 100).toUpperCase();
  return kycStatuses.find((status) => status === text) ?? "UNKNOWN";
}

/** The most fields that a message asks for or tells. */
const MOST_FIELDS = 40;
const LONGEST_NAME = 100;
const LONGEST_VALUE = 1_000;
/** Parts of the data that are no fields of a person. */
const NO_FIELDS: ReadonlySet<string> = new Set(["compliance"]);

/** The names of the fields that are asked for, with whether each is mandatory. */
export function readOptions(body: Members, name: string): ReadonlyMap<string, boolean> {
  const options = body.optionalMembers(name);
  const names = options?.names() ?? [];
  if (names.length > MOST_FIELDS)
    throw body.fault(name, `asks for more than ${MOST_FIELDS} fields`);
  return new Map(
    names.map((field) => {
      if (field.length > LONGEST_NAME) throw body.fault(name, "has a very long name");
      return [field, options?.members(field).optionalFlag("mandatory") === true] as const;
    }),
  );
}

export function writeOptions(options: ReadonlyMap<string, boolean>): {
  readonly [name: string]: MessageValue;
} {
  return Object.fromEntries([...options].map(([field, mandatory]) => [field, { mandatory }]));
}

/** The fields of a person, by their names in the protocol. The part about compliance is left out. */
export function readFields(data: Members): ReadonlyMap<string, string> {
  const names = data.names().filter((name) => !NO_FIELDS.has(name));
  if (names.length > MOST_FIELDS)
    throw data.fault("", `has more than ${MOST_FIELDS} fields of a person`);
  return new Map(names.map((name) => [name, data.scalarText(name, LONGEST_VALUE)]));
}

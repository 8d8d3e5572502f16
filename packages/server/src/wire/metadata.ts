import Type from "typebox";
import { complaintKeyword } from "../validation/schema.ts";

const MOST_KEYS = 20;
const LONGEST_VALUE = 500;

/** A caller's own keys and values, in requests and in answers. */
export const MetadataSchema = Type.Record(
  Type.String({ pattern: "^[A-Za-z0-9_.-]{1,40}$" }),
  Type.String({ maxLength: LONGEST_VALUE }),
  {
    $id: "Metadata",
    maxProperties: MOST_KEYS,
    additionalProperties: false,
    [complaintKeyword]: "is no key: 1 to 40 characters of A-Z, a-z, 0-9, _, . and -",
    description:
      "Your own keys and values. They are given back and never interpreted. The keys `__proto__` and `constructor` are refused.",
  },
);

/** A caller's own description of a transfer. */
export const descriptionField = Type.Optional(Type.String({ maxLength: 500 }));

import Type from "typebox";
import { formedText, sensitive } from "../../validation/schema.ts";

const iban = formedText("^[A-Za-z]{2}\\d{2}[A-Za-z0-9 ]{11,40}$", "must be an IBAN");
const routingNumber = formedText("^\\d{9}$", "must have nine digits");
const accountNumber = formedText(
  "^[0-9A-Za-z-]{1,34}$",
  "must be an account number without spaces",
);

/** An IBAN, or a routing number with an account number. Not in the request log, which does not look into unions. */
export const virtualAccountField = Type.Union(
  [iban, Type.Object({ routingNumber, accountNumber })],
  sensitive,
);

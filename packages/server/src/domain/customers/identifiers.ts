import type { CodedFault } from "../../engine/refusal.ts";

const SSN = /^\d{3}-\d{2}-\d{4}$/;

export function isSsn(identifier: string): boolean {
  return SSN.test(identifier);
}

/** The error message for a social security number in another form. */
export const notAnSsn: CodedFault = {
  code: "INVALID_INPUT",
  error: {
    field: "identifier",
    message: "must have the form ###-##-####",
    constraint: { format: "us-ssn" },
  },
};

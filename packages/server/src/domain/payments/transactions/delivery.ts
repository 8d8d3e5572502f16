/** How a payment reaches its receiver: over which rail, and under which reference. */

/** The rail of a payment to or from a UMA address. */
export const UMA_RAIL = "UMA";

/** The rail of a payment that does not leave the books of the deployment. */
export const BOOK_RAIL = "BOOK";

/** Crockford's base 32: no I, L, O or U, so that no two characters look alike. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * What the beneficiary of a payment finds on a statement: `FL` and 13 characters, within the 18 characters of the shortest field of a bank
 * rail. They are the last 64 bits of the transaction's id, of which 62 are random. It is derived from the id alone, so a payment that is
 * sent twice carries the same reference both times.
 */
export function beneficiaryReference(transactionId: string): string {
  const id = transactionId;
  // The id ends in xxxx-xxxxxxxxxxxx: the 64 bits are read as one group of 4 bits and three groups of 20.
  const first = Number.parseInt(id.charAt(19), 16);
  const second = Number.parseInt(id.slice(20, 23) + id.slice(24, 26), 16);
  const third = Number.parseInt(id.slice(26, 31), 16);
  const fourth = Number.parseInt(id.slice(31), 16);
  return `FL${DIGITS[first]}${fourDigits(second)}${fourDigits(third)}${fourDigits(fourth)}`;
}

function fourDigits(bits: number): string {
  const digit = (shift: number) => DIGITS[(bits >> shift) & 31];
  return `${digit(15)}${digit(10)}${digit(5)}${digit(0)}`;
}

/** The name under which both platforms know a payment to a UMA address: it follows from the sender's transaction alone. */
export function umaReference(transactionId: string): string {
  return `UMA-${transactionId.replaceAll("-", "").toUpperCase()}`;
}

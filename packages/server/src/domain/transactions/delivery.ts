/** How a payment reaches its receiver: over which rail, and under which reference. */

/** The rail of a payment to or from a UMA address. */
export const UMA_RAIL = "UMA";

/** The rail of a payment that does not leave the books of the deployment. */
export const BOOK_RAIL = "BOOK";

/** Crockford's base 32: no I, L, O or U, so that no two characters look alike. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Enough for the 62 random bits at the end of a UUIDv7. */
const LENGTH = 13;

/**
 * What the beneficiary of a payment finds on a statement: `FL` and 13 characters, within the 18 characters of the shortest
 * field of a bank rail. It follows from the transaction's id alone, so a payment that is sent twice carries it twice.
 */
export function beneficiaryReference(transactionId: string): string {
  let bits = BigInt(`0x${transactionId.replaceAll("-", "").slice(-16)}`);
  let digits = "";
  for (let place = 0; place < LENGTH; place += 1) {
    digits = `${DIGITS[Number(bits & 31n)]}${digits}`;
    bits >>= 5n;
  }
  return `FL${digits}`;
}

/** The name under which both platforms know a payment to a UMA address: it follows from the sender's transaction alone. */
export function umaReference(transactionId: string): string {
  return `UMA-${transactionId.replaceAll("-", "").toUpperCase()}`;
}

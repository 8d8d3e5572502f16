/**
 * References that a payer quotes, so that the money finds its account or its quote.
 *
 *   RF     ISO 11649: RF, two check digits, FL and 14 characters. Banks in Europe have a field for it
 *   memo   FL, 12 characters and two check digits: 16 characters, which fit an ACH addendum and the text of a wire
 *
 * The characters are those of Crockford's base 32, without I, L, O and U. Both forms have check digits modulo 97, which find every
 * wrong digit and every two characters that changed places.
 */
import { checkDigits97, remainder97 } from "../../money/mod97.ts";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export type ReferenceForm = "RF" | "MEMO";

/** A reference from random bits, of which RF takes 70 and the memo 60. */
export function newReference(form: ReferenceForm, bits: bigint): string {
  if (form === "RF") {
    const body = `FL${charactersOf(bits, 14)}`;
    return `RF${checkDigits97(`${body}RF`)}${body}`;
  }
  const body = `FL${charactersOf(bits, 12)}`;
  return `${body}${checkDigits97(body)}`;
}

function charactersOf(bits: bigint, length: number): string {
  let text = "";
  for (let rest = bits; text.length < length; rest >>= 5n) text += ALPHABET[Number(rest & 31n)];
  return text;
}

/** The random bits of a new id, of which it has 62. */
export function randomBitsOf(id: string): bigint {
  return BigInt(`0x${id.replaceAll("-", "").slice(16)}`) & ((1n << 62n) - 1n);
}

const BODY = "[0-9A-HJKMNP-TV-Z]";
const RF = new RegExp(`^RF\\d{2}FL${BODY}{14}$`);
const MEMO = new RegExp(`^FL${BODY}{12}\\d{2}$`);

/**
 * The distinct references in a text that have right check digits. Blanks, line ends, `-`, `.` and `/` are left out, and letters
 * are folded to capitals. A text without any is read once more with O, I and L behind `FL` as the digits that they look like.
 */
export function referencesIn(text: string): readonly string[] {
  const plain = text.replace(/[\s./-]/g, "").toUpperCase();
  const found = soundIn(plain, (body) => body);
  return found.length > 0 ? found : soundIn(plain, readAsDigits);
}

function readAsDigits(body: string): string {
  return body.replaceAll("O", "0").replaceAll(/[IL]/g, "1");
}

/** Judged at every `FL`, because a payer's words may touch the reference once blanks are left out. */
function soundIn(plain: string, read: (body: string) => string): readonly string[] {
  const found = new Set<string>();
  for (let at = plain.indexOf("FL"); at >= 0; at = plain.indexOf("FL", at + 1)) {
    const memo = `FL${read(plain.slice(at + 2, at + 16))}`;
    const rf = `${plain.slice(Math.max(at - 4, 0), at)}${memo}`;
    if (isRf(rf)) found.add(rf);
    else if (isMemo(memo)) found.add(memo);
  }
  return [...found];
}

function isRf(text: string): boolean {
  return RF.test(text) && remainder97(text.slice(4) + text.slice(0, 4)) === 1;
}

function isMemo(text: string): boolean {
  return MEMO.test(text) && remainder97(text) === 1;
}

/** As it is shown to people: in groups of four. */
export function spokenReference(reference: string): string {
  return (reference.match(/.{1,4}/g) ?? []).join(" ");
}

/**
 * References that a payer quotes, so that the money finds its account or its quote.
 *
 *   RF     ISO 11649: RF, two check digits, FL and 14 characters. Banks in Europe have a field for it
 *   memo   FL, 12 characters and two check digits: 16 characters, which fit an ACH addendum and the text of a wire
 *
 * The characters are those of Crockford's base 32, without I, L, O and U. Both forms have check digits modulo 97, which find every
 * wrong digit and every two characters that changed places.
 */
import { checkDigits97, remainder97 } from "../../../money/mod97.ts";

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
const RF_START = /RF\d{2}/y;
const RF_BODY = new RegExp(`${BODY}{14}`, "y");
const MEMO_BODY = new RegExp(`${BODY}{12}\\d{2}`, "y");
const RF_START_LENGTH = 4;
const BODY_LENGTH = 14;

/**
 * The distinct references in a text that have right check digits. Blanks, line ends, `-`, `.` and `/` are left out, and letters
 * are folded to capitals. A text without any is read once more with O, I and L behind `FL` as the digits that they look like.
 *
 * Payers write these texts, and a page of a feed has a hundred of up to 1,000 characters: each position is checked without a copy of the
 * text.
 */
export function referencesIn(text: string): readonly string[] {
  const plain = text.replace(/[\s./-]/g, "").toUpperCase();
  const found = soundIn(plain, plain);
  return found.length > 0 ? found : soundIn(plain, readAsDigits(plain));
}

/** The references of each text, in the order in which the texts are tried. */
export type QuotedReferences = readonly (readonly string[])[];

/** The references in the two texts of an entry. */
export function quotedReferences({
  reference,
  remittance,
}: {
  readonly reference: string | null;
  readonly remittance: string | null;
}): QuotedReferences {
  return [reference, remittance].flatMap((text) => (text === null ? [] : [referencesIn(text)]));
}

function readAsDigits(text: string): string {
  return text.replace(/O/g, "0").replace(/[IL]/g, "1");
}

/**
 * Judged at every `FL`, because a payer's words may touch the reference once blanks are left out. What follows it is read in `bodies`,
 * a text of the same length.
 */
function soundIn(plain: string, bodies: string): readonly string[] {
  const found = new Set<string>();
  for (let at = plain.indexOf("FL"); at >= 0; at = plain.indexOf("FL", at + 1)) {
    const start = at - RF_START_LENGTH;
    const isRf = start >= 0 && isAt(RF_START, plain, start) && isAt(RF_BODY, bodies, at + 2);
    const body = () => `FL${bodies.slice(at + 2, at + 2 + BODY_LENGTH)}`;
    if (isRf && remainder97(body() + plain.slice(start, at)) === 1) {
      found.add(plain.slice(start, at) + body());
    } else if (isAt(MEMO_BODY, bodies, at + 2) && remainder97(body()) === 1) found.add(body());
  }
  return [...found];
}

function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** As it is shown to people: in groups of four. */
export function spokenReference(reference: string): string {
  return (reference.match(/.{1,4}/g) ?? []).join(" ");
}

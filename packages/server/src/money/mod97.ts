/** ISO 7064 MOD 97-10, the check digits of IBANs and of creditor references. */

/** The remainder of the number that the text stands for: each character is its value in base 36, written in decimal. */
export function remainder97(text: string): number {
  let rest = 0;
  for (let index = 0; index < text.length; index += 1) {
    const value = digitOf(text.charCodeAt(index));
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

/** The value in base 36; NaN unless the character is a digit or a letter. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x7a ? letter - 0x61 + 10 : Number.NaN;
}

/** The two digits that complete the text to a remainder of 1. */
export function checkDigits97(text: string): string {
  return String(98 - remainder97(`${text}00`)).padStart(2, "0");
}

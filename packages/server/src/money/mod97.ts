/** ISO 7064 MOD 97-10, the check digits of IBANs and of creditor references. */

/** The remainder of the number that the text stands for: each character is its value in base 36, written in decimal. */
export function remainder97(text: string): number {
  let rest = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

/** The two digits that complete the text to a remainder of 1. */
export function checkDigits97(text: string): string {
  return String(98 - remainder97(`${text}00`)).padStart(2, "0");
}

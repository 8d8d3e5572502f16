/** Invisible characters that change the direction of the text around them. */
const TEXT_DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Removes the characters by which a name could reorder the sentence around it. */
export function plainName(name: string): string {
  return name.replaceAll(TEXT_DIRECTION, "");
}

/** Invisible characters that turn the order of the text around them. */
const TEXT_DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A name that cannot rewrite the sentence that it stands in. */
export function plainName(name: string): string {
  return name.replaceAll(TEXT_DIRECTION, "");
}

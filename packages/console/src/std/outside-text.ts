/** Text from outside: names, descriptions, webhook answers. It is shown as plain text, and hidden characters are made visible. */

const SHOWN_CHARACTERS = 200;
const CONTROL_PICTURES = 0x2400;

/** Replaces control and direction characters by symbols, so that they cannot change how the rest is displayed. */
export function visibleText(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => {
      const code = character.charCodeAt(0);
      if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
      return code === 0x7f ? "\u2421" : "\ufffd";
    },
  );
}

/** The beginning of a long text, and whether it was cut. Never cuts a surrogate pair. */
export function shorten(
  text: string,
  characters = SHOWN_CHARACTERS,
): { readonly shown: string; readonly isCut: boolean } {
  if (text.length <= characters) return { shown: text, isCut: false };
  const end = /[\ud800-\udbff]/.test(text[characters - 1] ?? "") ? characters - 1 : characters;
  return { shown: text.slice(0, end), isCut: true };
}

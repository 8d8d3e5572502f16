/** Colours with enough contrast, by the rules of WCAG 2: at least 4.5 to 1 between a text and its background. */

/** Red, green and blue, each from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

export const AA = 4.5;

/** Of `#rrggbb`. */
export function colorOf(text: string): Color {
  const value = Number.parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function toHex(color: Color): string {
  return `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

export function contrast(one: Color, other: Color): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: Color): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const WHITE: Color = [255, 255, 255];
const BLACK: Color = [0, 0, 0];

/** Black or white, whichever has more contrast; for any colour that is at least 4.58. */
export function textOn(background: Color): Color {
  return contrast(WHITE, background) >= contrast(BLACK, background) ? WHITE : BLACK;
}

const STEPS = 50;

/**
 * The colour, or the nearest of its shades towards black or white that has enough contrast with each of the backgrounds. They are
 * all light or all dark, so the last shade, black or white itself, has.
 */
export function readableOn(color: Color, backgrounds: readonly [Color, ...Color[]]): Color {
  const target = textOn(backgrounds[0]);
  for (let step = 0; step < STEPS; step += 1) {
    const shade = mixed(color, target, step / STEPS);
    if (backgrounds.every((background) => contrast(shade, background) >= AA)) return shade;
  }
  return target;
}

function mixed(from: Color, to: Color, share: number): Color {
  const at = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [at(0), at(1), at(2)];
}

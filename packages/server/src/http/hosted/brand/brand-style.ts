import { type BrandColors, darkTheme, lightTheme, variables } from "../palette.ts";

/** Red, green and blue, each from 0 to 255. */
type Color = readonly [red: number, green: number, blue: number];

/** The contrast ratio that WCAG 2 requires between a text and its background, to 1. */
export const AA = 4.5;

/** Parses `#rrggbb`. */
export function colorOf(text: string): Color {
  const value = Number.parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function toHex(color: Color): string {
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

/** Black or white, whichever has more contrast. For any colour the contrast is at least 4.58. */
function textOn(background: Color): Color {
  return contrast(WHITE, background) >= contrast(BLACK, background) ? WHITE : BLACK;
}

const STEPS = 50;

/**
 * The colour, or its nearest shade towards black or white that has enough contrast with each background. The backgrounds are all light or
 * all dark, so the last shade, black or white, always has enough.
 */
function readableOn(color: Color, backgrounds: readonly [Color, ...Color[]]): Color {
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

type Theme = Pick<typeof lightTheme, "ground" | "panel">;

/** A button keeps the platform's colour. Text in that colour on the page takes a readable shade. */
export function brandColors(color: string, { ground, panel }: Theme): BrandColors {
  const own = colorOf(color);
  const accent = readableOn(own, [colorOf(ground), colorOf(panel)]);
  return { accent: toHex(accent), button: toHex(own), onButton: toHex(textOn(own)) };
}

/** The style sheet that replaces the colours of buttons and links by a platform's own, light and dark. */
export function brandStyle(color: string): string {
  return `:root { ${variables(brandColors(color, lightTheme))} }
@media (prefers-color-scheme: dark) { :root { ${variables(brandColors(color, darkTheme))} } }
`;
}

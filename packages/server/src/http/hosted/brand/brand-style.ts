import { type BrandColors, darkTheme, lightTheme, variables } from "../palette.ts";
import { colorOf, readableOn, textOn, toHex } from "./contrast.ts";

type Theme = Pick<typeof lightTheme, "ground" | "panel">;

/** The button keeps the platform's colour; what is written in it on the page itself takes a readable shade. */
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

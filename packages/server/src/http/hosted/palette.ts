/** The colours of the hosted pages, light or dark as the browser prefers. Each pair of text and background has enough contrast. */

interface Theme {
  readonly ground: string;
  readonly panel: string;
  readonly line: string;
  /** The border of fields: at least 3 to 1 against the ground. */
  readonly edge: string;
  readonly ink: string;
  readonly soft: string;
  /** Links, focus and progress. */
  readonly accent: string;
  readonly good: string;
  readonly goodTint: string;
  readonly wait: string;
  readonly waitTint: string;
  readonly bad: string;
  readonly badTint: string;
}

export const lightTheme: Theme = {
  ground: "#ffffff",
  panel: "#f7f8fa",
  line: "#e4e7ec",
  edge: "#868f9e",
  ink: "#161a22",
  soft: "#565f6e",
  accent: "#2456d6",
  good: "#17683f",
  goodTint: "#e8f0ec",
  wait: "#87500a",
  waitTint: "#f3ede6",
  bad: "#ab2431",
  badTint: "#f7e9ea",
};

export const darkTheme: Theme = {
  ground: "#161a20",
  panel: "#0f1216",
  line: "#272d37",
  edge: "#6f7988",
  ink: "#e8ebf0",
  soft: "#a4adbb",
  accent: "#8fb0ff",
  good: "#6fd19e",
  goodTint: "#1f2c2d",
  wait: "#f0b866",
  waitTint: "#2c2a27",
  bad: "#ff8f98",
  badTint: "#2d262c",
};

/** The colours that are derived from a platform's own colour; each is a custom property of the style. */
export interface BrandColors {
  readonly accent: string;
  readonly button: string;
  readonly onButton: string;
}

export function variables(colors: Theme | BrandColors): string {
  return Object.entries(colors)
    .map(
      ([name, color]) =>
        `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${color};`,
    )
    .join(" ");
}

export const hostedPalette = `:root {
  color-scheme: light dark;
  ${variables(lightTheme)}
  ${variables({ accent: lightTheme.accent, button: lightTheme.accent, onButton: "#ffffff" })}
}
@media (prefers-color-scheme: dark) {
  :root {
    ${variables(darkTheme)}
    ${variables({ accent: darkTheme.accent, button: darkTheme.accent, onButton: "#0f1216" })}
  }
}
`;

/** The theme: light, dark, or the system's. The script in the page's head sets the class before the first paint. */
import { useState } from "react";
import { recall, remember } from "../std/storage.ts";

export type Theme = "light" | "dark" | "system";

const DARK = "(prefers-color-scheme: dark)";

function chosenTheme(): Theme {
  const kept = recall("theme");
  return kept === "light" || kept === "dark" ? kept : "system";
}

function apply(theme: Theme): void {
  const isDark = theme === "dark" || (theme === "system" && matchMedia(DARK).matches);
  const { classList } = document.documentElement;
  classList.toggle("dark", isDark);
  classList.toggle("light", !isDark);
}

/** Follows changes of the system's theme while the page is open. */
export function followSystemTheme(): void {
  matchMedia(DARK).addEventListener("change", () => apply(chosenTheme()));
}

export function useTheme() {
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  return {
    theme,
    choose(next: Theme) {
      setTheme(next);
      remember("theme", next === "system" ? undefined : next);
      apply(next);
    },
  };
}

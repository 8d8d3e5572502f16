/** Runs before the first paint: the class of the theme that was chosen, or of the system's. */
(() => {
  const root = document.documentElement;
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem("florin.theme");
  } catch {
    // A browser that keeps nothing has the system's theme.
  }
  const isDark =
    chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.classList.toggle("dark", isDark);
  root.classList.toggle("light", !isDark);
})();

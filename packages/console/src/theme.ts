/** Runs before the first paint: sets the class of the chosen theme, or of the system's. */
(() => {
  const root = document.documentElement;
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem("florin.theme");
  } catch {
    // Without storage, the system's theme is used.
  }
  const isDark =
    chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.classList.toggle("dark", isDark);
  root.classList.toggle("light", !isDark);
})();

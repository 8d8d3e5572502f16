/** The controls of a page: those that open a dialog, and those that the keyboard reaches. */
import type { Page } from "playwright-core";

export const DIALOG_BUTTONS =
  '#content button[aria-haspopup="dialog"]:not([data-disabled]):visible';

/** Controls that a page shows and that can be used. Of tabs and of rows of a menu, one is in the order of Tab and keys lead to the others. */
const CONTROLS = `[...document.querySelectorAll(
  "#content :is(a[href], button, input, select, textarea, summary, [tabindex])")].filter((one) =>
    one.checkVisibility() && !one.disabled && one.closest("[inert], [aria-hidden=true]") === null &&
    !(one.getAttribute("role") === "tab" && one.getAttribute("aria-selected") !== "true"))`;

const WATCH = `window.walked = new Set(); window.hiddenFocus = [];
  document.addEventListener("keydown", (event) => {
    const one = document.activeElement;
    if (event.key !== "Tab" || one.id === "content" || one.closest("#content") === null) return;
    window.walked.add(one);
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    const place = one.getBoundingClientRect();
    const at = document.elementFromPoint(
      Math.min(innerWidth - 1, place.left + Math.min(place.width, innerWidth) / 2), place.top + Math.min(place.height, 40) / 2);
    const isCovered = at === null || !(one.contains(at) || at.contains(one) || at.closest("tr")?.contains(one) || at.closest("li")?.contains(one));
    if (outlineStyle === "none" || Number.parseFloat(outlineWidth) < 2 || isCovered)
      window.hiddenFocus.push((isCovered ? "covered: " : "no outline: ") + one.outerHTML.slice(0, 120));
  }, true);`;

/** Presses Tab through the whole page, and says what was not reached, and where the focus could not be seen. */
export async function walkByTab(page: Page) {
  await page.evaluate(WATCH);
  const count = (await page.evaluate(`${CONTROLS}.length`)) as number;
  await page.locator("#content").focus();
  // A date takes a press for each of its parts, and what scrolls takes one, too.
  for (let press = 0; press < count + 12; press++) await page.keyboard.press("Tab");
  return page.evaluate(`({
    unreached: ${CONTROLS}.filter((one) => !window.walked.has(one) && one.id !== "content").map((one) => one.outerHTML.slice(0, 160)),
    hidden: window.hiddenFocus,
  })`) as Promise<{ readonly unreached: readonly string[]; readonly hidden: readonly string[] }>;
}

/** How much wider than the screen a page is, and what reaches beyond it. Tables and lists of tabs scroll by themselves. */
export async function overflowOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(`document.documentElement.scrollWidth === innerWidth ? [] :
    [...document.querySelectorAll("#content *")].filter((one) => one.getBoundingClientRect().right > innerWidth)
      .map((one) => one.outerHTML.slice(0, 140)).slice(0, 6)`) as Promise<string[]>;
}

/** Buttons that open no dialog, by their names. */
export async function plainButtons(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll("#content button:not([aria-haspopup]):not([aria-pressed])")]
    .filter((one) => one.checkVisibility() && one.getAttribute("role") !== "tab")
    .map((one) => one.getAttribute("aria-label") ?? one.textContent.trim())`) as Promise<string[]>;
}

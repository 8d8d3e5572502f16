/** A real browser for pages: Chromium out of an npm package, without a screen. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import chromium from "@sparticuz/chromium";
import { type Browser, type Page, chromium as playwright } from "playwright-core";

export async function startBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    // Not the package's own list: that has one process for everything, and switches off what pages rely on for safety.
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
    headless: true,
  });
}

export interface Violation {
  readonly id: string;
  readonly help: string;
  readonly where: readonly string[];
}

let axeSource: Promise<string> | undefined;

/** What axe finds against WCAG 2.2 A and AA and against good practice; nothing when all is well. */
export async function accessibilityFaults(page: Page): Promise<readonly Violation[]> {
  axeSource ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(await axeSource);
  const found = (await page.evaluate("axe.run()")) as {
    readonly violations: readonly {
      readonly id: string;
      readonly help: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
    readonly passes: readonly unknown[];
  };
  if (found.passes.length === 0) throw new Error("axe looked at nothing");
  return found.violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(({ html }) => html),
  }));
}

/** What has the focus, as a person who cannot see it is told: role and name. */
export async function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return "nothing";
    const label = element.labels?.[0]?.textContent ?? element.textContent;
    return element.tagName.toLowerCase() + " " + label.trim();
  })()`);
}

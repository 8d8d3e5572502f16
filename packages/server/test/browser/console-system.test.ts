/** The page of the operators, and the tray of long work, in a browser. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults, hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { keep } from "../kit/console-pages.ts";

describe.runIf(hasBrowser)("an operator", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  beforeAll(async () => {
    visit = await openConsole();
    const context = await newContext(visit.browser);
    ({ page, complaints } = await newPage(context));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
    await visit.server.app.system.notes.note();
  }, 300_000);
  afterAll(() => visit?.close());

  it("checks the books, and is told the end in the tray of another page after a reload", async () => {
    await page.getByRole("link", { name: "System" }).click();
    await page.getByText("The books have not been checked here yet.").waitFor();
    await page.getByRole("button", { name: "Verify now" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Verify now" }).click();
    await page.getByText("Everything adds up").waitFor();
    await page.goto(`${home}/customers`);
    await page.reload();
    await page.getByRole("button", { name: "1 job ended" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Check of the books").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keep(page, { state: "system", name: "tray", width: 1440, theme: "light" });
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Jobs", exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("makes a workspace and is shown the link of its owner once", async () => {
    await page.goto(`${home}/system-workspaces`);
    await page.getByRole("button", { name: "New workspace" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Lind Boats");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText(/\/console\/start#/).waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText("Lind Boats").first().waitFor();
    expect(complaints).toEqual([]);
  });

  it.each([
    [390, "light"],
    [1440, "dark"],
    [390, "dark"],
    [1440, "light"],
  ] as const)("reads the state of the deployment at %s px in %s colours", async (width, theme) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme });
    for (const name of [
      "system",
      "system-verifications",
      "system-platforms",
      "system-workspaces",
      "audit",
    ]) {
      await page.goto(`${home}/${name}`);
      await settled(page);
      await keep(page, { state: "system", name, width, theme });
      const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect([name, over, await accessibilityFaults(page)]).toEqual([name, 0, []]);
    }
    expect(complaints).toEqual([]);
  });
});

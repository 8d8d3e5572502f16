/** The matrix of roles, and the switch by which an owner lets admins read documents. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults, hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  type OpenPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { keep, looks } from "../kit/console-pages.ts";

describe.runIf(hasBrowser)("the roles of a workspace", () => {
  let visit: ConsoleVisit;
  let owner: OpenPage;
  let home: string;
  beforeAll(async () => {
    visit = await openConsole();
    owner = await newPage(await newContext(visit.browser));
    await enterByLink(owner.page, visit.startLink);
    home = owner.page.url().replace(/\/home$/, "");
  }, 300_000);
  afterAll(() => visit?.close());

  it.each(looks)("fit at $width px in $theme colours", async (look) => {
    const { page, complaints } = owner;
    await page.setViewportSize({ width: look.width, height: 900 });
    await page.emulateMedia({ colorScheme: look.theme });
    for (const name of ["team", "team-roles", "settings"]) {
      await page.goto(`${home}/${name}`);
      await settled(page);
      if (name === "settings")
        await page.getByText("Admins read documents").scrollIntoViewIfNeeded();
      await keep(page, { state: "roles", name, ...look });
      const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect([name, over, await accessibilityFaults(page)]).toEqual([name, 0, []]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(complaints).toEqual([]);
  });

  it("are switched by an owner under Settings, and shown under Team", async () => {
    const { page, complaints } = owner;
    const cell = page
      .getByRole("row", { name: /documents\.read/ })
      .getByRole("cell")
      .nth(1);
    await page.goto(`${home}/team`);
    await page
      .getByRole("navigation", { name: "Team" })
      .getByRole("link", { name: "Roles" })
      .click();
    await page.waitForURL(/\/team-roles$/);
    await cell.getByText("Switched off").waitFor();
    await page.goto(`${home}/settings`);
    await page.getByRole("button", { name: "Switch on" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Their sessions end").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Switch on" }).click();
    await page.getByRole("button", { name: "Switch off" }).waitFor();
    await page.goto(`${home}/team-roles`);
    await cell.getByText("Yes").waitFor();
    expect(complaints).toEqual([]);
  });
});

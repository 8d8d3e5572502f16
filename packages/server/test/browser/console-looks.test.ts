/** Pages without anything in them, and pages that a person may not see: no page is blank, and each refusal says what it needs. */
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults, hasBrowser } from "../kit/browser.ts";
import { passkeysOf } from "../kit/browser-passkeys.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { keep, looks, PAGES } from "../kit/console-pages.ts";

const lists = Object.entries(PAGES).flatMap(([name, place]) =>
  typeof place === "string" ? [{ name, place }] : [],
);

/** What a viewer, who may read least, is refused, by the capability that each page names. */
const REFUSED: Readonly<Record<string, string>> = {
  rails: "rails.read",
  "rail-queue": "rails.read",
  "rail-marks": "rails.read",
  "rail-items": "rails.read",
  "rail-reconciliation": "rails.read",
  "rail-entries": "rails.read",
  "rail-receivables": "rails.read",
  uma: "settings.read",
  "uma-counterparties": "settings.read",
  "uma-exchanges": "settings.read",
  webhooks: "webhooks.read",
  deliveries: "deliveries.read",
  events: "events.read",
  requests: "logs.read",
  "api-keys": "tokens.read",
  team: "people.read",
  "team-roles": "people.read",
  audit: "audit.read",
  system: "system.read",
  "system-verifications": "system.verifications",
  "system-platforms": "system.read",
};

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

describe.runIf(hasBrowser)("the console", () => {
  let visit: ConsoleVisit;
  let home: string;
  let owner: StorageState;
  let viewer: StorageState;
  beforeAll(async () => {
    visit = await openConsole();
    const context = await newContext(visit.browser);
    const { page } = await newPage(context);
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
    await page.goto(`${home}/team`);
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("Name").fill("Vera Viewer");
    await page.getByLabel("Email").fill("vera@example.com");
    await page.getByRole("button", { name: /Role$/ }).click();
    await page.getByRole("option", { name: "Viewer" }).click();
    await page.getByRole("button", { name: "Make a link" }).click();
    const link = await page.getByText(/\/console\/invite#/).innerText();
    owner = await context.storageState();
    await context.close();
    const other = await newContext(visit.browser);
    const second = await newPage(other);
    await (await passkeysOf(second.page)).use("phone");
    await second.page.goto(link);
    await second.page.getByLabel("Your email address").fill("vera@example.com");
    await second.page.getByRole("button", { name: "Make a passkey" }).click();
    await second.page.waitForURL(/\/home$/);
    viewer = await other.storageState();
    await other.close();
  }, 300_000);
  afterAll(() => visit?.close());

  async function opened(storageState: StorageState, look: (typeof looks)[number]) {
    const context = await visit.browser.newContext({
      viewport: { width: look.width, height: 900 },
      colorScheme: look.theme,
      reducedMotion: "reduce",
      storageState,
    });
    return { context, ...(await newPage(context)) };
  }

  it.each(looks)(
    "says what each empty page is for at $width px in $theme colours",
    async (look) => {
      const { context, page, complaints } = await opened(owner, look);
      const faults: unknown[] = [];
      for (const { name, place } of lists) {
        await page.goto(`${home}/${place}`);
        await settled(page);
        await keep(page, { state: "empty", name, ...look });
        const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        const found = await accessibilityFaults(page);
        if (over !== 0 || found.length > 0) faults.push({ name, over, found });
        expect((await page.locator("main").innerText()).length, name).toBeGreaterThan(40);
        expect(await page.locator("[role=alert]").count(), name).toBe(0);
      }
      expect(faults).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    },
    600_000,
  );

  it.each(looks)(
    "says what a refused page needs at $width px in $theme colours",
    async (look) => {
      const { context, page } = await opened(viewer, look);
      const faults: unknown[] = [];
      for (const [name, capability] of Object.entries(REFUSED)) {
        await page.goto(`${home}/${name}`);
        await page.getByRole("alert").first().waitFor();
        await settled(page);
        await keep(page, { state: "refused", name, ...look });
        const found = await accessibilityFaults(page);
        const refusals = await page.locator("[role=alert]").count();
        if (found.length > 0 || refusals !== 1) faults.push({ name, found, refusals });
        await expect
          .poll(() => page.locator("[role=alert]").first().innerText(), { message: name })
          .toContain(capability);
      }
      expect(faults).toEqual([]);
      await context.close();
    },
    600_000,
  );
});

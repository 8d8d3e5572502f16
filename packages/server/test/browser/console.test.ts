/** The console as its people meet it: every page, narrow and wide, light and dark, with data and with hostile texts. */
import type { BrowserContext } from "playwright-core";
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
import { keep, looks, PAGES, pagePath } from "../kit/console-pages.ts";
import { fillSandbox, HOSTILE_TEXTS, type SandboxObjects } from "../kit/console-rows.ts";

describe.runIf(hasBrowser)("the console", () => {
  let visit: ConsoleVisit;
  let made: SandboxObjects;
  let home: string;
  let state: Awaited<ReturnType<BrowserContext["storageState"]>>;
  let clicks: number;
  beforeAll(async () => {
    visit = await openConsole();
    const context = await newContext(visit.browser);
    const { page } = await newPage(context);
    await page.addInitScript(
      "addEventListener('click', () => { window.clicked = (window.clicked ?? 0) + 1 }, true)",
    );
    await enterByLink(page, visit.startLink);
    clicks = (await page.evaluate("window.clicked")) as number;
    home = page.url().replace(/\/home$/, "");
    state = await context.storageState();
    await context.close();
    made = await fillSandbox(visit.story);
  }, 300_000);
  afterAll(() => visit?.close());

  async function signedIn(look: { width?: number; theme?: "light" | "dark" } = {}) {
    const context = await visit.browser.newContext({
      viewport: { width: look.width ?? 1440, height: 900 },
      colorScheme: look.theme ?? "light",
      reducedMotion: "reduce",
      storageState: state,
    });
    return { context, ...(await newPage(context)) };
  }

  it("is entered by the link of the first start with one click and two fields", () => {
    expect(home).toBe(`${visit.origin}/console/p/sandbox`);
    expect(clicks).toBeLessThanOrEqual(4);
  });

  it("tells a second visitor that the link is used, and keeps its code out of the address", async () => {
    const context = await newContext(visit.browser);
    const { page } = await newPage(context);
    await page.goto(visit.startLink);
    await page.getByText("This link was used").first().waitFor();
    expect(await page.getByLabel("Your name").count()).toBe(0);
    expect(page.url()).toBe(`${visit.origin}/console/start`);
    await context.close();
  });

  it("asks for a passkey when there is no session, and shows nothing else", async () => {
    const context = await newContext(visit.browser);
    const { page } = await newPage(context);
    await page.goto(`${home}/payments`);
    await page.waitForURL(/\/console\/sign-in$/);
    await expect.poll(() => page.getByRole("heading").allTextContents()).toEqual(["Sign in"]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await context.close();
  });

  it.each(looks)(
    "is accessible, quiet and fits on every page at $width px in $theme colours",
    async (look) => {
      const { context, page, complaints, hosts } = await signedIn(look);
      const faults: unknown[] = [];
      for (const [name, place] of Object.entries(PAGES)) {
        await page.goto(`${home}/${pagePath(place, made)}`);
        await settled(page);
        await keep(page, { state: "full", name, ...look });
        const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        const found = await accessibilityFaults(page);
        if (over !== 0 || found.length > 0) faults.push({ name, over, found });
        expect(await page.locator("[role=alert]").count(), name).toBe(0);
      }
      expect(faults).toEqual([]);
      expect(complaints).toEqual([]);
      expect([...hosts]).toEqual([visit.origin]);
      await context.close();
    },
    600_000,
  );

  it("shows hostile texts as text, in lists, details, dialogs and JSON", async () => {
    const { context, page, complaints, hosts } = await signedIn();
    let dialogs = 0;
    page.on("dialog", (dialog) => {
      dialogs += 1;
      return dialog.dismiss();
    });
    for (const customerId of made.hostileCustomerIds) {
      await page.goto(`${home}/customers/${customerId}`);
      await settled(page);
      await page.getByRole("tab", { name: "JSON" }).click();
      await page.getByRole("button", { name: "Freeze" }).click();
      await page.getByRole("button", { name: "Cancel" }).click();
    }
    for (const place of [
      "customers",
      "payments",
      "webhooks",
      "events",
      "requests",
      "agents",
      "home",
    ]) {
      await page.goto(`${home}/${place}?limit=100`);
      await settled(page);
    }
    await page.goto(`${home}/customers?limit=100`);
    await settled(page);
    const shown = await page.locator("main").innerText();
    for (const text of HOSTILE_TEXTS.filter(({ isShown }) => isShown))
      expect(shown).toContain(text.text);
    expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(await page.locator("main img, main script, main iframe").count()).toBe(0);
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(dialogs).toBe(0);
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([visit.origin]);
    await context.close();
  }, 300_000);

  it("keeps its state in the address: filters, page and panel come back", async () => {
    const { context, page } = await signedIn();
    await page.goto(`${home}/payments`);
    await settled(page);
    await page.getByRole("button", { name: "Failed" }).click();
    await page.waitForURL(/tab=failed/);
    await page.locator("tbody a.row-link").first().click();
    await page.waitForURL(/payments\/Transaction:[^?]+\?.*tab=failed/);
    await page.getByRole("tab", { name: "JSON" }).click();
    await page.waitForURL(/view=json/);
    await page.reload();
    await settled(page);
    expect(await page.getByRole("tab", { name: "JSON" }).getAttribute("aria-selected")).toBe(
      "true",
    );
    expect(await page.getByRole("button", { name: "Failed" }).getAttribute("aria-pressed")).toBe(
      "true",
    );
    await context.close();
  });

  it("says where a list is not counted, and counts its only page", async () => {
    const { context, page } = await signedIn();
    const told = async (place: string) => {
      await page.goto(`${home}/${place}`);
      await settled(page);
      return page
        .getByRole("status")
        .filter({ hasText: /in all/ })
        .innerText();
    };
    // No index serves the filter by an amount.
    expect(await told("payments?minAmount=12.50&maxAmount=12.50")).toMatch(/^\d+ in all$/);
    const paged = await told("requests");
    expect(paged).toBe("25 rows on this page; not counted in all");
    await context.close();
  });

  it("leads from a reason on Home to the payments that failed for it", async () => {
    const { context, page } = await signedIn();
    await page.goto(`${home}/home`);
    await settled(page);
    await page.locator('a[href*="failureCode="]').first().click();
    await page.waitForURL(/payments\?failureCode=/);
    await settled(page);
    const { status, json } = await visit.story.call(
      "GET",
      `/transactions${new URL(page.url()).search}`,
    );
    expect(status).toBe(200);
    await expect.poll(() => page.locator("tbody tr").count()).toBe(json.data.length);
    await expect.poll(() => page.getByText(/^Failure is /).count()).toBe(1);
    await context.close();
  });

  it("is used with the keyboard alone: palette, go-to keys, rows", async () => {
    const { context, page } = await signedIn();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${home}/home`);
    await settled(page);
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page.waitForURL(/\/payments$/);
    await settled(page);
    await page.locator("thead").click();
    await page.locator("tbody a.row-link").first().focus();
    await page.keyboard.press("e");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.locator("tbody a.row-link").first().focus();
    await page.keyboard.press("j");
    await page.keyboard.press("c");
    await page.getByText(/^Copied [0-9a-f]{6}$/).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/payments\/Transaction:/);
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type(made.customerId);
    await page.getByRole("dialog").getByRole("option").first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`customers/${made.customerId}`));
    await context.close();
  });

  it("says why a payment failed within three clicks from Home", async () => {
    const { context, page } = await signedIn();
    await page.goto(`${home}/home`);
    await settled(page);
    await page
      .locator("section", { hasText: "Last problems" })
      .locator(`li a[href*="${made.failedPaymentId.split(":")[1]}"]`)
      .first()
      .click();
    await page
      .getByText(/The bank rejected the transfer|Insufficient funds/)
      .first()
      .waitFor();
    await context.close();
  });

  it("makes a payment by its form, once for a double click, and shows it", async () => {
    const { context, page } = await signedIn();
    await page.goto(`${home}/payments`);
    await settled(page);
    await page.getByRole("button", { name: "New payment" }).click();
    const from = page.getByRole("combobox", { name: "From" });
    // Neither a name that nobody has nor a name alone is a choice.
    await from.fill("nobody has this name");
    await page.getByText("Nobody is found by this.").waitFor();
    await from.press("Tab");
    await page.getByRole("button", { name: "Next", exact: true }).click();
    await page.getByText("Choose one of the list.").waitFor();
    await from.fill("ana");
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    // A list that pops up stands outside of the landmarks, and the field names it.
    const faults = await accessibilityFaults(page);
    expect(faults.filter(({ id }) => id !== "region")).toEqual([]);
    await page
      .getByRole("option", { name: /Ana Ruiz.*\d,\d{3}\.\d{2} USD/s })
      .first()
      .click();
    await page.getByText(/USD available/).waitFor();
    expect(await from.inputValue()).toBe("Ana Ruiz");
    await page.getByRole("button", { name: "Next", exact: true }).click();
    const to = page.getByRole("combobox", { name: "To" });
    await to.fill("ana");
    await page
      .getByRole("option", { name: /Ana Ruiz.*account/s })
      .first()
      .waitFor();
    await to.press("ArrowDown");
    await to.press("Enter");
    await page.getByLabel("Amount").fill("0");
    await page.getByRole("button", { name: "Review" }).click();
    await page.locator("[data-invalid]").first().waitFor();
    await page.getByLabel("Amount").fill("1.25");
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByText("1.25").first().waitFor();
    await page.getByText("It is sent at once: payments of people do not wait here.").waitFor();
    await page.getByRole("button", { name: "Send" }).dblclick();
    await page.waitForURL(/payments\/Transaction:/);
    await expect.poll(() => page.locator("article h1").innerText()).toContain("1.25");
    const { data } = (await visit.story.call("GET", "/transactions?limit=100")).json;
    expect(
      data.filter(
        ({ sentAmount }: { sentAmount?: { amount: number } }) => sentAmount?.amount === 125,
      ),
    ).toHaveLength(1);
    await context.close();
  });

  it("paints Home with few and small files, and each further page with less", async () => {
    const { context, page } = await signedIn();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    let bytes = 0;
    let files = 0;
    let viewer = 0;
    const assets = new Set<string>();
    const viewers = new Set<string>();
    devtools.on("Network.responseReceived", ({ requestId, response }) => {
      if (response.url.includes("/console/assets/")) assets.add(requestId);
      // A page with a PDF on it draws it.
      if (response.url.includes("/console/assets/pdf-")) viewers.add(requestId);
    });
    devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      // A file of the browser's cache has no bytes.
      if (!assets.has(requestId) || encodedDataLength === 0) return;
      files += 1;
      if (viewers.has(requestId)) viewer += encodedDataLength;
      else bytes += encodedDataLength;
    });
    await page.goto(`${home}/home`);
    await settled(page);
    expect(bytes).toBeLessThan(256_000);
    expect(files).toBeLessThanOrEqual(12);
    const heavy: unknown[] = [];
    for (const [name, place] of Object.entries(PAGES)) {
      bytes = 0;
      await page.goto(`${home}/${pagePath(place, made)}`);
      await settled(page);
      if (bytes > 60_000) heavy.push({ name, bytes });
    }
    expect(heavy).toEqual([]);
    expect(viewer).toBeLessThan(450_000);
    await context.close();
  }, 300_000);
});

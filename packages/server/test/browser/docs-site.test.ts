/** The documentation as a reader meets it: in a browser, narrow and wide, light and dark, by mouse and by keyboard. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults, complaintsOf, hasBrowser, startBrowser } from "../kit/browser.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

const build = fileURLToPath(new URL("../../../docs-site/build.mjs", import.meta.url));

/** One of each kind. */
const PAGES = [
  "/docs",
  "/docs/authentication",
  "/docs/reference/quotes",
  "/docs/reference/account-types",
  "/docs/reference/values",
  "/docs/errors",
  "/docs/errors/TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
  "/docs/events",
  "/docs/operators/runbook",
] as const;
const WIDTHS = [390, 1440] as const;
const THEMES = ["light", "dark"] as const;

const looks = PAGES.flatMap((path) =>
  WIDTHS.flatMap((width) => THEMES.map((theme) => ({ path, width, theme }))),
);

describe.runIf(hasBrowser)("the documentation", () => {
  let server: TestServer;
  let browser: Browser;
  let origin: string;
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [build]);
    server = await startTestServer();
    origin = `http://localhost:${server.app.address.port}`;
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function open(path: string, look: { width?: number; theme?: "light" | "dark" } = {}) {
    const { width = 1440, theme = "light" } = look;
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      colorScheme: theme,
      reducedMotion: "reduce",
    });
    const complaints = complaintsOf(page);
    const answer = await page.goto(origin + path);
    expect(answer?.status()).toBe(200);
    return { page, complaints };
  }

  it.each(looks)("$path is accessible and fits at $width px in $theme colours", async (look) => {
    const { page, complaints } = await open(look.path, look);
    await page.evaluate(
      "for (const part of document.querySelectorAll('details')) part.open = true",
    );
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("asks no other host for anything", async () => {
    const { page } = await open("/docs");
    const hosts = new Set<string>();
    page.on("request", (request) => hosts.add(new URL(request.url()).origin));
    await page.goto(`${origin}/docs/reference/transfers`);
    await page.keyboard.press("/");
    await page.locator("dialog.search input").fill("quote");
    await page.locator("dialog.search li").first().waitFor();
    expect([...hosts]).toEqual([origin]);
    await page.close();
  });

  it("is searched with the keyboard alone", async () => {
    const { page, complaints } = await open("/docs");
    await page.keyboard.press("/");
    const input = page.getByRole("combobox", { name: "Search the documentation" });
    await input.fill("insufficient balance");
    const chosen = page.getByRole("option", { selected: true });
    expect(await chosen.textContent()).toContain("INSUFFICIENT_BALANCE");
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    expect(await chosen.textContent()).not.toContain("INSUFFICIENT_BALANCE");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${origin}/docs/errors/INSUFFICIENT_BALANCE`);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("keeps the language of the samples that was chosen, and shows the address of the server", async () => {
    const { page } = await open("/docs/reference/quotes");
    await page.getByRole("button", { name: "Python" }).first().click();
    const shown = page.locator(".sample:visible");
    expect(await shown.first().textContent()).toContain("urllib.request");
    await page.goto(`${origin}/docs/reference/transfers`);
    expect(await shown.first().textContent()).toContain("urllib.request");
    expect(await shown.first().textContent()).toContain(`${origin}/2025-10-13/transfers`);
    await page.close();
  });

  it("leads from an anchor of the reference of one page to its place", async () => {
    const { page } = await open("/docs#createQuote");
    await page.waitForURL(`${origin}/docs/reference/quotes#createQuote`);
    await page.goto(`${origin}/2025-10-13/docs#event-customer-kyc-approved`);
    await page.waitForURL(`${origin}/docs/events#event-customer-kyc-approved`);
    await page.close();
  });

  it("has its navigation behind a button where there is no room", async () => {
    const { page } = await open("/docs/reference/quotes", { width: 390 });
    const link = page.getByRole("link", { name: "Transactions", exact: true });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Navigation" }).click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await link.click();
    await page.waitForURL(`${origin}/docs/reference/transactions`);
    await page.close();
  });

  it("begins with a link to the text", async () => {
    const { page } = await open("/docs/errors");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    await page.keyboard.press("Enter");
    expect(page.url()).toMatch(/#content$/);
    await page.close();
  });

  it("is read without scripts: all samples, no empty button", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page: Page = await context.newPage();
    await page.goto(`${origin}/docs/reference/quotes`);
    const languages = page.locator(
      "#createQuote >> xpath=ancestor::section >> css=.sample:visible",
    );
    expect(await languages.count()).toBe(3);
    expect(await page.locator(".tabs:visible, .find:visible").count()).toBe(0);
    await context.close();
  });
});

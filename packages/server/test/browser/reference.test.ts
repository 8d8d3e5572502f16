/** The API reference as a reader meets it: in a browser, narrow and wide, by mouse and by keyboard. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complaintsOf, hasBrowser, startBrowser } from "../kit/browser.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

const SIZES = [
  { name: "a telephone", width: 320, height: 640 },
  { name: "a tablet", width: 800, height: 1000 },
  { name: "a desk", width: 1440, height: 900 },
] as const;

/** Names of fields that go over more lines than they have parts. In words of the browser, whose types are not ours. */
const NAMES_CUT_IN_TWO = `[...document.querySelectorAll("tbody th code")]
  .filter((name) => {
    const lines = new Set([...name.getClientRects()].map(({ top }) => Math.round(top)));
    return lines.size > name.querySelectorAll("wbr").length + 1;
  })
  .map((name) => name.textContent)`;

describe.runIf(hasBrowser)("the reference page", () => {
  let server: TestServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await startTestServer();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function open(size: (typeof SIZES)[number]): Promise<Page> {
    return browser.newPage({ viewport: size, reducedMotion: "reduce" });
  }

  it.each(SIZES)(
    "fits on $name, with every part unfolded, and complains of nothing",
    async (size) => {
      const page = await open(size);
      const complaints = complaintsOf(page);
      const answer = await page.goto(`${server.baseUrl}/docs`);
      expect(answer?.status()).toBe(200);
      await page.evaluate(
        "for (const part of document.querySelectorAll('details')) part.open = true",
      );
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      expect(await page.evaluate("getComputedStyle(document.body).margin")).toBe("0px");
      expect(await page.evaluate(NAMES_CUT_IN_TWO)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  it("is read with the keyboard alone", async () => {
    const page = await open(SIZES[2]);
    await page.goto(`${server.baseUrl}/docs`);
    const focused = () => page.evaluate("document.activeElement.textContent.trim()");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to content");
    const skip = await page.locator(".skip").boundingBox();
    expect(skip?.x).toBeGreaterThanOrEqual(0);
    await page.keyboard.press("Enter");
    expect(page.url()).toMatch(/#content$/);
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("OpenAPI document");

    const form = page.locator("#form-AccountInfo ~ details").first();
    expect(await form.getAttribute("open")).toBeNull();
    await form.locator("summary").focus();
    const summary = "getComputedStyle(document.activeElement)";
    expect(await page.evaluate(`${summary}.outlineWidth`)).toBe("3px");
    await page.keyboard.press("Enter");
    expect(await form.getAttribute("open")).toBe("");
    await page.close();
  });

  it("leads from a field to the forms that it comes in", async () => {
    const page = await open(SIZES[1]);
    await page.goto(`${server.baseUrl}/docs#createCustomerExternalAccount`);
    await page.locator('a[href="#form-AccountInfo"]:visible').nth(1).click();
    expect(page.url()).toMatch(/#form-AccountInfo$/);
    const heading = await page.locator("#form-AccountInfo").boundingBox();
    expect(heading?.y).toBeGreaterThanOrEqual(0);
    expect(heading?.y).toBeLessThan(SIZES[1].height);
    await page.close();
  });
});

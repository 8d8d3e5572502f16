/** The page behind an invitation's link in a real browser: by keyboard alone, without scripts, narrow and wide, light and dark. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults, focused, startBrowser } from "../kit/browser.ts";
import { openStory, type Story } from "../kit/story.ts";
import { cancel, claim, invite } from "../kit/story-invitations.ts";
import { advance } from "../kit/story-money.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

let server: TestServer;
let story: Story;
let browser: Browser;
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  browser = await startBrowser();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await server.close();
});

const FULL = { firstName: "Ana", amountToSend: 125_000, expiresAt: "2100-01-02T03:04:05Z" };
const NARROW = { viewport: { width: 320, height: 640 } };
const WIDE = { viewport: { width: 1280, height: 900 } };

/** Opens a page, fails on anything that the browser complains of, and closes it again. */
async function visit(
  url: string,
  options: BrowserContextOptions,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const complaints: string[] = [];
    const requested: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => requested.push(request.url()));
    await page.goto(url);
    await look(page);
    expect(complaints.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([]);
    expect(requested.filter((asked) => asked !== url && !asked.endsWith("/favicon.ico"))).toEqual(
      [],
    );
  } finally {
    await context.close();
  }
}

/** Where screenshots go, when somebody wants to see them. */
async function keep(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

const states: readonly {
  readonly name: string;
  readonly heading: string;
  readonly make: () => Promise<string>;
}[] = [
  {
    name: "pending",
    heading: "Ana would like to send you money",
    make: async () => (await invite(story, FULL)).url,
  },
  {
    name: "claimed",
    heading: "This invitation was accepted",
    make: async () => {
      const { code, url } = await invite(story, FULL);
      await claim(story, code);
      return url;
    },
  },
  {
    name: "cancelled",
    heading: "This invitation was cancelled",
    make: async () => {
      const { code, url } = await invite(story, FULL);
      await cancel(story, code);
      return url;
    },
  },
  {
    name: "expired",
    heading: "This invitation has expired",
    make: async () => {
      const other = await openStory(server);
      const { json } = await other.call("GET", "/sandbox/clock");
      const expiresAt = new Date(Date.parse(json.now) + 60_000).toISOString();
      const { url } = await invite(other, { ...FULL, expiresAt });
      await advance(other, 60);
      return url;
    },
  },
  {
    name: "unknown",
    heading: "There is no invitation here",
    make: async () => `${server.app.baseUrl}/i/0123456789abcdef0123456789abcdef`,
  },
];

const looks = [
  { look: "narrow", options: NARROW },
  { look: "wide", options: WIDE },
  { look: "dark", options: { ...WIDE, colorScheme: "dark" as const } },
];

describe.each(states)("the page of an invitation that is $name", ({ name, heading, make }) => {
  it.each(looks)(
    "is accessible, $look, and does not scroll sideways",
    async ({ look, options }) => {
      await visit(await make(), options, async (page) => {
        expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(heading);
        for (const landmark of ["banner", "main", "contentinfo"] as const) {
          expect(await page.getByRole(landmark).count()).toBe(1);
        }
        await keep(page, `${name}-${look}`);
        expect(await accessibilityFaults(page)).toEqual([]);
        const sideways =
          "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        expect(await page.evaluate(sideways)).toBe(0);
      });
    },
  );
});

describe("by keyboard alone", () => {
  it("an address is entered, corrected, and led to its provider", async () => {
    const { url, code } = await invite(story, FULL);
    await visit(url, NARROW, async (page) => {
      for (const wanted of ["button Copy the code", "button Copy the link"]) {
        await page.keyboard.press("Tab");
        expect(await focused(page)).toBe(wanted);
      }
      await page.keyboard.press("Tab");
      expect(await focused(page)).toBe("input Your UMA address");
      await page.keyboard.type("bea");
      await page.keyboard.press("Tab");
      expect(await focused(page)).toBe("button Check my address");
      await Promise.all([page.waitForURL(url), page.keyboard.press("Enter")]);
      await page.getByText("Enter a UMA address").waitFor();
      await keep(page, "fault-narrow");
      expect(await page.title()).toMatch(/^Error: /);
      expect(await accessibilityFaults(page)).toEqual([]);

      expect(await focused(page)).toBe("input Your UMA address");
      const field = page.getByLabel("Your UMA address");
      expect(await field.inputValue()).toBe("bea");
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      await page.keyboard.press("Control+A");
      await page.keyboard.type("$bea@wallet.test");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Accept at wallet.test" }).waitFor();
      expect(await page.getByText(code).count()).toBe(1);
      await keep(page, "accept-narrow");
      expect(await accessibilityFaults(page)).toEqual([]);

      await page.keyboard.press("Tab");
      expect(await focused(page)).toBe("button Copy the code");
      await page.keyboard.press("Tab");
      expect(await focused(page)).toBe("a Use another address");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Ana would like to send you money" }).waitFor();
    });
  });
});

describe("without scripts", () => {
  it("the form works just the same", async () => {
    const { url } = await invite(story, FULL);
    await visit(url, { ...WIDE, javaScriptEnabled: false }, async (page) => {
      await page.getByLabel("Your UMA address").fill("$bea@wallet.test");
      await page.getByRole("button", { name: "Check my address" }).click();
      await page.getByRole("heading", { name: "Accept at wallet.test" }).waitFor();
      await keep(page, "accept-wide");
    });
  });
});

describe("text of twice the size", () => {
  it("stays in a narrow window", async () => {
    const { url } = await invite(story, { ...FULL, firstName: "A".repeat(100) });
    await visit(url, NARROW, async (page) => {
      await page.evaluate("document.documentElement.style.setProperty('font-size', '200%')");
      await keep(page, "large-narrow");
      const sideways =
        "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect(await page.evaluate(sideways)).toBe(0);
    });
  });
});

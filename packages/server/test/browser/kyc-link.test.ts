/** The pages of a verification link in a real browser: by keyboard alone, without scripts, narrow and wide, light and dark. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults, focused, startBrowser } from "../kit/browser.ts";
import { PDF } from "../kit/forms.ts";
import { openLocalPage } from "../kit/local-page.ts";
import { openStory, type Story } from "../kit/story.ts";
import {
  fill,
  linkHomeOf,
  OWNER_FORM,
  PASSPORT,
  PERSON,
  unverifiedBusiness,
  unverifiedPerson,
  upload,
} from "../kit/story-links.ts";
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

const NARROW = { viewport: { width: 320, height: 640 } };
const WIDE = { viewport: { width: 1280, height: 900 } };
const PAPER = { name: "passport.pdf", mimeType: "application/pdf", buffer: PDF };

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
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(url);
    await look(page);
    expect(complaints.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([]);
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

async function readyPerson(): Promise<string> {
  const home = await linkHomeOf(story, await unverifiedPerson(story));
  await fill(`${home}/details`, PERSON);
  await upload(`${home}/documents/customer`, PASSPORT);
  return home;
}

async function businessWithOwner(): Promise<string> {
  const home = await linkHomeOf(story, await unverifiedBusiness(story));
  await fill(`${home}/people/new`, { ...OWNER_FORM, "personalInfo.nationality": "MX" });
  return home;
}

const pages: readonly {
  readonly name: string;
  readonly heading: string;
  readonly make: () => Promise<string>;
}[] = [
  {
    name: "person",
    heading: "Verify who you are",
    make: async () => linkHomeOf(story, await unverifiedPerson(story)),
  },
  { name: "ready", heading: "Verify who you are", make: readyPerson },
  { name: "business", heading: "Verify your business", make: businessWithOwner },
  {
    name: "details",
    heading: "About you",
    make: async () => `${await linkHomeOf(story, await unverifiedPerson(story))}/details`,
  },
  {
    name: "company",
    heading: "About the business",
    make: async () => `${await businessWithOwner()}/details`,
  },
  {
    name: "owner",
    heading: "Add a person",
    make: async () => `${await businessWithOwner()}/people/new`,
  },
  {
    name: "document",
    heading: "Upload a document",
    make: async () => `${await readyPerson()}/documents/customer`,
  },
  {
    name: "used",
    heading: "This link was used",
    make: async () => {
      const home = await readyPerson();
      await fill(home, {});
      return home;
    },
  },
  {
    name: "unknown",
    heading: "There is nothing to verify here",
    make: async () => `${server.app.baseUrl}/verify/${"01".repeat(32)}`,
  },
];

const looks = [
  { look: "narrow", options: NARROW },
  { look: "wide", options: WIDE },
  { look: "dark", options: { ...WIDE, colorScheme: "dark" as const } },
];

describe.each(pages)("the page $name", ({ name, heading, make }) => {
  it.each(looks)(
    "is accessible, $look, and does not scroll sideways",
    async ({ look, options }) => {
      await visit(await make(), options, async (page) => {
        expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(heading);
        await keep(page, `${name}-${look}`);
        expect(await accessibilityFaults(page)).toEqual([]);
        const sideways =
          "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        expect(await page.evaluate(sideways)).toBe(0);
      });
    },
  );
});

/** Walks on to what has this role and name, as a person without a mouse does. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused(page)) === wanted) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the keyboard does not reach ${wanted}`);
}

async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, `input ${label}`);
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
}

async function choose(page: Page, label: string, words: string): Promise<void> {
  await tabTo(page, `select ${label}`);
  await page.keyboard.type(words);
}

async function follow(page: Page, wanted: string, heading: string): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
}

describe("by keyboard alone", () => {
  it("a person corrects what was wrong, uploads a passport, sends it and is led back", async () => {
    const target = await openLocalPage(browser);
    const redirectUri = target.page.url();
    const home = await linkHomeOf(story, await unverifiedPerson(story), { redirectUri });
    await visit(home, NARROW, async (page) => {
      await follow(page, "a Edit your details", "About you");
      await typeInto(page, "Full name", "Ana");
      await typeInto(page, "Day", "3");
      await choose(page, "Month", "February");
      await typeInto(page, "Year", "1991");
      await choose(page, "Nationality", "United States");
      await typeInto(page, "Street and number", "1 Main St");
      await typeInto(page, "Postal code", "02110");
      await choose(page, "Country of the address", "United States");
      await choose(page, "Kind of number", "Social");
      await typeInto(page, "Number", "123-45-6789");
      await tabTo(page, "button Save");
      await page.keyboard.press("Enter");
      await page.getByText("Please correct this").waitFor();
      await keep(page, "fault-narrow");
      expect(await page.title()).toMatch(/^Error: /);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await focused(page)).toBe("input Full name");
      expect(await page.getByLabel("Postal code").inputValue()).toBe("02110");
      await typeInto(page, "Full name", "Ana Ruiz");
      await follow(page, "button Save", "Verify who you are");

      await follow(page, "a Add a document", "Upload a document");
      await choose(page, "Kind of document", "Passport");
      await choose(page, "Country that issued it", "United States");
      await typeInto(page, "Number of the document (optional)", "P-1");
      await typeInto(page, "Who issued it (optional)", "State Department");
      await page.getByLabel("File").setInputFiles(PAPER);
      await follow(page, "button Upload", "Verify who you are");
      await tabTo(page, "button Send for verification");
      await Promise.all([page.waitForURL(redirectUri), page.keyboard.press("Enter")]);
    });
    await target.close();
  });
});

describe("without scripts", () => {
  it("a business names a person and is sent", async () => {
    const customerId = await unverifiedBusiness(story, { registrationNumber: "7700100" });
    const home = await linkHomeOf(story, customerId);
    await visit(home, { ...WIDE, javaScriptEnabled: false }, async (page) => {
      await page.getByRole("link", { name: "Add a person" }).click();
      await page.getByLabel("First name").fill("Mara");
      await page.getByLabel("Last name").fill("Lind");
      await page.getByLabel("Controls the business").check();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Please correct this").waitFor();
      await keep(page, "owner-fault-wide");
      expect(await page.getByLabel("Controls the business").isChecked()).toBe(true);
      await page.getByLabel("Share of the business in per cent").fill("60");
      await page.getByLabel("Day").fill("5");
      await page.getByLabel("Month").selectOption({ label: "April" });
      await page.getByLabel("Year").fill("1980");
      await page.getByLabel("Nationality").selectOption("US");
      await page.getByLabel("Street and number").fill("2 Pier Rd");
      await page.getByLabel("Postal code").fill("02110");
      await page.getByLabel("Country of the address").selectOption("US");
      await page.getByLabel("Kind of number").selectOption("SSN");
      await page.getByLabel("Number", { exact: true }).fill("123-45-6789");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: "Mara Lind" }).first().waitFor();
      await keep(page, "business-ready-wide");
      await page.getByRole("button", { name: "Send for verification" }).click();
      await page.getByRole("heading", { name: "Thank you, all is sent" }).waitFor();
      await keep(page, "sent-wide");
    });
  });
});

describe("text of twice the size", () => {
  it("stays in a narrow window", async () => {
    await visit(await businessWithOwner(), NARROW, async (page) => {
      await page.evaluate("document.documentElement.style.setProperty('font-size', '200%')");
      await keep(page, "large-narrow");
      const sideways =
        "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect(await page.evaluate(sideways)).toBe(0);
    });
  });
});

/** Every hosted page in a real browser: each language, narrow and wide, light and dark, with and without branding. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults, complaintsOf, startBrowser } from "../kit/browser.ts";
import { openStory, type Story } from "../kit/story.ts";
import { brand } from "../kit/story-branding.ts";
import { cancel, invite } from "../kit/story-invitations.ts";
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
let branded: Story;
let plain: Story;
let browser: Browser;
beforeAll(async () => {
  server = await startTestServer();
  branded = await openStory(server);
  await brand(branded);
  plain = await openStory(server);
  browser = await startBrowser();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await server.close();
});

/** The browser reports every answer with an error status. */
const isOfPage = (complaint: string) => !complaint.includes("Failed to load resource");

/** Where screenshots go, when somebody wants to see them. */
async function keep(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

async function readyPerson(story: Story): Promise<string> {
  const home = await linkHomeOf(story, await unverifiedPerson(story), {
    redirectUri: "https://app.example/verified",
  });
  await fill(`${home}/details`, PERSON);
  await upload(`${home}/documents/customer`, PASSPORT);
  return home;
}

async function business(story: Story): Promise<string> {
  const home = await linkHomeOf(story, await unverifiedBusiness(story));
  await fill(`${home}/people/new`, { ...OWNER_FORM, "personalInfo.nationality": "MX" });
  return home;
}

const INVITATION = {
  amountToSend: 125_000,
  expiresAt: "2100-01-02T03:04:05Z",
  showInviterName: true,
};

interface Shown {
  readonly name: string;
  readonly make: (story: Story) => Promise<string>;
  /** What the visitor does before the page is looked at. */
  readonly act?: (page: Page) => Promise<void>;
}

const press = async (page: Page) => {
  await Promise.all([
    page.waitForEvent("load"),
    page.click("main button[type=submit]:not([tabindex])"),
  ]);
};

const pages: readonly Shown[] = [
  { name: "person", make: async (story) => linkHomeOf(story, await unverifiedPerson(story)) },
  { name: "ready", make: readyPerson },
  { name: "business", make: business },
  {
    name: "faults",
    make: async (story) => `${await linkHomeOf(story, await unverifiedPerson(story))}/details`,
    act: press,
  },
  { name: "company", make: async (story) => `${await business(story)}/details` },
  { name: "owner", make: async (story) => `${await business(story)}/people/new` },
  { name: "document", make: async (story) => `${await readyPerson(story)}/documents/customer` },
  {
    name: "used",
    async make(story) {
      const home = await readyPerson(story);
      await fill(home, {});
      return home;
    },
  },
  { name: "invited", make: async (story) => (await invite(story, INVITATION)).url },
  {
    name: "accept",
    make: async (story) => (await invite(story, INVITATION)).url,
    async act(page) {
      await page.fill("#address", "$bea@wallet.test");
      await press(page);
    },
  },
  {
    name: "cancelled",
    async make(story) {
      const { code, url } = await invite(story, INVITATION);
      await cancel(story, code);
      return url;
    },
  },
  {
    name: "refused",
    make: async (story) => `${await linkHomeOf(story, await unverifiedPerson(story))}/people/x`,
  },
];

const NARROW = { viewport: { width: 390, height: 844 } };
const WIDE = { viewport: { width: 1440, height: 900 } };
const looks: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ["390-light", NARROW],
  ["390-dark", { ...NARROW, colorScheme: "dark" }],
  ["1440-light", WIDE],
  ["1440-dark", { ...WIDE, colorScheme: "dark" }],
];

const variants = [
  { variant: "en", locale: "en-US", isBranded: true },
  { variant: "es", locale: "es-MX", isBranded: true },
  { variant: "pt", locale: "pt-BR", isBranded: true },
  { variant: "plain", locale: "en-US", isBranded: false },
];

async function look(
  { name, make, act }: Shown,
  variant: { readonly story: Story; readonly locale: string; readonly label: string },
): Promise<void> {
  const { story, locale, label } = variant;
  const url = await make(story);
  for (const [seen, options] of looks) {
    const context = await browser.newContext({ ...options, locale });
    try {
      const page = await context.newPage();
      const complaints = complaintsOf(page);
      await page.goto(url);
      await act?.(page);
      await keep(page, `${name}-${label}-${seen}`);
      expect(await accessibilityFaults(page)).toEqual([]);
      const sideways =
        "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect([seen, await page.evaluate(sideways)]).toEqual([seen, 0]);
      expect(await page.evaluate("document.documentElement.lang")).toBe(locale.slice(0, 2));
      expect(complaints.filter(isOfPage)).toEqual([]);
    } finally {
      await context.close();
    }
  }
}

describe.each(pages)("the page $name", (shown) => {
  it.each(variants)(
    "is accessible and fits, as $variant",
    async ({ variant, locale, isBranded }) => {
      const story = isBranded ? branded : plain;
      await look(shown, { story, locale, label: variant });
    },
    60_000,
  );
});

async function visit(url: string, see: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  try {
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(url);
    await see(page);
    expect(complaints.filter(isOfPage)).toEqual([]);
  } finally {
    await context.close();
  }
}

async function pasted(page: Page): Promise<string> {
  await page.fill("#address", "");
  await page.press("#address", "Control+V");
  return page.inputValue("#address");
}

describe("a copy button", () => {
  it("copies the code and the link, and says so", async () => {
    const { url, code } = await invite(branded, INVITATION);
    await visit(url, async (page) => {
      await page.getByRole("button", { name: "Copy the code" }).click();
      await page.getByText("Copied").waitFor();
      expect(await pasted(page)).toBe(code);
      await page.getByRole("button", { name: "Copy the link" }).click();
      await page.getByText("Copied").nth(1).waitFor();
      expect(await pasted(page)).toBe(url);
    });
  });

  it("selects the text where there is no clipboard", async () => {
    const { url, code } = await invite(branded, INVITATION);
    await visit(url, async (page) => {
      await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
      await page.getByRole("button", { name: "Copy the code" }).click();
      await page.getByText("Selected.").waitFor();
      expect(await page.evaluate("String(getSelection())")).toBe(code);
    });
  });

  it("is not there without scripts", async () => {
    const { url } = await invite(branded, INVITATION);
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(url);
    expect(await page.locator("button[data-copy]:visible").count()).toBe(0);
    await context.close();
  });
});

describe("the logo", () => {
  it("is shown on pages of the platform", async () => {
    await visit((await invite(branded, INVITATION)).url, async (page) => {
      expect(await page.evaluate("document.querySelector('header img').naturalWidth")).toBe(120);
    });
  });
});

describe("the list of languages", () => {
  it("leads to the same page, and the choice stays", async () => {
    const home = await linkHomeOf(branded, await unverifiedPerson(branded));
    await visit(home, async (page) => {
      await page.getByRole("link", { name: "Português" }).click();
      await page.getByRole("heading", { level: 1, name: "Verifique quem você é" }).waitFor();
      await page.getByRole("link", { name: "Editar seus dados" }).click();
      await page.getByRole("heading", { level: 1, name: "Sobre você" }).waitFor();
      await page.getByRole("link", { name: "Voltar ao resumo" }).click();
      await page.getByRole("heading", { level: 1, name: "Verifique quem você é" }).waitFor();
    });
  });
});

describe("Enter in a form with a list of countries", () => {
  it("sends the form, and does not ask for more countries", async () => {
    await visit(`${await business(branded)}/details`, async (page) => {
      await page.fill("[name='businessInfo.countriesOfOperation.1']", "Mexico");
      await page.press("[name='businessInfo.countriesOfOperation.1']", "Enter");
      await page.getByText("Please correct this").waitFor();
    });
  });
});

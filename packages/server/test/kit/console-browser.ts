/** The console as a person uses it: a real browser with a passkey, signed in as the first owner. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { expect } from "vitest";
import { present } from "../../src/std/assert.ts";
import { complaintsOf, startBrowser } from "./browser.ts";
import { type BrowserPasskeys, passkeysOf } from "./browser-passkeys.ts";
import { type Story, storyAt } from "./story.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const build = fileURLToPath(new URL("../../../console/build.mjs", import.meta.url));

export interface ConsoleVisit {
  readonly server: TestServer;
  readonly browser: Browser;
  readonly origin: string;
  /** The platform that a first start makes, through the API. */
  readonly story: Story;
  readonly startLink: string;
  close(): Promise<void>;
}

export async function openConsole(
  options: Parameters<typeof startTestServer>[0] = {},
): Promise<ConsoleVisit> {
  await promisify(execFile)(process.execPath, [build]);
  const server = await startTestServer(options);
  const { app } = server;
  const browser = await startBrowser();
  return {
    server,
    browser,
    origin: `http://localhost:${app.address.port}`,
    story: await storyAt(server, present(app.created, "the platform of a first start")),
    startLink: present(app.startLink, "the link of a first start"),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

export interface Look {
  readonly width?: number;
  readonly theme?: "light" | "dark";
}

export interface OpenPage {
  readonly page: Page;
  /** Console messages, errors, violations of the policy. */
  readonly complaints: readonly string[];
  /** The origins of all requests. */
  readonly hosts: ReadonlySet<string>;
}

export async function newContext(browser: Browser, look: Look = {}): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: look.width ?? 1440, height: 900 },
    colorScheme: look.theme ?? "light",
    reducedMotion: "reduce",
  });
}

export async function newPage(context: BrowserContext): Promise<OpenPage> {
  const page = await context.newPage();
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).origin));
  watchReads(page);
  return { page, complaints: complaintsOf(page), hosts };
}

/** Opens the link of the first start and becomes its owner. The page is at Home afterwards, and the passkey on a phone. */
export async function enterByLink(page: Page, link: string): Promise<BrowserPasskeys> {
  const passkeys = await passkeysOf(page);
  await passkeys.use("phone");
  await page.goto(link);
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("Your email address").fill("ada@example.com");
  await page.getByRole("button", { name: "Make a passkey" }).click();
  await page.waitForURL(/\/home$/);
  return passkeys;
}

const QUIET_MS = 300;
const reads = new WeakMap<Page, ReadonlySet<Request>>();

/** The requests of a page that are under way, but for the live stream, which never ends. */
function watchReads(page: Page): ReadonlySet<Request> {
  const known = reads.get(page);
  if (known !== undefined) return known;
  const underway = new Set<Request>();
  page.on("request", (request) => {
    if (!isLive(request.url())) underway.add(request);
  });
  for (const end of ["requestfinished", "requestfailed"] as const) {
    page.on(end as "requestfinished", (request) => underway.delete(request));
  }
  reads.set(page, underway);
  return underway;
}

export function isLive(url: string): boolean {
  return new URL(url).pathname.endsWith("/live");
}

/** Until nothing of the page is being read any more. */
export async function settled(page: Page): Promise<void> {
  const underway = watchReads(page);
  await page.waitForLoadState("load");
  let quietSince = performance.now();
  await expect
    .poll(
      () => {
        if (underway.size > 0) quietSince = performance.now();
        return performance.now() - quietSince;
      },
      { interval: 20 },
    )
    .toBeGreaterThan(QUIET_MS);
  await page.locator("h1").first().waitFor();
  // Not by a function in the page, which its policy does not let evaluate text.
  const loading = page.locator("[role=status][aria-label=Loading]");
  await expect.poll(() => loading.count()).toBe(0);
}

/** The console follows what others do: at another server, in several tabs, and after the network was gone. */
import type { BrowserContext, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  isLive,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { bankAccount, type Funded, fundedCustomer, type Story, storyAt } from "../kit/story.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

const WITHIN_MS = 2_000;

describe.runIf(hasBrowser)("the live console", () => {
  let visit: ConsoleVisit;
  let other: TestServer;
  /** The same platform through another server. */
  let elsewhere: Story;
  let funded: Funded;
  let context: BrowserContext;
  let first: Page;
  let home: string;
  const requests = new Set<Request>();
  /** Live streams that are open in the browser. The requests of a page that was closed are not told to have ended. */
  const streams = () => [...requests].filter((one) => !one.frame().page().isClosed()).length;

  beforeAll(async () => {
    visit = await openConsole();
    other = await startTestServer({ beside: visit.server });
    elsewhere = await storyAt(other, present(visit.server.app.created, "the first platform"));
    funded = await fundedCustomer(elsewhere, 1_000_000);
    context = await newContext(visit.browser);
    context.on("request", (request) => {
      if (isLive(request.url())) requests.add(request);
    });
    for (const end of ["requestfinished", "requestfailed"] as const)
      context.on(end as "requestfinished", (request) => requests.delete(request));
    first = (await newPage(context)).page;
    await enterByLink(first, visit.startLink);
    home = first.url();
  }, 300_000);
  afterAll(async () => {
    await visit?.browser.close();
    await other?.close();
    await visit?.server.close();
  });

  async function pay(amount: number, suffix = "789"): Promise<string> {
    const destination = await bankAccount(elsewhere, { customerId: funded.customerId, suffix });
    const { json } = await elsewhere.call("POST", "/transfer-out", {
      source: { accountId: funded.accountId },
      destination: { accountId: destination },
      amount,
    });
    return json.id;
  }

  const opened = (page: Page) => page.getByTitle("Live: changes show by themselves").waitFor();
  const shows = (page: Page, text: string | RegExp) =>
    page
      .getByText(text)
      .first()
      .waitFor({ timeout: WITHIN_MS + 3_000 });

  it("shows what another server commits within two seconds, without moving the rows", async () => {
    await pay(1_001);
    await elsewhere.settle();
    const { page } = await newPage(context);
    await page.goto(home.replace("/home", "/payments"));
    await settled(page);
    await opened(page);
    const rows = page.locator("tbody tr");
    const before = await rows.allTextContents();
    await pay(1_002);
    const began = performance.now();
    await page.getByRole("button", { name: "1 new" }).waitFor();
    expect(performance.now() - began).toBeLessThan(WITHIN_MS);
    expect(await rows.count()).toBe(before.length);
    await page.getByRole("button", { name: "1 new" }).click();
    await shows(page, "10.02");
    await expect.poll(() => rows.count()).toBe(before.length + 1);
    expect(await page.getByRole("button", { name: /new$/ }).count()).toBe(0);
    await page.close();
  });

  it("reads the object that is shown again, and Home", async () => {
    const id = await pay(1_003, "005");
    const { page } = await newPage(context);
    await page.goto(home.replace("/home", `/payments/${id}`));
    await settled(page);
    await opened(page);
    await first.bringToFront();
    await pay(1_004);
    await shows(first, "10.04");
    await elsewhere.call("POST", "/sandbox/clock/advance", { seconds: 60 });
    await elsewhere.settle();
    await shows(page, /Completed|Failed/);
    await page.close();
  });

  it("has one stream for five tabs, also after the tab that follows it is closed", async () => {
    const tabs: Page[] = [];
    for (let count = 0; count < 4; count++) {
      const { page } = await newPage(context);
      await page.goto(home);
      await settled(page);
      await opened(page);
      tabs.push(page);
    }
    await expect.poll(streams).toBe(1);
    await first.close();
    await expect.poll(streams).toBe(1);
    await pay(1_005);
    const last = present(tabs.at(-1), "a tab");
    await last.bringToFront();
    await shows(last, "10.05");
    for (const tab of tabs.slice(0, -1)) await tab.close();
    first = last;
  });

  it("says that the network is gone, and catches up with what it missed", async () => {
    await expect.poll(streams).toBe(1);
    await context.setOffline(true);
    await first.getByText(/Updated .+, reconnecting/).waitFor();
    await pay(1_006);
    await pay(1_007);
    expect(await first.getByText("10.07").count()).toBe(0);
    await context.setOffline(false);
    await opened(first);
    await shows(first, "10.07");
    await shows(first, "10.06");
  });

  it("asks less and less often for a minute without the network, and goes on behind what it heard", async () => {
    const alone = await visit.browser.newContext({
      viewport: { width: 1440, height: 900 },
      storageState: await context.storageState(),
    });
    const { page } = await newPage(alone);
    await page.clock.install();
    const asked: Request[] = [];
    const ended = new Set<Request>();
    page.on("request", (request) => {
      if (isLive(request.url())) asked.push(request);
    });
    page.on("requestfailed", (request) => ended.add(request));
    await page.goto(home);
    await page.clock.runFor(1_000);
    await opened(page);
    // The first payment may be in what the page read at its start. The second one comes by a notice, which has a position.
    for (const amount of [1_008, 1_009]) {
      await pay(amount);
      await page.clock.runFor(2_000);
      await shows(page, `10.0${amount % 10}`);
    }
    asked.length = 0;
    await alone.setOffline(true);
    // The pause before an attempt begins when the one before it has failed, so the time stands still until then.
    for (let second = 0; second < 60; second++) {
      await page.clock.runFor(1_000);
      await expect.poll(() => asked.every((request) => ended.has(request))).toBe(true);
    }
    await page.getByText(/Updated .+, reconnecting/).waitFor();
    expect(asked.length).toBeGreaterThanOrEqual(4);
    expect(asked.length).toBeLessThanOrEqual(7);
    await pay(1_010);
    await pay(1_011);
    expect(await page.getByText("10.11").count()).toBe(0);
    asked.length = 0;
    await alone.setOffline(false);
    await page.clock.runFor(1_000);
    await opened(page);
    await page.clock.runFor(1_000);
    await shows(page, "10.11");
    await shows(page, "10.10");
    expect(asked).toHaveLength(1);
    expect(Number(asked[0]?.headers()["last-event-id"])).toBeGreaterThan(0);
    await alone.close();
  });
});

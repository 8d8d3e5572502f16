/** The desk of operations as its people use it: the queue, suspense and reconciliation, with the clicks that each errand takes. */
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/std/clock.ts";
import { hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { openStory, type Story } from "../kit/story.ts";
import { plantBreaks } from "../kit/story-breaks.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  payerOf,
  routeTo,
} from "../kit/story-rails.ts";
import { plantSuspense } from "../kit/story-suspense.ts";

describe.runIf(hasBrowser)("the desk of operations", () => {
  let visit: ConsoleVisit;
  let context: BrowserContext;
  let page: Page;
  let home: string;
  beforeAll(async () => {
    visit = await openConsole();
    context = await newContext(visit.browser);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    ({ page } = await newPage(context));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
    const { story } = visit;
    const payer = await payerOf(story, 1_000_000);
    const deskId = await activeConnection(story, { ...manualConnection(), name: "House bank" });
    await routeTo(story, deskId);
    const calendar = { timeZone: "UTC", holidays: "NONE", cutOffs: ["15:30"] };
    await story.call("PATCH", `/rails/connections/${deskId}`, { calendar });
    for (let index = 0; index < 50; index++) expectStatus(201, await payer.pay(1_000 + index));
  }, 300_000);
  afterAll(() => visit?.close());

  /** The session of the page learns of a new platform within some seconds. */
  async function untilKnown(live: string): Promise<void> {
    const isKnown = async () => {
      await page.goto(`${live}/rail-queue`);
      const heading = page.locator("h1").first().waitFor({ timeout: 3_000 });
      return heading.then(() => true).catch(() => false);
    };
    await expect.poll(isKnown, { timeout: 30_000 }).toBe(true);
  }

  /** The page of a production platform of the same workspace. */
  async function production(
    name: string,
  ): Promise<{ readonly story: Story; readonly live: string }> {
    const { server } = visit;
    const { rows } = await server.database.asSuperuser((client) =>
      client.query("select workspace_id from platforms where id = $1", [visit.story.platformId]),
    );
    const workspaceId = String(rows[0]?.workspace_id);
    const wish = { workspaceId, environment: "PRODUCTION", name } as const;
    const story = await openStory(server, wish);
    const live = home.replace(/[^/]+$/, name.toLowerCase());
    await untilKnown(live);
    return { story, live };
  }

  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const dialog = () => page.getByRole("dialog");

  it("shows the whole number of an order for a while, and copies it for the bank", async () => {
    await page.goto(`${home}/rail-queue`);
    await settled(page);
    expect(await page.getByRole("list", { name: "Queue by connection" }).innerText()).toMatch(
      /House bank\s+50 orders · oldest \d+ min · cut-off \d\d:\d\d/,
    );
    await page.locator("tbody tr a.row-link").first().click();
    await button("Copy for the bank").click();
    await button("Copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.split("\n").map((line) => line.split(":")[0])).toEqual([
      "Name",
      "Account number",
      "Routing number",
      "Amount",
      "Reference",
    ]);
    const number = /Account number: (\d+)/.exec(copied)?.[1] ?? "none";
    await page.getByText(number, { exact: true }).waitFor();
    await page.getByText(/Hidden again in \d+ s/).waitFor();
    await button("Hide").click();
    expect(await page.getByText(number, { exact: true }).count()).toBe(0);
  });

  it("takes an order, which the queue then shows", async () => {
    await button("Take").click();
    await page.getByText(/You work on it until/).waitFor();
    await page.goto(`${home}/rail-queue`);
    await settled(page);
    expect(await page.locator("tbody tr", { hasText: "You" }).count()).toBe(1);
  });

  it("marks fifty orders as paid in one go", async () => {
    await page.goto(`${home}/rail-queue`);
    await settled(page);
    await page.getByRole("checkbox", { name: "Select all of the page" }).click();
    await button("Mark all 50 of the queue").click();
    await dialog().getByText("50 orders: 512.25 USD").waitFor();
    await dialog().getByLabel("Note").fill("paid in the portal");
    await dialog().getByRole("button", { name: "Mark", exact: true }).click();
    await dialog().getByText("50 orders are marked.").waitFor({ timeout: 60_000 });
    await dialog().getByRole("button", { name: "Done" }).click();
    await page.getByText("50 orders").first().waitFor({ state: "detached" });
    const { json } = await visit.story.call("GET", "/rails/payments?state=SETTLED&limit=100");
    const paid = json.data.filter(
      (order: { readonly direction: string }) => order.direction === "OUT",
    );
    expect(paid).toHaveLength(50);
    expect(paid[0].history.at(-1).note).toBe("paid in the portal");
  });

  it("suggests what suspense is for, and resolves it with one click and a confirmation", async () => {
    const { story, live } = await production("Suspense");
    const { planted } = await plantSuspense(story);
    await page.goto(`${live}/rail-items`);
    await settled(page);
    const rows = page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(20);
    await expect
      .poll(async () => {
        await page.reload();
        await settled(page);
        return page.getByRole("button", { name: /^(Credit|Fund)/ }).count();
      })
      .toBe(12);
    const first = rows.first();
    const search = page.getByPlaceholder("Name, amount, reference");
    await search.fill("casa verde");
    await expect.poll(() => rows.count()).toBe(2);
    await search.fill("987.65");
    await expect.poll(() => rows.count()).toBe(1);
    await search.fill("");
    await expect.poll(() => rows.count()).toBe(20);
    expect(await first.innerText()).toMatch(
      /Payer 0.*rent FL.*Credit Søren Østergaard.*reference off by one/s,
    );
    await first.getByRole("button", { name: "Credit Søren Østergaard" }).click();
    expect(await dialog().getByLabel("Account", { exact: true }).inputValue()).toBe(
      "Søren Østergaard",
    );
    expect(await dialog().getByLabel("Note").inputValue()).toMatch(/^One character off/);
    await dialog().getByRole("button", { name: "Resolve", exact: true }).click();
    await dialog().waitFor({ state: "detached" });
    await button("Resolved").click();
    await page.getByText("Ada Lovelace").first().waitFor();
    const { json } = await story.call("GET", "/rails/items?state=RESOLVED");
    const [{ resolution }] = json.data;
    expect(resolution.parts[0].accountId).toBe(planted[0]?.right);
  });

  it("finds an account by the name of its holder for any other item", async () => {
    await button("Open").click();
    await settled(page);
    const last = page.locator("tbody tr").last();
    await last.locator("a.row-link").click();
    await page.getByRole("button", { name: "Resolve", exact: true }).click();
    await dialog().getByRole("button", { name: /It is/ }).click();
    await page.getByRole("option", { name: "Money of an account" }).click();
    await dialog().getByLabel("Account", { exact: true }).fill("berg");
    await page.getByRole("option", { name: /Jonas Berg/ }).click();
    await dialog().getByLabel("Note").fill("he called");
    await dialog().getByRole("button", { name: "Resolve", exact: true }).click();
    await dialog().waitFor({ state: "detached" });
    await page.getByText("he called").waitFor();
    await page.locator("article").getByText("Ada Lovelace").waitFor();
  });

  it("finds each of three planted breaks of a week in two clicks from Home", async () => {
    const { rows } = await visit.server.database.asSuperuser((client) =>
      client.query("select workspace_id from platforms where id = $1", [visit.story.platformId]),
    );
    const workspaceId = String(rows[0]?.workspace_id);
    const story = await openStory(visit.server, { workspaceId, name: "Breaks" });
    const week = await plantBreaks(story, systemClock.now());
    await untilKnown(home.replace(/[^/]+$/, "breaks"));
    const found: string[] = [];
    for (const day of [week.missing, week.twice, week.swapped]) {
      await page.goto(`${home.replace(/[^/]+$/, "breaks")}/home`);
      await settled(page);
      await page.getByRole("link", { name: /break in the reconciliation/ }).click();
      await page.getByRole("link", { name: `House bank, USD, ${day}: Break of` }).click();
      await page.getByText("What may explain it").waitFor();
      await settled(page);
      const list = page
        .locator("section", { hasText: "What may explain it" })
        .locator("ul")
        .first();
      found.push(await list.innerText());
    }
    expect(found[0]).toMatch(/123\.45 USD.*without a line/s);
    expect(found[1]).toMatch(/77\.00 USD.*BANK-3.*booked twice.*BANK-4/s);
    expect(found[2]).toMatch(/45\.00 USD.*digits.*changed places/s);
    await page.getByText(/USD: 3 breaks began, −191\.45 USD unexplained/).waitFor();
  });
});

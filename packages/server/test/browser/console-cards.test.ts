/** The card of an object, beside a link to it. */
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { accessibilityFaults, hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { keep, looks } from "../kit/console-pages.ts";
import { fillSandbox, type SandboxObjects } from "../kit/console-rows.ts";

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Pages with links to objects of every kind that has a card and is linked in a sandbox. */
const PLACES = ["events", "requests", "ledger", "agents", "quotes", "deliveries"];

/** The frame follows the live stream and reads every 15 seconds which endpoints fail; nothing else is read at rest but by a card. */
const isOfCard = (path: string) => /\/api\/p\/(?!.*\/(live|webhook-endpoints)$)/.test(path);

describe.runIf(hasBrowser)("the card of an object", () => {
  let visit: ConsoleVisit;
  let made: SandboxObjects;
  let page: Page;
  let complaints: readonly string[];
  let at: string;
  let owner: StorageState;
  const reads: string[] = [];

  beforeAll(async () => {
    visit = await openConsole();
    made = await fillSandbox(visit.story);
    await visit.story.settle();
    const context = await newContext(visit.browser);
    ({ page, complaints } = await newPage(context));
    await enterByLink(page, visit.startLink);
    at = page.url().replace(/home$/, "");
    owner = await context.storageState();
    page.on("request", (request) => reads.push(new URL(request.url()).pathname));
  }, 300_000);
  afterAll(() => visit?.close());

  const card = (of: Page = page) => of.getByRole("tooltip");
  const linkTo = (id: string, of: Page = page): Locator =>
    of.locator(`main a[href$="${id.split(":")[1]}"]`).first();
  const open = async (place: string, on: Page = page) => {
    await on.goto(at + place);
    await settled(on);
    // React Aria takes a pointer that has not moved yet for one that the page came to.
    await on.mouse.move(0, 0);
  };
  const readsOf = (id: string) =>
    reads.filter((path) => decodeURIComponent(path).endsWith(id)).length;

  it("says kind, name, state and time of what a link was hovered for a while", async () => {
    await open(`agents/${made.agentId}`);
    const before = readsOf(made.customerId);
    await linkTo(made.customerId).hover();
    await card().getByText("Customer", { exact: true }).waitFor();
    await card().locator("time").waitFor();
    const { fullName } = (await visit.story.call("GET", `/customers/${made.customerId}`)).json;
    await expect.poll(() => card().innerText()).toContain(fullName);
    expect(readsOf(made.customerId)).toBe(before + 1);
    expect(await linkTo(made.customerId).getAttribute("aria-describedby")).toBe(
      await card().getAttribute("id"),
    );
  });

  it("stays while the pointer is on it, and goes with the pointer", async () => {
    await open(`agents/${made.agentId}`);
    await linkTo(made.customerId).hover();
    await card().locator("time").waitFor();
    await card().hover();
    await page.waitForTimeout(400);
    expect(await card().count()).toBe(1);
    await page.mouse.move(0, 0);
    await card().waitFor({ state: "detached" });
  });

  it("is not read for a pointer that passes over the links of a list", async () => {
    await open("events");
    const links = page.locator("main table a.text-accent");
    const count = Math.min(6, await links.count());
    expect(count).toBeGreaterThan(2);
    const boxes = [];
    for (let index = 0; index < count; index += 1)
      boxes.push(present(await links.nth(index).boundingBox(), "the place of a link"));
    reads.length = 0;
    for (const { x, y, width, height } of boxes)
      await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.move(0, 0);
    await page.waitForTimeout(600);
    expect(await card().count()).toBe(0);
    expect(reads.filter(isOfCard)).toEqual([]);
  });

  it("comes with the focus of the keyboard, and goes with Escape", async () => {
    await open(`agents/${made.agentId}`);
    const link = page.getByRole("article").locator(`a[href*="${made.customerId}"]`);
    await page.getByRole("article").getByRole("tab").first().focus();
    for (let steps = 0; steps < 30; steps += 1) {
      await page.keyboard.press("Tab");
      if (await link.evaluate((one) => one === one.ownerDocument.activeElement)) break;
    }
    await card().locator("time").waitFor();
    await page.keyboard.press("Escape");
    await card().waitFor({ state: "detached" });
    expect(await link.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    expect(page.url()).toContain(made.agentId);
  });

  it.each(PLACES)("shows what each link of %s leads to", async (place) => {
    await open(place);
    const links = page.locator("main a.text-accent");
    const kinds = new Map<string, number>();
    for (const [index, link] of (await links.all()).entries()) {
      const kind = /([A-Z][A-Za-z]+):/.exec(
        decodeURIComponent((await link.getAttribute("href")) ?? ""),
      )?.[1];
      if (kind !== undefined && !kinds.has(kind)) kinds.set(kind, index);
    }
    const shown: unknown[] = [];
    for (const [kind, index] of kinds) {
      await page.mouse.move(0, 0);
      await links.nth(index).hover();
      await card().locator(".font-semibold").waitFor();
      shown.push([kind, (await card().innerText()).split("\n").length > 1]);
    }
    expect(shown.length).toBeGreaterThan(0);
    expect(shown).toEqual([...kinds.keys()].map((kind) => [kind, true]));
    expect(complaints).toEqual([]);
  });

  it.each(looks)("is readable and moves nothing at $width px in $theme colours", async (look) => {
    const context = await visit.browser.newContext({
      viewport: { width: look.width, height: 900 },
      colorScheme: look.theme,
      reducedMotion: "reduce",
      storageState: owner,
    });
    const { page: other } = await newPage(context);
    await open(`agents/${made.agentId}`, other);
    const height = () => other.evaluate("document.documentElement.scrollHeight");
    const box = () => linkTo(made.customerId, other).boundingBox();
    const before = [await height(), await box()];
    await linkTo(made.customerId, other).hover();
    await card(other).locator("time").waitFor();
    expect([await height(), await box()]).toEqual(before);
    await keep(other, { state: "card", name: "customer", ...look });
    expect(await accessibilityFaults(other)).toEqual([]);
    const place = present(await card(other).boundingBox(), "the place of the card");
    expect(place.x).toBeGreaterThanOrEqual(0);
    expect(place.x + place.width).toBeLessThanOrEqual(look.width);
    await context.close();
  });

  it("does not come, and is not read, for a person who may not read the object", async () => {
    const answer = page.waitForResponse(/\/console\/api\/session$/);
    await open("home");
    const body = (await (await answer).text()).replaceAll('"customers.read",', "");
    const context = await newContext(visit.browser);
    await context.addCookies(owner.cookies);
    const { page: other } = await newPage(context);
    await other.route("**/console/api/session", (route) =>
      route.fulfill({ status: 200, contentType: "application/json", body }),
    );
    await open(`agents/${made.agentId}`, other);
    const asked: string[] = [];
    other.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await linkTo(made.customerId, other).hover();
    await other.waitForTimeout(800);
    expect(await card(other).count()).toBe(0);
    expect(asked.filter(isOfCard)).toEqual([]);
    await context.close();
  });

  it("does not come by a touch", async () => {
    const context = await visit.browser.newContext({
      viewport: { width: 390, height: 900 },
      hasTouch: true,
      storageState: owner,
    });
    const { page: phone } = await newPage(context);
    await open(`agents/${made.agentId}`, phone);
    const asked: string[] = [];
    phone.on("request", (request) => asked.push(request.url()));
    await linkTo(made.customerId, phone).tap();
    await phone.waitForURL(new RegExp(made.customerId));
    await settled(phone);
    expect(await card(phone).count()).toBe(0);
    expect(asked.filter((url) => url.includes("id-card"))).toEqual([]);
    await context.close();
  });
});

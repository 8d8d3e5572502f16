/** One payment for people in different zones, around a change of the hour and with a clock that is ahead; amounts of every size and scale. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { bankAccount, type Funded, fundedCustomer } from "../kit/story.ts";
import { expectStatus } from "../kit/story-rails.ts";

/** Newfoundland's clocks go from 02:00 to 03:00 at this time. */
const CHANGE = Date.parse("2027-03-14T05:30:00Z");
/** 30 days. */
const LONGEST_STEP = 2_592_000;
const LARGEST = 9_007_199_254_740_991;

interface Moment {
  readonly paymentId: string;
  readonly at: string;
}

describe.runIf(hasBrowser)("the console", () => {
  let visit: ConsoleVisit;
  let funded: Funded;
  let home: string;
  let page: Page;
  let before: Moment;
  let after: Moment;
  let state: Awaited<ReturnType<ReturnType<Page["context"]>["storageState"]>>;
  beforeAll(async () => {
    visit = await openConsole();
    const context = await newContext(visit.browser);
    ({ page } = await newPage(context));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
    state = await context.storageState();
    funded = await fundedCustomer(visit.story, 1_000_000);
    before = await payAt(CHANGE - 20_000);
    after = await payAt(CHANGE + 10_000);
  }, 300_000);
  afterAll(() => visit?.close());

  /** A payment of a moment of the platform's clock. */
  async function payAt(at: number): Promise<Moment> {
    const { story } = visit;
    for (;;) {
      const clock = (await story.call("GET", "/sandbox/clock")).json;
      const seconds = Math.ceil((at - Date.parse(clock.now)) / 1_000);
      if (seconds <= 0) break;
      const step = { seconds: Math.min(seconds, LONGEST_STEP) };
      expectStatus(200, await story.call("POST", "/sandbox/clock/advance", step));
    }
    const destination = await bankAccount(story, { customerId: funded.customerId });
    const { json } = await story.call("POST", "/transfer-out", {
      source: { accountId: funded.accountId },
      destination: { accountId: destination },
      amount: 1_250,
    });
    return { paymentId: json.id, at: json.createdAt };
  }

  it.each([
    ["Asia/Kathmandu", /11:14:\d\d.*GMT\+5:45/, /11:15:\d\d.*GMT\+5:45/],
    ["America/St_Johns", /01:59:\d\d.*GMT-3:30/, /03:00:\d\d.*GMT-2:30/],
  ] as const)("shows one payment at the times of %s", async (timezoneId, first, second) => {
    const context = await visit.browser.newContext({
      viewport: { width: 1440, height: 900 },
      timezoneId,
      storageState: state,
    });
    const { page: theirs, complaints } = await newPage(context);
    for (const [moment, shown] of [
      [before, first],
      [after, second],
    ] as const) {
      await theirs.goto(`${home}/payments/${moment.paymentId}`);
      await settled(theirs);
      const time = theirs.locator(`article time[datetime="${moment.at}"]`).first();
      const title = present(await time.getAttribute("title"), "the exact time");
      expect(title).toMatch(shown);
      // The same instant for everybody, in UTC.
      expect(title).toContain(moment.at);
      expect(title).toMatch(/2027/);
    }
    // The list counts from the clock of the sandbox, not "in 108 days", and has the exact time of the zone.
    await theirs.goto(`${home}/payments`);
    await settled(theirs);
    const listed = theirs.locator(`tbody time[datetime="${after.at}"]`).first();
    await expect.poll(() => listed.innerText()).toMatch(/now|ago/);
    expect(await listed.getAttribute("title")).toMatch(second);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each([
    ["JPY", 0, "9,007,199,254,740,991 JPY"],
    ["KWD", 3, "9,007,199,254,740.991 KWD"],
    ["USD", 2, "90,071,992,547,409.91 USD"],
    ["BTC", 8, "90,071,992.54740991 BTC"],
  ] as const)(
    "shows the largest amount of %s with %i decimals exactly",
    async (code, decimals, shown) => {
      const currency = { code, decimals, name: code, symbol: code };
      const amount = { amount: LARGEST, currency };
      const isAccount = (url: URL) => /\/internal-accounts(\/|$)/.test(url.pathname);
      await page.route(isAccount, async (route) => {
        const answer = await route.fetch();
        const json = await answer.json();
        const large = (account: object) => ({ ...account, balance: amount, totalBalance: amount });
        await route.fulfill({
          response: answer,
          json: Array.isArray(json.data) ? { ...json, data: json.data.map(large) } : large(json),
        });
      });
      for (const place of ["accounts", `accounts/${funded.accountId}`]) {
        await page.goto(`${home}/${place}`);
        await settled(page);
        await expect.poll(() => page.locator("#content").innerText()).toContain(shown);
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      }
      await page.unroute(isAccount);
    },
  );

  it.each([
    ["USD", "1,234.5", 123_450, "1.234", "1,234.50 USD"],
    ["BTC", "0.00000001", 1, "0.000000001", "0.00000001 BTC"],
  ] as const)("takes an amount of %s as it was typed", async (code, typed, minor, wrong, shown) => {
    const { story } = visit;
    const made = await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana Ruiz",
      currencies: [code],
    });
    expect(made.status).toBe(201);
    const place = `/customers/internal-accounts?customerId=${made.json.id}&currency=${code}`;
    const { id } = (await story.call("GET", place)).json.data[0];
    await page.goto(`${home}/accounts/${id}`);
    await settled(page);
    await page.getByRole("button", { name: "Add money" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Amount").fill(wrong);
    await dialog.getByRole("button", { name: "Add money" }).click();
    await dialog.locator("[data-invalid]").first().waitFor();
    await dialog.getByLabel("Amount").fill(typed);
    await dialog.getByRole("button", { name: "Add money" }).click();
    await dialog.waitFor({ state: "detached" });
    const { balance } = (await story.call("GET", `/internal-accounts/${id}`)).json;
    expect(balance).toMatchObject({ amount: minor, currency: { code } });
    await page.getByRole("heading", { level: 1, name: shown }).waitFor();
  });
});

/** A payroll from a spreadsheet: faults are told by row and column, refused rows are saved, mended and sent again. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
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
import { batchCsv, bookItem, type Payers, payersOf, payoutItem } from "../kit/story-batches.ts";
import { holdingsOf } from "../kit/story-money.ts";

const PICTURES = process.env.PICTURES;

describe.runIf(hasBrowser)("a batch of payments", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let place: string;
  let payers: Payers;

  beforeAll(async () => {
    visit = await openConsole();
    ({ page, complaints } = await newPage(await newContext(visit.browser)));
    await enterByLink(page, visit.startLink);
    place = page.url().replace(/\/home$/, "/batches");
    payers = await payersOf(visit.story, 100_000);
  }, 300_000);
  afterAll(() => visit?.close());

  const dialog = () => page.getByRole("dialog");

  async function picture(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1440, 390]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await settled(page);
        await page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}-${width}.png` });
      }
    }
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  async function choose(content: string): Promise<void> {
    await dialog()
      .locator("input[type=file]")
      .setInputFiles({ name: "payroll.csv", mimeType: "text/csv", buffer: Buffer.from(content) });
  }
  const send = () => dialog().getByRole("button", { name: "Send the batch" }).click();

  it("of a file with faults is refused with the rows and columns, and the mended file is sent", async () => {
    await page.goto(place);
    await settled(page);
    await page.getByRole("button", { name: "Send a batch" }).first().click();
    const missing = { ...payers, bank: "ExternalAccount:019a4f00-0000-7000-8000-0000000000ee" };
    const file = batchCsv([
      ...Array.from({ length: 200 }, (_, at) => bookItem(payers, { reference: `salary-${at}` })),
      payoutItem(missing, { reference: "salary-200" }),
    ]);
    await choose(file.replace(",100\r\n", ",1.00\r\n"));
    await send();
    await dialog().getByText("row 2, column amount: is 1.00, with a decimal point").waitFor();
    await picture("batch-faults");
    await choose(file);
    await send();
    await dialog().getByText("201 of 201 payments ran").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture("batch-sent");
    await dialog().getByRole("link", { name: "Show the batch" }).click();
    await page.getByRole("link", { name: "Save the refused row" }).waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture("batch");
  });

  it("gives its refused rows as a file, which is mended and pays the rest", async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save the refused row" }).click();
    const saved = await readFile(present(await (await download).path(), "a file"), "utf8");
    expect(saved).toContain("salary-200,TRANSFER_OUT");
    const before = await holdingsOf(visit.story, payers.from);
    await page.goto(place);
    await settled(page);
    await picture("batches");
    await page.getByRole("button", { name: "Send a batch" }).first().click();
    await choose(saved.replace(/ExternalAccount:[0-9a-f-]+/, payers.bank));
    await send();
    await dialog().getByText("1 of 1 payments ran").waitFor();
    const { available } = await holdingsOf(visit.story, payers.from);
    expect(before.available - available).toBe(100);
    // The browser reports the refused file.
    expect(complaints).toEqual([expect.stringContaining("400 (Bad Request)")]);
  });

  it("is scheduled for a time, and says at its time why it did not run", async () => {
    const clock = await visit.story.call("GET", "/sandbox/clock");
    const inHours = (hours: number) => new Date(Date.parse(clock.json.now) + hours * 3_600_000);
    // The control has the browser's zone.
    const localTime = (at: Date) =>
      page.evaluate((ms) => {
        const time = new Date(ms);
        return new Date(ms - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
      }, at.getTime());
    await page.goto(place);
    await settled(page);
    await page.getByRole("button", { name: "Send a batch" }).first().click();
    await choose(batchCsv([bookItem(payers, { reference: "later" })]));
    await dialog()
      .getByLabel("Runs at")
      .fill(await localTime(inHours(-1)));
    await dialog().getByText("This time has passed.").waitFor();
    await dialog()
      .getByLabel("Runs at")
      .fill(await localTime(inHours(30)));
    await dialog().getByRole("button", { name: "Schedule the batch" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture("batch-schedule");
    await dialog().getByRole("button", { name: "Schedule the batch" }).click();
    await dialog().getByText("1 payment runs at").waitFor();
    await dialog().getByRole("link", { name: "Show the batch" }).click();
    await page.getByText("Runs at").waitFor();
    await settled(page);
    await picture("batch-waits");
    const items = [bookItem(payers, { reference: "much", amount: 99_999_999 })];
    const scheduledFor = inHours(1).toISOString();
    const { json } = await visit.story.call("POST", "/payment-batches", {
      mode: "INDEPENDENT",
      requireFunds: true,
      scheduledFor,
      items,
    });
    await visit.story.call("POST", "/sandbox/clock/advance", { seconds: 7_200 });
    await visit.story.settle();
    await page.goto(`${place}/${json.id}`);
    await page.getByText("The batch did not run").waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture("batch-not-run");
  });
});

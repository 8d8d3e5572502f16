/** PDFs of customers, drawn page by page, statements of accounts, and the link of an invitation. */
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults, hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { PDF, passportForm } from "../kit/forms.ts";
import { pdf } from "../kit/pdf.ts";
import { fundedCustomer } from "../kit/story.ts";
import { newInviter } from "../kit/story-invitations.ts";

/** How many pixels of the shown page are not white. */
const INK =
  "(() => { const c = document.querySelector('canvas'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;" +
  " let ink = 0; for (let i = 0; i < d.length; i += 4) if (d[i] + d[i + 1] + d[i + 2] < 700) ink += 1;" +
  " return { ink, width: c.width, height: c.height }; })()";

describe.runIf(hasBrowser)("files in the console", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  beforeAll(async () => {
    visit = await openConsole();
    const context = await newContext(visit.browser);
    ({ page, complaints } = await newPage(context));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
  }, 300_000);
  afterAll(() => visit?.close());

  async function openDocuments(bytes: Buffer): Promise<void> {
    const { customerId } = await fundedCustomer(visit.story);
    const file = { bytes, name: "passport.pdf", type: "application/pdf" };
    const made = await visit.story.call("POST", "/documents", passportForm(customerId, { file }));
    expect(made.status).toBe(201);
    await page.goto(`${home}/customers/${customerId}?view=documents`);
    await settled(page);
  }

  const shown = () => page.evaluate(INK) as Promise<{ ink: number; width: number; height: number }>;

  it("draw a PDF page by page, and turn it", async () => {
    await openDocuments(pdf(3));
    await page.getByText("Page 1 of 3").waitFor();
    await expect.poll(async () => (await shown()).ink).toBeGreaterThan(100_000);
    const first = await shown();
    expect(first.height).toBe(2_400);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Next page of the document" }).click();
    await page.getByText("Page 2 of 3").waitFor();
    await expect.poll(async () => (await shown()).ink).not.toBe(first.ink);
    await page.getByRole("button", { name: "Rotate" }).click();
    await expect.poll(async () => (await shown()).width).toBe(2_400);
    await page.getByRole("button", { name: "Previous page of the document" }).click();
    await page.getByText("Page 1 of 3").waitFor();
    expect(complaints).toEqual([]);
  });

  it("offer a PDF that cannot be drawn for saving", async () => {
    await openDocuments(PDF);
    await page.getByRole("link", { name: "Save the file" }).waitFor();
    expect(await page.locator("canvas").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("are made of the days of an account that are over, and saved", async () => {
    const { accountId } = await fundedCustomer(visit.story);
    const today = new Date().toISOString().slice(0, 10);
    await visit.story.call("POST", "/sandbox/clock/advance", { seconds: 2 * 86_400 });
    await page.goto(`${home}/accounts/${accountId}?view=statements`);
    await settled(page);
    await page.getByRole("button", { name: "Make a statement" }).click();
    await page.getByLabel("First day").fill(today);
    await page.getByLabel("Last day").fill(today);
    await page.getByRole("dialog").getByRole("button", { name: "Make a statement" }).click();
    const link = page.getByRole("article").getByRole("link", { name: "Save" });
    await link.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const file = page.waitForEvent("download");
    await link.click();
    const lines = await text(await (await file).createReadStream());
    expect(lines).toContain(`${today},closing,,USD,100000,,`);
    expect(complaints).toEqual([]);
  });

  it("show the link of an invitation once, as text and for a camera", async () => {
    const { umaAddress } = await newInviter(visit.story);
    await page.goto(`${home}/invitations`);
    await settled(page);
    await page.getByRole("button", { name: "New invitation" }).first().click();
    await page.getByLabel("Inviter").fill("$nobody@florin.test");
    await page.getByLabel("Amount").fill("125.00");
    await page.getByRole("button", { name: "Make the link" }).click();
    await page.getByText("is not the address of a customer").waitFor();
    await page.getByLabel("Inviter").fill(umaAddress);
    await page.getByRole("button", { name: "Make the link" }).click();
    const link = await page.getByText(/\/i\/[0-9a-f]{32}/).innerText();
    await page.getByRole("img", { name: "Link of the invitation" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Done" }).click();
    await page.locator("tbody").getByText("125.00").first().waitFor();
    expect(await page.content()).not.toContain(link.slice(-32));
    await page.locator("tbody a.row-link").first().click();
    await page.getByRole("button", { name: "Cancel invitation" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel invitation" }).click();
    await page.getByRole("article").getByText("Cancelled").waitFor();
    expect(complaints).toEqual([]);
  });
});

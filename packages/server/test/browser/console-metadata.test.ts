/** A person edits the metadata of a payment in its detail. */
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
import { fundedCustomer } from "../kit/story.ts";

const PICTURES = process.env.PICTURES;

describe.runIf(hasBrowser)("the metadata of a payment", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let id: string;

  beforeAll(async () => {
    visit = await openConsole();
    ({ page, complaints } = await newPage(await newContext(visit.browser)));
    await enterByLink(page, visit.startLink);
    const [payer, payee] = [
      await fundedCustomer(visit.story),
      await fundedCustomer(visit.story, 0),
    ];
    const { json } = await visit.story.call("POST", "/transfers", {
      source: { accountId: payer.accountId },
      destination: { accountId: payee.accountId },
      amount: 500,
    });
    id = json.id;
  }, 300_000);
  afterAll(() => visit?.close());

  const dialog = () => page.getByRole("dialog");
  const key = (at: number) => dialog().getByLabel("Key", { exact: true }).nth(at);
  const value = (at: number) => dialog().getByLabel("Value", { exact: true }).nth(at);

  /** In the present width: a detail beside its list is another page, whose dialog is closed. */
  async function picture(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      await page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}.png` });
    }
  }

  it("is typed in pairs, whose faults are told at their keys, and shown when it is saved", async () => {
    await page.goto(page.url().replace(/\/home$/, `/payments/${id}`));
    await settled(page);
    await picture("metadata-none");
    await page.getByRole("button", { name: "Edit" }).click();
    await key(0).fill("orderId");
    await value(0).fill("1042");
    await dialog().getByRole("button", { name: "Add a key" }).click();
    await key(1).fill("cost centre");
    await value(1).fill("Marketing");
    await dialog().getByRole("button", { name: "Save" }).click();
    await dialog().getByText("at most 40").waitFor();
    expect(await key(1).evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture("metadata-dialog");
    await key(1).fill("costCentre");
    await dialog().getByRole("button", { name: "Save" }).click();
    await dialog().waitFor({ state: "detached" });
    await page.getByText("Marketing").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture("metadata");
    const { json } = await visit.story.call("GET", `/transactions/${id}`);
    expect(json.metadata).toEqual({ orderId: "1042", costCentre: "Marketing" });
  });

  it("is taken away by pairs, to the last one, on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    await settled(page);
    await picture("metadata-390");
    await page.getByRole("button", { name: "Edit" }).click();
    await picture("metadata-dialog-390");
    await dialog().getByRole("button", { name: "Remove orderId" }).click();
    await dialog().getByRole("button", { name: "Remove costCentre" }).click();
    await dialog().getByRole("button", { name: "Save" }).click();
    await dialog().waitFor({ state: "detached" });
    const { json } = await visit.story.call("GET", `/transactions/${id}`);
    expect(json).not.toHaveProperty("metadata");
    expect(complaints).toEqual([]);
  });
});

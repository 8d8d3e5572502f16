/** Keys of metadata in the console: declared in the settings, and filters of the lists. */
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
import { overflowOf } from "../kit/console-dialogs.ts";
import { keep } from "../kit/console-pages.ts";
import { type Funded, fundedCustomer } from "../kit/story.ts";

describe.runIf(hasBrowser)("keys of metadata in the console", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  let payer: Funded;
  let payee: Funded;
  beforeAll(async () => {
    visit = await openConsole();
    ({ page, complaints } = await newPage(await newContext(visit.browser)));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
    payer = await fundedCustomer(visit.story, 100_000);
    payee = await fundedCustomer(visit.story, 0);
  }, 300_000);
  afterAll(() => visit?.close());

  const dialog = () => page.getByRole("dialog");
  const picture = async (name: string) => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const theme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
        await keep(page, { state: "searchable-metadata", name, width, theme });
      }
      await expect.poll(() => overflowOf(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  };
  const key = () => dialog().getByLabel("New key");
  const pay = (amount: number, orderId: string) =>
    visit.story.call("POST", "/transfers", {
      source: { accountId: payer.accountId },
      destination: { accountId: payee.accountId },
      amount,
      metadata: { orderId, shop: "north" },
    });
  const rows = () => page.locator("tbody tr");

  it("are no filters before one is declared", async () => {
    await page.goto(`${home}/payments`);
    await settled(page);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await dialog().getByRole("button", { name: "Reference" }).waitFor();
    expect(
      await dialog()
        .getByRole("button", { name: /Metadata/ })
        .count(),
    ).toBe(0);
  });

  it("are added and removed in the settings, and refused with their reason", async () => {
    await page.goto(`${home}/settings`);
    await settled(page);
    const section = page.locator("section", { hasText: "Searchable metadata" });
    await section.getByText("No list can be filtered by metadata.").waitFor();
    await section.getByRole("button", { name: "Edit" }).click();
    await key().fill("order id");
    await dialog().getByRole("button", { name: "Add", exact: true }).click();
    await dialog().getByText("A key has 40 characters at most").waitFor();
    await key().fill("orderId");
    await dialog().getByRole("button", { name: "Add", exact: true }).click();
    await key().fill("orderId");
    await dialog().getByRole("button", { name: "Save" }).click();
    await dialog().getByText("This key is there already.").waitFor();
    await key().fill("region");
    await dialog().getByRole("button", { name: "Add", exact: true }).click();
    await dialog().getByRole("button", { name: "Remove region" }).click();
    await expect.poll(() => key().evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture("dialog");
    // What was typed and not added is saved as well.
    await key().fill("shop");
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "detached" });
    await section.getByRole("listitem").filter({ hasText: "shop" }).waitFor();
    await section.getByText(/Older objects are/).waitFor();
    await picture("building");
    await visit.story.settle();
    await section.getByText(/Older objects are/).waitFor({ state: "detached" });
    const { json } = await visit.story.call("GET", "/config");
    expect(json.searchableMetadata).toEqual(["orderId", "shop"]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture("settings");
  });

  it("filter a list by an exact value, with other filters, and in the address", async () => {
    await pay(100, "o-1");
    await pay(200, "o-2");
    await page.goto(`${home}/payments`);
    await settled(page);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    const faults = await accessibilityFaults(page);
    expect(faults.filter(({ id }) => id !== "region")).toEqual([]);
    await dialog().getByRole("button", { name: "Metadata orderId" }).click();
    await picture("filter");
    await dialog().getByLabel("Metadata orderId").fill("o-2");
    await dialog().getByRole("button", { name: "Apply" }).click();
    await expect.poll(() => rows().count()).toBe(2);
    expect(new URL(page.url()).searchParams.get("metadata[orderId]")).toBe("o-2");
    await page.getByRole("button", { name: "Incoming" }).click();
    await expect.poll(() => rows().count()).toBe(1);
    await page.getByRole("button", { name: "Metadata orderId is o-2" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture("list");
    await page.getByRole("button", { name: "Export" }).click();
    await dialog().getByText("The filter by metadata does not apply to it.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Remove the filter Metadata orderId" }).click();
    await expect.poll(() => rows().count()).toBe(3);
  });

  it("are filters of every list of objects with metadata, at once from a link", async () => {
    for (const place of ["customers", "accounts", "external-accounts", "holds", "batches"]) {
      await page.goto(`${home}/${place}?metadata%5BorderId%5D=none`);
      await settled(page);
      await page.getByRole("button", { name: "Metadata orderId is none" }).waitFor();
      await page.getByText("Nothing matches these filters.").waitFor();
    }
    expect(complaints).toEqual([]);
  });
});

/** The timeline of a payment by a quote that the receiving bank sends back, while the endpoint of its events fails. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { endReceivers } from "../kit/receivers.ts";
import { fundedCustomer } from "../kit/story.ts";
import { advance } from "../kit/story-money.ts";
import { askQuote, euroAccount, execute } from "../kit/story-quotes.ts";
import { expectStatus } from "../kit/story-rails.ts";
import { listenTo } from "../kit/story-webhooks.ts";

interface Entry {
  readonly kind: string;
  readonly eventId?: string;
  readonly deliveryId?: string;
  readonly posting?: string;
  readonly legs?: readonly { readonly accountId: string }[];
  readonly endpointId?: string;
}

describe.runIf(hasBrowser)("the timeline of a payment", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  let paymentId: string;
  beforeAll(async () => {
    visit = await openConsole();
    ({ page, complaints } = await newPage(await newContext(visit.browser)));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
    await listenTo(visit.story, () => 500);
    paymentId = await returnedPayment();
    await visit.server.app.deliveries.settled(visit.story.platformId);
    await visit.server.app.attemptLog.flush();
  }, 300_000);
  afterAll(async () => {
    await visit?.close();
    await endReceivers();
  });

  async function returnedPayment(): Promise<string> {
    const { story } = visit;
    const { customerId, accountId } = await fundedCustomer(story, 10_000);
    const to = await euroAccount(story, customerId, "005");
    const quote = await askQuote(story, { from: accountId, to, amount: 1_500 });
    const executed = await execute(story, quote.json.id);
    expectStatus(200, executed);
    await story.settle();
    expectStatus(200, await advance(story, 60));
    await story.settle();
    return executed.json.transactionId;
  }

  const entries = async (): Promise<readonly Entry[]> =>
    (await visit.story.call("GET", `/transactions/${paymentId}/timeline`)).json.entries;

  async function rowsOf(path: string): Promise<readonly { readonly id: string }[]> {
    return (await visit.story.call("GET", path)).json.data;
  }

  it("has what the lists of events, postings and deliveries have", async () => {
    const all = await entries();
    const kinds = new Set(all.map(({ kind }) => kind));
    for (const kind of ["CREATED", "STATUS", "POSTING", "JOB", "EVENT", "DELIVERY", "REFUND"])
      expect(kinds).toContain(kind);
    const idsOf = (wanted: string, name: "eventId" | "posting" | "deliveryId") =>
      all.filter(({ kind }) => kind === wanted).map((entry) => entry[name]);
    const events = await rowsOf(`/events?resourceId=${paymentId}&limit=100`);
    expect(idsOf("EVENT", "eventId").toSorted()).toEqual(events.map(({ id }) => id).toSorted());
    const postings = await rowsOf(`/ledger/postings?transactionId=${paymentId}&limit=100`);
    expect(idsOf("POSTING", "posting").toSorted()).toEqual(postings.map(({ id }) => id).toSorted());
    const deliveries = await rowsOf(`/webhook-deliveries?resourceId=${paymentId}&limit=100`);
    const attempted = new Set(idsOf("DELIVERY", "deliveryId"));
    expect(attempted.size).toBeGreaterThan(0);
    expect(deliveries.map(({ id }) => id)).toEqual(expect.arrayContaining([...attempted]));
  });

  it("tells it in sentences first, and says what helps", async () => {
    await page.goto(`${home}/payments/${paymentId}`);
    await settled(page);
    const rows = page.locator("ol > li");
    await expect.poll(() => rows.count()).toBe(5);
    const texts = await rows.allInnerTexts();
    const told = texts.toReversed().map((text) => text.replaceAll(/\s+/g, " "));
    expect(told[0]).toMatch(
      /\d\d:\d\d:\d\d API key first token asked for a price: 15.00 USD to Maya Lindqvist, /,
    );
    expect(told[0]).toMatch(/told 0 of 1 endpoint \(payment made\); 1 still tries, next \d\d:\d\d/);
    expect(told[2]).toMatch(/Sent 13.57 EUR to Maya Lindqvist/);
    expect(told[3]).toMatch(/The receiving bank sent the money back .* money on its way back/);
    expect(told[4]).toMatch(/15.00 USD is back on the account/);
    // Outside the head of the detail there is no id of a row.
    const story = await page.locator("ol").first().innerText();
    expect(story).not.toMatch(/[0-9a-f]{8}/);
    const failure = page.getByRole("region", { name: "Failure" });
    await expect.poll(() => failure.innerText()).toMatch(/the receiving bank sent it back/);
    await failure.getByRole("button", { name: "Pay another account" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    expect(await dialog.innerText()).toMatch(/New payment/);
    await page.keyboard.press("Escape");
    expect(await failure.getByRole("link", { name: "Ask the customer" }).count()).toBe(1);
  });

  it("keeps the switch to the technical rows in the browser", async () => {
    await page.goto(`${home}/payments/${paymentId}`);
    await settled(page);
    const technical = page.getByRole("button", { name: "Technical" });
    expect(await technical.getAttribute("aria-pressed")).toBe("false");
    await technical.click();
    await page.reload();
    await settled(page);
    expect(await technical.getAttribute("aria-pressed")).toBe("true");
    await technical.click();
  });

  it("shows each row, which leads on to what it tells of", async () => {
    const all = await entries();
    await page.goto(`${home}/payments/${paymentId}`);
    await settled(page);
    await page.getByRole("button", { name: "Technical" }).click();
    const rows = page.locator("ol > li");
    await expect.poll(() => rows.count()).toBe(all.length);
    const places = new Set<string>();
    const faults: unknown[] = [];
    for (const [index, entry] of all.toReversed().entries()) {
      const hrefs = await rows
        .nth(index)
        .getByRole("link")
        .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
      const { eventId, deliveryId, posting, legs = [], endpointId } = entry;
      const wanted = [
        ...(deliveryId !== undefined
          ? [`deliveries/${deliveryId}`]
          : eventId !== undefined
            ? [`events/${eventId}`]
            : []),
        ...(posting === undefined ? [] : [`postings/${posting}`]),
        ...legs.map(({ accountId }) => `ledger/${accountId}`),
        ...(endpointId === undefined ? [] : [`webhooks/${endpointId}`]),
      ];
      const missing = wanted.filter(
        (place) => !hrefs.some((href) => decodeURIComponent(href).endsWith(`/${place}`)),
      );
      if (missing.length > 0) faults.push({ kind: entry.kind, missing, hrefs });
      for (const place of wanted) places.add(place);
    }
    expect(faults).toEqual([]);
    expect(places.size).toBeGreaterThan(5);
    for (const place of places) {
      await page.goto(`${home}/${place}`);
      await settled(page);
      if ((await page.getByRole("alert").count()) > 0) faults.push({ place, is: "refused" });
    }
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

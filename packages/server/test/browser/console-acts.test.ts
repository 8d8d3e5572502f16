/** Acts in the console by the person who made the passkey: step-up, sign-out and sign-in, resends, invitations. */
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/std/clock.ts";
import { accessibilityFaults, hasBrowser } from "../kit/browser.ts";
import { passkeysOf } from "../kit/browser-passkeys.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { endReceivers, httpReceiver } from "../kit/receivers.ts";
import { fundedCustomer } from "../kit/story.ts";

/** Longer than a passkey that was shown counts. */
const SIX_MINUTES = 6 * 60_000;
/** The list is read before the receiver has answered. */
const SLOW_MS = 700;

describe.runIf(hasBrowser)("a person in the console", () => {
  let shiftMs = 0;
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  beforeAll(async () => {
    const clock = { now: () => systemClock.now() + shiftMs, after: systemClock.after };
    visit = await openConsole({ clock });
    const context = await newContext(visit.browser);
    ({ page, complaints } = await newPage(context));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
  }, 300_000);
  afterAll(async () => {
    await visit?.close();
    await endReceivers();
  });

  async function makeKey(name: string): Promise<void> {
    await page.goto(`${home}/api-keys`);
    await settled(page);
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill(name);
    await page.getByRole("dialog").getByRole("button", { name: "New key" }).click();
  }

  it("makes a key, whose secret is shown once", async () => {
    await makeKey("Billing worker");
    await page.getByText(/FLORIN_CLIENT_SECRET=\S+/).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Done" }).click();
    await page
      .getByRole("alert")
      .getByText(/You have not copied it/)
      .waitFor();
    expect(await page.content()).toContain("FLORIN_CLIENT_SECRET");
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("Billing worker").first().waitFor();
    expect(await page.content()).not.toContain("FLORIN_CLIENT_SECRET");
  });

  it("shows the passkey again when it was shown too long ago, and the act goes on", async () => {
    shiftMs += SIX_MINUTES;
    await makeKey("Nightly export");
    await page.getByText(/FLORIN_CLIENT_SECRET=\S+/).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    // The browser reports the first answer, which asked for the passkey.
    expect(complaints.filter((one) => !one.includes("403"))).toEqual([]);
  });

  /** A receiver that refuses until `up`, and then takes its time, with an endpoint that gets the events of accounts. */
  async function downReceiver() {
    const seen = { isDown: true, bodies: [] as string[], taken: [] as string[] };
    const receiver = await httpReceiver(async (request, response) => {
      const body = await text(request);
      seen.bodies.push(body);
      if (!seen.isDown) {
        await new Promise<void>((resolve) => systemClock.after(SLOW_MS, resolve));
        seen.taken.push(body);
      }
      response.writeHead(seen.isDown ? 500 : 200).end();
    });
    const made = await visit.story.call("POST", "/webhook-endpoints", {
      url: receiver.url,
      events: ["INTERNAL_ACCOUNT.*"],
    });
    expect(made.status).toBe(201);
    return { seen, endpointId: made.json.id as string };
  }

  it("finds a webhook that fails from Home and resends it in three clicks; the row goes by itself", async () => {
    const { seen } = await downReceiver();
    await fundedCustomer(visit.story);
    await expect.poll(() => seen.bodies.length).toBeGreaterThan(0);
    await page.goto(`${home}/home`);
    await settled(page);
    await page.getByRole("link", { name: /not arrived/ }).click();
    await page.waitForURL(/tab=not-arrived/);
    seen.isDown = false;
    await page.locator("tbody").getByRole("button", { name: "Resend" }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Resend" }).click();
    await page.getByText("Nothing matches these filters.").waitFor();
    // The same bytes as at first.
    expect(seen.taken).toContain(seen.bodies[0]);
    expect(new Set(seen.bodies.map((body) => JSON.parse(body).id)).size).toBe(
      new Set(seen.bodies).size,
    );
  });

  it("shows the exact body of a delivery, and resends all that have not arrived", async () => {
    const { seen, endpointId } = await downReceiver();
    const payers = 3;
    for (let made = 0; made < payers; made++) await fundedCustomer(visit.story);
    await expect.poll(() => new Set(seen.bodies).size).toBeGreaterThanOrEqual(payers);
    await page.goto(`${home}/deliveries?tab=not-arrived&endpointId=${endpointId}`);
    await settled(page);
    const rows = page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(payers);
    await rows.first().getByRole("link").first().click();
    const shown = page.getByRole("region", { name: "Body that was sent" });
    await shown.waitFor();
    expect(seen.bodies).toContain(await shown.innerText());
    await page.goto(`${home}/deliveries?tab=not-arrived&endpointId=${endpointId}`);
    await settled(page);
    const count = await rows.count();
    await page.getByRole("button", { name: "Resend all" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`${count} deliveries match.`).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    seen.isDown = false;
    await dialog.getByRole("button", { name: `Resend ${count}` }).click();
    await page.getByText("Nothing matches these filters.").waitFor();
    await page.getByText(new RegExp(`of ${count} taken, 0 not taken`)).waitFor();
    expect(new Set(seen.taken)).toEqual(new Set(seen.bodies));
  });

  it("edits a customer, sends what was changed alone, and says what cannot be removed", async () => {
    const { customerId } = await fundedCustomer(visit.story);
    const before = (await visit.story.call("GET", `/customers/${customerId}`)).json;
    await page.goto(`${home}/customers/${customerId}`);
    await settled(page);
    await page.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Email").fill("new@example.com");
    expect(await accessibilityFaults(page)).toEqual([]);
    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    await dialog.getByRole("button", { name: "Save" }).click();
    expect((await sent).postDataJSON()).toEqual({
      customerType: "INDIVIDUAL",
      email: "new@example.com",
    });
    await page.getByText("new@example.com").first().waitFor();
    const after = (await visit.story.call("GET", `/customers/${customerId}`)).json;
    expect(after).toEqual({ ...before, email: "new@example.com", updatedAt: after.updatedAt });
    await page.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("Email").fill("");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("It can be changed, but not removed.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  it("makes another sandbox, whose first key is shown once", async () => {
    await page.goto(`${home}/settings`);
    await settled(page);
    await page.getByRole("button", { name: "New sandbox" }).click();
    await page.getByLabel("Name").fill("trial");
    await page.getByLabel(/^UMA/).fill("trial.example");
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    await page.getByText(/FLORIN_CLIENT_SECRET=\S+/).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.goto(home.replace(/[^/]+$/, "trial/home"));
    await page.getByRole("heading", { name: "Home" }).waitFor();
  });

  it("invites a second person, who makes a passkey and sees what the role allows", async () => {
    await page.goto(`${home}/team`);
    await settled(page);
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("Name").fill("Vera Viewer");
    await page.getByLabel("Email").fill("vera@example.com");
    await page.getByRole("button", { name: /Role$/ }).click();
    await page.getByRole("option", { name: "Viewer" }).click();
    await page.getByRole("button", { name: "Make a link" }).click();
    const link = await page.getByText(/\/console\/invite#/).innerText();
    await page.getByRole("button", { name: "Done" }).click();
    const context = await newContext(visit.browser, { width: 390 });
    const other = await newPage(context);
    await (await passkeysOf(other.page)).use("phone");
    await other.page.goto(link);
    await other.page.getByLabel("Your email address").fill("vera@example.com");
    await other.page.getByRole("button", { name: "Make a passkey" }).click();
    await other.page.waitForURL(/\/home$/);
    await settled(other.page);
    expect(await other.page.getByRole("button", { name: "New payment" }).count()).toBe(0);
    await other.page.goto(`${home}/api-keys`);
    await other.page.getByRole("alert").waitFor();
    await expect.poll(() => other.page.getByRole("alert").innerText()).toContain("tokens.read");
    await context.close();
    await page.getByText("Vera Viewer").first().waitFor();
  });

  it("signs out, is asked for the passkey, and comes in again", async () => {
    await page.goto(`${home}/home`);
    await settled(page);
    await page.getByRole("button", { name: /Ada Lovelace/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(/\/sign-in$/);
    await settled(page);
    await page.goto(`${home}/payments`);
    await page.waitForURL(/\/sign-in$/);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(/\/home$/);
    const expected = /40[13]|Clear-Site-Data header/;
    expect(complaints.filter((one) => !expected.test(one))).toEqual([]);
  });

  it("keeps the theme that was chosen, from the first paint on", async () => {
    await page.goto(`${home}/home`);
    await settled(page);
    await page.getByRole("button", { name: /Ada Lovelace/ }).click();
    await page.getByRole("menuitem", { name: "Dark" }).click();
    await expect.poll(() => page.evaluate("document.documentElement.className")).toBe("dark");
    await page.goto(`${home}/payments`, { waitUntil: "commit" });
    const look = () => page.evaluate("document.documentElement.className").catch(() => "");
    await expect.poll(look).toBe("dark");
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});

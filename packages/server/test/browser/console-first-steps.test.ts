/** From an empty Home to a funded account, a completed payment and a delivered webhook, by the buttons that are there. */
import { text } from "node:stream/consumers";
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
import { endReceivers, httpReceiver, type Receiver } from "../kit/receivers.ts";

describe.runIf(hasBrowser)("the first steps", () => {
  let visit: ConsoleVisit;
  let receiver: Receiver;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  const bodies: string[] = [];

  beforeAll(async () => {
    visit = await openConsole();
    receiver = await httpReceiver(async (request, response) => {
      bodies.push(await text(request));
      response.writeHead(200).end();
    });
    ({ page, complaints } = await newPage(await newContext(visit.browser)));
    await enterByLink(page, visit.startLink);
    home = page.url();
  }, 300_000);
  afterAll(async () => {
    await visit?.close();
    await endReceivers();
  });

  const stepOf = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  const isDone = (name: string) => stepOf(name).getByLabel("Done", { exact: true }).waitFor();
  const backHome = async () => {
    await page.goto(home);
    await settled(page);
  };

  it("stand in place of what has nothing to show yet", async () => {
    await settled(page);
    await expect.poll(() => page.getByText("0 of 5").count()).toBe(1);
    expect(await page.getByRole("heading", { name: "Volume" }).count()).toBe(0);
    await expect.poll(() => page.getByText("Nothing waits for you.").count()).toBe(1);
  });

  it("fund an account and pay from it", async () => {
    await stepOf("Put money into an account").getByRole("button").first().click();
    await isDone("Put money into an account");
    await stepOf("Make a payment").getByRole("button").first().click();
    await page.waitForURL(/payments\/Transaction:/);
    await page.getByText("Completed").first().waitFor();
    await backHome();
    await isDone("Make a payment");
  });

  it("lead to the ledger of the account", async () => {
    await page.getByRole("button", { name: "Open the ledger" }).click();
    await page.waitForURL(/ledger\/LedgerAccount:/);
    await settled(page);
    await page.getByRole("article").getByText("987.50").first().waitFor();
    await backHome();
    await isDone("Look at its ledger");
  });

  it("deliver a webhook to an endpoint that is made here", async () => {
    const step = stepOf("Receive a webhook");
    await step.getByRole("button").first().click();
    await page.getByRole("textbox", { name: "URL" }).fill(receiver.url);
    await page.getByRole("dialog").getByRole("button", { name: "New endpoint" }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await step.getByRole("button", { name: "Make another payment" }).click();
    await isDone("Receive a webhook");
    const types = bodies.map((body) => JSON.parse(body).type);
    expect(types).toContain("OUTGOING_PAYMENT.COMPLETED");
  });

  it("end with an invitation, and leave Home to its figures", async () => {
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Vera Viewer");
    await page.getByRole("textbox", { name: "Email" }).fill("vera@example.com");
    await page.getByRole("button", { name: /Role$/ }).click();
    await page.getByRole("option", { name: "Viewer" }).click();
    await page.getByRole("button", { name: "Make a link" }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await expect.poll(() => page.getByText("First steps").count()).toBe(0);
    await page.getByRole("heading", { name: "Volume" }).waitFor();
    await expect.poll(() => page.getByText("100.0 %").count()).toBeGreaterThan(0);
    const volume = page.getByRole("region", { name: "Volume" });
    await volume.getByText("25.00").first().waitFor();
    await volume.getByText("As a table").click();
    await expect.poll(() => volume.getByRole("row").count()).toBeGreaterThan(1);
    expect(complaints.filter((one) => !one.includes("403"))).toEqual([]);
  });
});

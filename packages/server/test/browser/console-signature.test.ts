/** The helper that finds out why a receiver refuses a signature, with a delivery as it came in. */
import { generateKeyPairSync, sign } from "node:crypto";
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
import { endReceivers, httpReceiver } from "../kit/receivers.ts";
import { fundedCustomer } from "../kit/story.ts";

describe.runIf(hasBrowser)("the signature helper", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let helper: string;
  const got: { header: string; body: string }[] = [];
  beforeAll(async () => {
    visit = await openConsole();
    ({ page, complaints } = await newPage(await newContext(visit.browser)));
    await enterByLink(page, visit.startLink);
    const receiver = await httpReceiver(async (request, response) => {
      const header = String(request.headers["x-service-signature"]);
      got.push({ header, body: await text(request) });
      response.writeHead(200).end();
    });
    const { json } = await visit.story.call("POST", "/webhook-endpoints", {
      url: receiver.url,
      events: ["INTERNAL_ACCOUNT.*"],
    });
    await fundedCustomer(visit.story);
    helper = `${page.url().replace(/\/home$/, "")}/webhooks/${json.id}?view=signature`;
  }, 300_000);
  afterAll(async () => {
    await visit?.close();
    await endReceivers();
  });

  const check = async (header: string, body: string) => {
    await page.getByLabel("X-Service-Signature").fill(header);
    await page.getByLabel("Body").fill(body);
    await page.getByRole("button", { name: "Check", exact: true }).click();
  };
  const says = (words: RegExp) => page.getByRole("status").getByText(words).waitFor();

  it("names what was done to a delivery", async () => {
    await expect.poll(() => got.length).toBeGreaterThan(0);
    await page.goto(helper);
    await settled(page);
    const { header, body } = got[0] ?? { header: "", body: "" };
    await check(header, body);
    await says(/as it was signed/);
    await check(header, JSON.stringify(JSON.parse(body), null, 2));
    await says(/same JSON in other bytes/);
    await check(header, body.replace('"type":"', '"type":"X'));
    await says(/was altered/);
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const foreign = sign("sha256", Buffer.from(body), privateKey).toString("base64");
    await check(JSON.stringify({ v: "1", s: foreign }), body);
    await says(/by another key/);
    await check("", body);
    await says(/no signature/);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("takes the latest delivery by itself", async () => {
    await page.getByRole("button", { name: "Take the latest delivery" }).click();
    await expect.poll(() => page.getByLabel("Body").inputValue()).toContain("Webhook:");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await says(/as it was signed/);
  });
});

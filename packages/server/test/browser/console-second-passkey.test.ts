/** A person is asked once for a second passkey; one whose only passkey is on a single device is reminded until there is another. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../kit/browser.ts";
import type { BrowserPasskeys } from "../kit/browser-passkeys.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";

const ASKED = "You have one passkey.";
const REMINDED = "Your only passkey is on one device";

describe.runIf(hasBrowser)("a second passkey", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let passkeys: BrowserPasskeys;
  let home: string;

  beforeAll(async () => {
    visit = await openConsole();
    ({ page } = await newPage(await newContext(visit.browser)));
    passkeys = await enterByLink(page, visit.startLink);
    home = page.url();
  }, 300_000);
  afterAll(() => visit?.close());

  const notice = (of: Page = page) => of.getByRole("region", { name: "Passkeys" });
  const open = async (url: string) => {
    await page.goto(url);
    await settled(page);
  };
  const me = () => home.replace(/home$/, "me");

  it("is brought to mind on Home and on My page while the only one is on one device", async () => {
    await open(home);
    await notice().getByText(REMINDED).waitFor();
    expect(await notice().getByRole("button", { name: "Not now" }).count()).toBe(0);
    await open(me());
    await page.getByText(REMINDED).waitFor();
  });

  it("is not made on a device that has one", async () => {
    await open(home);
    await notice().getByRole("button", { name: "Add a passkey" }).click();
    await notice().getByRole("alert").getByText("on this device already").waitFor();
  });

  it("is made from the notice, which is gone then", async () => {
    await passkeys.use("synced");
    await open(home);
    await notice().getByRole("button", { name: "Add a passkey" }).click();
    await notice().waitFor({ state: "detached" });
    await open(me());
    await page.getByText("Synced, for localhost").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Delete" }).count()).toBe(2);
    expect(await page.getByText(REMINDED).count()).toBe(0);
  });

  it("is asked for once where the only one is synced, whatever the browser", async () => {
    await page
      .getByRole("listitem")
      .filter({ hasText: "On one device" })
      .getByText("Delete")
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText(ASKED).waitFor();
    await open(home);
    await notice().getByText(ASKED).waitFor();
    await notice().getByRole("button", { name: "Not now" }).click();
    await notice().waitFor({ state: "detached" });
    await page.reload();
    await settled(page);
    expect(await notice().count()).toBe(0);
    const other = await elsewhere(visit.browser, page);
    await other.goto(home);
    await settled(other);
    expect(await notice(other).count()).toBe(0);
    await expect.poll(() => other.getByRole("heading", { name: "Home" }).count()).toBe(1);
  });
});

/** A browser with the cookies of the session, and nothing that the console remembers. */
async function elsewhere(browser: Browser, from: Page): Promise<Page> {
  const context = await newContext(browser);
  await context.addCookies(await from.context().cookies());
  return (await newPage(context)).page;
}

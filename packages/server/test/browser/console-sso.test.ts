/** Sign-in at an issuer in a real browser: the settings with the test, the rule, and the way of a person who has no passkey. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/std/clock.ts";
import { accessibilityFaults, hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { endReceivers } from "../kit/receivers.ts";
import { type SignInIssuer, startSignInIssuer } from "../kit/sign-in-issuer.ts";

/** Longer than a sign-in counts for acts that ask for a proof. */
const SIX_MINUTES = 6 * 60_000;

describe.runIf(hasBrowser)("sign-in at an issuer", () => {
  let shiftMs = 0;
  let visit: ConsoleVisit;
  let issuer: SignInIssuer;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  const now = () => systemClock.now() + shiftMs;
  beforeAll(async () => {
    const clock = { now, after: systemClock.after };
    visit = await openConsole({ clock, settings: { OUTBOUND_ALLOW_LOOPBACK: "all" } });
    issuer = await startSignInIssuer();
    issuer.now = now;
    ({ page, complaints } = await newPage(await newContext(visit.browser)));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
  }, 300_000);
  afterAll(async () => {
    await visit?.close();
    await endReceivers();
  });

  const dialog = () => page.getByRole("dialog");
  const save = async () => {
    await dialog().getByRole("button", { name: "Save" }).click();
    await dialog().waitFor({ state: "detached" });
  };

  it("is set by an owner, and required after a test", async () => {
    await page.goto(`${home}/settings`);
    await settled(page);
    await page.getByRole("button", { name: "Add an identity provider" }).click();
    await dialog().getByLabel("Name").fill("Acme");
    await dialog().getByLabel("Issuer URL").fill("https://10.0.0.1");
    await dialog().getByLabel("Client id").fill(issuer.clientId);
    await dialog().getByLabel("Client secret").fill(issuer.clientSecret);
    await dialog()
      .getByLabel(/^Domain whose/)
      .fill("acme.example");
    await dialog().getByRole("button", { name: "Save" }).click();
    // What is wrong is at its field.
    await dialog().locator("[data-invalid] input[name=issuer]").waitFor();
    await dialog().getByLabel("Issuer URL").fill(issuer.issuer);
    await save();
    await page.getByText("Not tested").waitFor();
    expect(await page.content()).not.toContain(issuer.clientSecret);

    issuer.subject = { sub: "ada", email: "ada@example.com" };
    await page.getByRole("link", { name: "Test sign-in" }).click();
    await page.waitForURL(/sso=NO_VERIFIED_ADDRESS/);
    await expect.poll(() => page.getByRole("alert").innerText()).toContain("email_verified");
    issuer.subject = { ...issuer.subject, email_verified: true };
    await page.getByRole("link", { name: "Test sign-in" }).click();
    await page.waitForURL(/sso=TESTED/);
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);

    const section = page.locator("section", { hasText: "Names on the sign-in page" });
    await section.getByRole("button", { name: "Edit" }).first().click();
    await dialog().getByLabel("Names on the sign-in page").fill("acme acme.example");
    await dialog()
      .getByRole("button", { name: /Required$/ })
      .click();
    await page.getByRole("option", { name: "For everybody but owners" }).click();
    await save();
    await section.getByText("acme, acme.example").waitFor();
    expect(complaints.filter((one) => !one.includes("400"))).toEqual([]);
  });

  it("lets in a person without a passkey, who signs in again for an act that asks for a proof", async () => {
    issuer.subject = {
      sub: "vera",
      email: "vera@acme.example",
      email_verified: true,
      name: "Vera",
    };
    issuer.authTime = Math.floor(now() / 1000);
    const own = await newPage(await newContext(visit.browser, { width: 390 }));
    const other = own.page;
    await other.goto(`${visit.origin}/console/sign-in`);
    await settled(other);
    await other.getByLabel("Workspace or email address").fill("somebody@acme.example");
    await other.getByRole("button", { name: "Continue with a company account" }).click();
    await other.getByText(`Leads to ${new URL(issuer.issuer).host}`).waitFor();
    expect(await accessibilityFaults(other)).toEqual([]);
    await other.getByRole("link", { name: "Sign in with Acme" }).click();
    await other.waitForURL(/\/home$/);
    await settled(other);

    shiftMs += SIX_MINUTES;
    await other.goto(`${home}/me`);
    await settled(other);
    await other.getByRole("button", { name: "Add a passkey" }).click();
    issuer.authTime = Math.floor(now() / 1000);
    await other.getByRole("link", { name: "Sign in again with Acme" }).click();
    await other.waitForURL(/\/me\?sso=STEPPED_UP$/);
    await settled(other);
    expect(own.complaints.filter((one) => !one.includes("403"))).toEqual([]);
    await other.context().close();
  });

  it("says that a sign-in was refused, and makes nothing", async () => {
    issuer.subject = { sub: "eve", email: "vera@acme.example", email_verified: true };
    const { page: other } = await newPage(await newContext(visit.browser));
    await other.goto(`${visit.origin}/console/sign-in`);
    await other.getByLabel("Workspace or email address").fill("acme");
    await other.getByRole("button", { name: "Continue with a company account" }).click();
    await other.getByRole("link", { name: "Sign in with Acme" }).click();
    await other.waitForURL(/\/sign-in\?sso=REFUSED$/);
    await expect.poll(() => other.getByRole("alert").innerText()).toContain("not accepted");
    await other.context().close();
  });
});

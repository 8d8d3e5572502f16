/** An order of an agent that waits: the dialog shows who is paid, what is left, and what to look at twice. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accessibilityFaults } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { pendingAction } from "../kit/story-agents.ts";
import { balanceOf } from "../kit/story-rails.ts";

let visit: ConsoleVisit;
let page: Page;

beforeAll(async () => {
  visit = await openConsole();
  ({ page } = await newPage(await newContext(visit.browser, { width: 390 })));
  await enterByLink(page, visit.startLink);
}, 300_000);
afterAll(() => visit?.close());

it("is approved with its facts in view, at 390 px", async () => {
  const { agent } = await pendingAction(visit.story, 301);
  await page.goto(page.url().replace(/\/home$/, "/approvals"));
  await settled(page);
  await page.getByRole("link", { name: /3\.01 USD/ }).click();
  await page.waitForURL(/approvals\/AgentAction:/);
  await page.getByRole("button", { name: "Approve" }).click();
  const dialog = page.getByRole("dialog");
  for (const text of ["3.01 USD", "This is the first payment to this payee.", "996.99 USD"])
    await dialog.getByText(text).first().waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Approve" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await balanceOf(visit.story, agent.accountId)).toBe(100_000 - 301);
});

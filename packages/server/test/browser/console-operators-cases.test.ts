/** A production platform that leaves its verifications to operators: its own people are refused, and two operators work in one queue. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setOperator } from "../../src/domain/people/set-operator.ts";
import { accessibilityFaults, hasBrowser } from "../kit/browser.ts";
import { passkeysOf } from "../kit/browser-passkeys.ts";
import type { ConsoleBrowser } from "../kit/console.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  type OpenPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { keep, looks } from "../kit/console-pages.ts";
import { makeOwner } from "../kit/console-people.ts";
import { openOperatorsCase } from "../kit/console-rows.ts";

describe.runIf(hasBrowser)("the verifications of operators", () => {
  let visit: ConsoleVisit;
  let ada: OpenPage;
  let ben: OpenPage;
  let home: string;
  let first: Awaited<ReturnType<typeof openOperatorsCase>>;
  let second: typeof first;
  /** Of the first platform. */
  let owner: ConsoleBrowser;

  beforeAll(async () => {
    visit = await openConsole();
    const { server } = visit;
    first = await openOperatorsCase(server);
    second = await openOperatorsCase(server);
    owner = await makeOwner(server, await workspaceOf(first.story.platformId), "lina@example.com");
    ada = await newPage(await newContext(visit.browser));
    await enterByLink(ada.page, visit.startLink);
    home = ada.page.url().replace(/\/home$/, "");
    ben = await newPage(await newContext(visit.browser));
    await joinAsOperator(ben.page);
  }, 300_000);
  afterAll(() => visit?.close());

  async function workspaceOf(platformId: string): Promise<string> {
    const { rows } = await visit.server.app.store.database.withClient((client) =>
      client.query("select workspace_id from platforms where platform_id = $1", [platformId]),
    );
    return rows[0].workspace_id;
  }

  async function joinAsOperator(page: Page): Promise<void> {
    await ada.page.goto(`${home}/team`);
    await ada.page.getByRole("button", { name: "Invite" }).click();
    await ada.page.getByLabel("Name").fill("Ben Stone");
    await ada.page.getByLabel("Email").fill("ben@example.com");
    await ada.page.getByRole("button", { name: /Role$/ }).click();
    await ada.page.getByRole("option", { name: "Viewer" }).click();
    await ada.page.getByRole("button", { name: "Make a link" }).click();
    const link = await ada.page.getByText(/\/console\/invite#/).innerText();
    await ada.page.getByRole("button", { name: "Done" }).click();
    await (await passkeysOf(page)).use("phone");
    await page.goto(link);
    await page.getByLabel("Your email address").fill("ben@example.com");
    await page.getByRole("button", { name: "Make a passkey" }).click();
    await page.waitForURL(/\/home$/);
    const { rows } = await visit.server.app.store.database.withClient((client) =>
      client.query("select platform_id, id from people where email = 'ben@example.com'"),
    );
    await visit.server.app.engine.submit({
      platformId: rows[0].platform_id,
      actor: { kind: "operator", id: "shell" },
      command: setOperator,
      input: { personId: rows[0].id, isOperator: true },
      toAnswer: () => ({ status: 200, body: "" }),
    });
  }

  async function go({ page }: OpenPage, place: string): Promise<void> {
    await page.goto(`${home}/${place}`);
    await settled(page);
  }

  it.each(looks)("fit at $width px in $theme colours", async (look) => {
    const { page, complaints } = ada;
    await page.setViewportSize({ width: look.width, height: 900 });
    await page.emulateMedia({ colorScheme: look.theme });
    for (const [name, place] of [
      ["queue", "system-verifications"],
      ["case", first.place],
    ] as const) {
      await go(ada, place);
      await keep(page, { state: "operators", name, ...look });
      const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect([name, over, await accessibilityFaults(page)]).toEqual([name, 0, []]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(complaints).toEqual([]);
  });

  it("are refused to the owner and the token of the platform", async () => {
    const path = `/verifications/${first.verificationId}/decide`;
    const body = { outcome: "APPROVED" };
    const { story } = first;
    expect((await story.call("POST", path, body)).status).toBe(403);
    expect((await owner.at(story.platformId)("POST", path, body)).status).toBe(403);
  });

  it("are one operator's at a time, and the second one is told whose", async () => {
    await go(ada, "system-verifications");
    await go(ben, "system-verifications");
    for (const { page } of [ada, ben]) {
      await page.locator("a.row-link").first().click();
      await page.waitForURL(new RegExp(`${first.verificationId}$`));
      await page.getByRole("button", { name: "Take the case" }).waitFor();
    }
    await ada.page.getByRole("button", { name: "Take the case" }).click();
    await ada.page.getByRole("button", { name: "Approve" }).waitFor();
    await ben.page.getByRole("button", { name: "Take the case" }).click();
    await ben.page
      .getByText(/Ada Lovelace has/)
      .first()
      .waitFor();
    expect(await ben.page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    await go(ben, first.place);
    await ben.page.getByText("Ada Lovelace has this case until").waitFor();
    expect(await accessibilityFaults(ben.page)).toEqual([]);
  });

  it("show two documents side by side and lead to nothing else of the platform", async () => {
    const { page } = ada;
    await expect.poll(() => page.locator("canvas").count()).toBeGreaterThan(0);
    await expect.poll(() => page.getByText("Mara Lindqvist").count()).toBeGreaterThan(0);
    expect(await page.locator("article a[href*='/customers/']").count()).toBe(0);
  });

  it("are approved by the operator, after which the next case opens", async () => {
    const { page, complaints } = ada;
    await page.keyboard.press("a");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Note").fill("papers match");
    await dialog.getByRole("button", { name: "Approve" }).click();
    await page.waitForURL(new RegExp(`${second.verificationId}$`));
    const { json } = await first.story.call("GET", `/customers/${first.businessId}`);
    expect(json.kybStatus).toBe("APPROVED");
    const entries = await first.story.call(
      "GET",
      `/audit-entries?targetId=${first.verificationId}&act=review-verification`,
    );
    expect(entries.json.data[0].actor).toMatchObject({ kind: "person", name: "Ada Lovelace" });
    await go(ada, "audit?of=workspace");
    await page.getByText("Order verification decision").first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("are sent back with what is to be mended", async () => {
    const { page } = ben;
    await go(ben, second.place);
    await page.getByRole("button", { name: "Take the case" }).click();
    await page.getByRole("button", { name: "Ask for more" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /What is wrong$/ }).click();
    await page.getByRole("option", { name: "Poor quality document" }).click();
    await dialog.getByLabel("Words to the customer").fill("The passport is too dark.");
    await dialog.getByRole("button", { name: "Send back" }).click();
    await dialog.getByText("The verification is back with the customer").waitFor();
    await dialog.getByRole("button", { name: "Next case" }).click();
    await page.getByText("No verification of a platform").waitFor();
    const path = `/verifications/${second.verificationId}`;
    const { json } = await second.story.call("GET", path);
    expect(json).toMatchObject({
      verificationStatus: "RESOLVE_ERRORS",
      errors: [{ type: "POOR_QUALITY_DOCUMENT", reason: "The passport is too dark." }],
    });
    expect(ben.complaints.filter((text) => !text.includes("409"))).toEqual([]);
  });
});

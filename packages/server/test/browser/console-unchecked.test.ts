/** The banner of a production platform at whose connections nothing waits for a second person. */
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
import { openStory, type Story } from "../kit/story.ts";
import { activeConnection, manualConnection } from "../kit/story-rails.ts";

const BANNER = "No second person checks money at the connections.";

describe.runIf(hasBrowser)("the banner", () => {
  let visit: ConsoleVisit;
  let live: Story;
  let page: Page;
  let base: string;
  beforeAll(async () => {
    visit = await openConsole();
    const workspaceId = await workspaceOf(visit);
    const more = { workspaceId, environment: "PRODUCTION", name: "Live" } as const;
    live = await openStory(visit.server, more);
    ({ page } = await newPage(await newContext(visit.browser)));
    await enterByLink(page, visit.startLink);
    base = page.url().replace(/\/[^/]+\/home$/, "");
  }, 300_000);
  afterAll(() => visit?.close());

  const banner = () => page.getByRole("region", { name: BANNER });
  const attach = (approval: string) =>
    activeConnection(live, { ...manualConnection(), control: { approval } });
  async function open(place: string): Promise<void> {
    await page.goto(`${base}/${place}`);
    await settled(page);
  }

  it("is on every page while all connections have the control NONE, and leads to them", async () => {
    await open("live/home");
    expect(await banner().count()).toBe(0);
    await attach("NONE");
    await open("live/home");
    await banner().waitFor();
    await banner().getByRole("link", { name: "See the connections" }).click();
    await page.waitForURL(/\/live\/rails$/);
    await banner().waitFor();
    await attach("FOUR_EYES");
    await open("live/home");
    expect(await banner().count()).toBe(0);
  });
});

async function workspaceOf({ server, story }: ConsoleVisit): Promise<string> {
  const { rows } = await server.database.asSuperuser((client) =>
    client.query("select workspace_id from platforms where id = $1", [story.platformId]),
  );
  return String(rows[0]?.workspace_id);
}

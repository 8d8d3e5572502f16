/** Long work of a platform, as every page of the console shows it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { csvForm } from "../../kit/forms.ts";
import { made } from "../../kit/made-objects.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { type Funded, fundedCustomer, openStory, type Story } from "../../kit/story.ts";

const server = await sharedServer();
let story: Story;
let other: Story;
let owner: ConsoleBrowser;
let viewer: ConsoleBrowser;
let funded: Funded;

beforeAll(async () => {
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId });
  other = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
  viewer = (await makePerson(owner, ["VIEWER"])).browser;
  funded = await fundedCustomer(story, 500_000);
});
afterAll(async () => {
  await endReceivers();
});

const jobs = async (browser = owner, platform = story) => {
  const { status, json } = await browser.at(platform.platformId)("GET", "/jobs");
  expect(status).toBe(200);
  return json.data;
};

it("lists an export and a statement until they are done, and tells what can be read", async () => {
  expect(await jobs()).toEqual([]);
  const file = await story.call("POST", "/exports", { kind: "CUSTOMERS", format: "CSV" });
  const statement = await story.call("POST", "/statements", {
    accountId: funded.accountId,
    from: "2026-01-01",
    to: "2026-01-31",
    format: "JSON",
  });
  expect([file.status, statement.status]).toEqual([202, 202]);
  await story.settle();
  await expect
    .poll(async () => (await jobs()).map(({ state }: { readonly state: string }) => state))
    .toEqual(["DONE", "DONE"]);
  const found = await jobs();
  const of = (kind: string) => found.find((one: { readonly kind: string }) => one.kind === kind);
  expect(of("EXPORT")).toMatchObject({ id: file.json.id, resultId: file.json.id, done: 1 });
  expect(of("STATEMENT")).toMatchObject({ id: statement.json.id, isCancellable: false });
});

it("lists an import that failed, and an order to send events again", async () => {
  const imported = await story.call("POST", "/customers/bulk/csv", csvForm("no,header\n"));
  const orderId = await made(story, "EventResend");
  await story.settle();
  const found = await jobs();
  const of = (kind: string) => found.find((one: { readonly kind: string }) => one.kind === kind);
  expect(of("IMPORT")).toMatchObject({ id: imported.json.jobId, state: "FAILED" });
  expect(of("IMPORT").resultId).toBeUndefined();
  expect(of("RESEND").id).toBe(orderId);
});

it("shows the kinds that the roles may read, of this platform alone", async () => {
  const kinds = (await jobs(viewer)).map(({ kind }: { readonly kind: string }) => kind);
  expect(kinds.filter((kind: string) => kind !== "IMPORT")).toEqual([]);
  expect(await jobs(owner, other)).toEqual([]);
  const unknown = await owner.call(
    "GET",
    "/p/PlatformConfig:019a4f00-0000-7000-8000-000000000099/jobs",
  );
  expect(unknown.status).toBe(404);
});

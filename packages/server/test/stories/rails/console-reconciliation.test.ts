/** Reconciliation at the desk of the console: connections and days, and the breaks of a day with what may explain them. */
import { beforeAll, expect, it } from "vitest";
import { systemClock } from "../../../src/std/clock.ts";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { type PlantedWeek, plantBreaks } from "../../kit/story-breaks.ts";
import { expectStatus } from "../../kit/story-rails.ts";

const server = await sharedServer();
let story: Story;
let owner: ConsoleBrowser;
let week: PlantedWeek;
beforeAll(async () => {
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId });
  week = await plantBreaks(story, systemClock.now());
  owner = await makeOwner(server, workspaceId);
}, 60_000);

const desk = (path: string, browser = owner) =>
  browser.at(story.platformId)("GET", `/rails/desk${path}`);
const daysOf = async (query = "") => {
  const { json } = expectStatus(200, await desk(`/reconciliation${query}`));
  return json.books.find(({ connectionId }: RawAnswer["json"]) => connectionId === week.deskId);
};
const breaksOf = async (day: string) =>
  expectStatus(200, await desk(`/breaks?connectionId=${week.deskId}&currency=USD&day=${day}`)).json;

it("shows a week: red where a difference began, carried after it, and no statement", async () => {
  const { json } = await desk("/reconciliation");
  expect(json.days).toEqual(week.days);
  const { days, ...book } = await daysOf();
  expect(book).toEqual({
    connectionId: week.deskId,
    connectionName: "House bank",
    currency: "USD",
  });
  expect(days.map(({ state, begun }: RawAnswer["json"]) => [state, begun?.amount])).toEqual([
    ["GREEN", "0"],
    ["RED", "-12345"],
    ["CARRIED", "0"],
    ["RED", "-7700"],
    ["CARRIED", "0"],
    ["RED", "900"],
    ["NONE", undefined],
  ]);
  expect(days[3]).toMatchObject({ unexplained: { amount: "-20045" }, items: 2, untold: 0 });
});

it("opens a day with what may explain its difference", async () => {
  const kinds = async (day: string) =>
    (await breaksOf(day)).explanations.map(({ kind }: RawAnswer["json"]) => kind);
  expect(await kinds(week.missing)).toEqual(["ORDER"]);
  expect(await kinds(week.twice)).toEqual(["BOOKED_TWICE", "BOOKED_TWICE"]);
  expect(await kinds(week.swapped)).toEqual(["DIGITS_SWAPPED"]);
  expect(await kinds(week.days[2] ?? "")).toEqual([]);
  const twice = await breaksOf(week.twice);
  expect(twice.items).toMatchObject([{ entry: { amount: { amount: 7_700 } } }, {}]);
  const [{ payment }] = (await breaksOf(week.missing)).explanations;
  expect(payment).toMatchObject({ state: "QUEUED", amount: { amount: 12_345 } });
});

it("is told on the overview, as one break of the book", async () => {
  const { json } = await owner.at(story.platformId)("GET", "/overview");
  expect(json.desk).toMatchObject({ queued: 1, items: 5, breaks: 1, cutOffs: [] });
});

it("turns green when the line is told, also for the days after it", async () => {
  const orders = await story.call("GET", `/rails/payments?connectionId=${week.deskId}`);
  const [order] = orders.json.data;
  await story.call("POST", `/rails/connections/${week.deskId}/entries`, {
    ...{ bankReference: "late", direction: "DEBIT", amount: 12_345, currency: "USD" },
    ...{ bookedOn: week.missing, reference: order.endToEndId },
  });
  const { days } = await daysOf();
  expect(days.map(({ state }: RawAnswer["json"]) => state)).toEqual([
    "GREEN",
    "GREEN",
    "GREEN",
    "RED",
    "CARRIED",
    "RED",
    "NONE",
  ]);
});

it("undoes a line that was typed twice", async () => {
  const { items } = await breaksOf(week.twice);
  const [one, other] = items;
  const parts = [{ kind: "DUPLICATE_OF", amount: 7_700, entryId: one.entry.id }];
  const path = `/rails/items/${other.item.id}/resolve`;
  expectStatus(200, await story.call("POST", path, { parts, note: "typed twice" }));
  const { days } = await daysOf();
  expect(days[3]).toMatchObject({ state: "GREEN", items: 1 });
});

it("begins with what the statement before the span left", async () => {
  const { days } = await daysOf("?days=1");
  expect(days).toMatchObject([{ day: week.days[6], state: "NONE" }]);
  const { days: two } = await daysOf(`?to=${week.swapped}&days=2`);
  expect(two.map(({ state }: RawAnswer["json"]) => state)).toEqual(["GREEN", "RED"]);
});

it("shows an order that is settled without a line", async () => {
  const { json } = await story.call("GET", "/platform/internal-accounts?currency=USD");
  const account = json.data[0].id;
  const payee = (await story.call("GET", "/platform/external-accounts")).json.data[0].id;
  const paid = await story.call("POST", "/transfer-out", {
    ...{ source: { accountId: account }, destination: { accountId: payee }, amount: 10 },
  });
  const order = (await story.call("GET", `/rails/payments?transactionId=${paid.json.id}`)).json
    .data[0];
  const mark = { outcome: "SETTLED", valueDate: week.days[4] };
  expectStatus(200, await story.call("POST", `/rails/payments/${order.id}/mark`, mark));
  const { days } = await daysOf();
  expect(days[4]).toMatchObject({ untold: 1 });
  expect((await breaksOf(week.days[4] ?? "")).untold).toMatchObject([{ id: order.id }]);
});

it("is a file with amounts in whole units", async () => {
  const file = expectStatus(200, await desk("/reconciliation.csv"));
  expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const lines = file.text.trimEnd().split("\r\n");
  expect(lines[0]).toBe(
    "connection,currency,day,state,closing,unexplained,begun,openItems,ordersWithoutLine",
  );
  expect(lines).toHaveLength(8);
  expect(lines[6]).toMatch(new RegExp(`^House bank,USD,${week.swapped},red,.*,9\\.00,1,0$`));
});

it("refuses what is no day or too long a span, and knows no other platform's connection", async () => {
  for (const path of [
    "/reconciliation?days=32",
    "/reconciliation?days=0",
    "/reconciliation?to=x",
  ]) {
    expect((await desk(path)).status).toBe(400);
  }
  expect(
    (await desk(`/breaks?connectionId=${week.deskId}&currency=USD&day=2026-02-30`)).status,
  ).toBe(400);
  const other = await openStory(server);
  const path = `/rails/desk/breaks?connectionId=${week.deskId}&currency=USD&day=${week.twice}`;
  expect((await owner.at(other.platformId)("GET", path)).status).toBe(404);
  const viewer = await makePerson(owner, ["VIEWER"]);
  expect((await desk("/reconciliation", viewer.browser)).status).toBe(403);
});

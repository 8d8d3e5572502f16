/** `expand=parties` of rail payments, of items in suspense and of approvals. */
import { beforeAll, expect, it } from "vitest";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { recordReads } from "../../kit/sql/recorded-reads.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { credit, fundedDesk, itemsOf, resolveItem } from "../../kit/story-funding.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  type Payer,
  payerOf,
  paymentOf,
  routeTo,
} from "../../kit/story-rails.ts";

const server = await sharedServer();
let story: Story;
let payer: Payer;
let owner: ConsoleBrowser;
let developer: ConsoleBrowser;
let finance: ConsoleBrowser;
let deskId: string;

beforeAll(async () => {
  const { workspaceId } = await server.makePlatform();
  const live = { workspaceId, environment: "PRODUCTION", name: "Acme Pay" } as const;
  story = await openStory(server, live);
  payer = await payerOf(story, 1_000_000);
  await routeTo(story, await activeConnection(story, manualConnection()));
  deskId = await fundedDesk(story);
  owner = await makeOwner(server, workspaceId);
  // In production a developer reads rails, but no personal data.
  developer = (await makePerson(owner, ["DEVELOPER"])).browser;
  finance = (await makePerson(owner, ["FINANCE"])).browser;
  await makePerson(owner, ["APPROVER"]);
});

const read = async (path: string) => expectStatus(200, await story.call("GET", path)).json;
/** Of the read, after the list was found to tell the same. */
async function partiesOf(path: string, id: string, query = "") {
  const one = await read(`${path}/${id}?expand=parties`);
  const { data } = await read(`${path}?expand=parties&limit=100${query}`);
  expect(data.find((each: { id: string }) => each.id === id)).toEqual(one);
  expect(await read(`${path}/${id}`)).not.toHaveProperty("parties");
  return one.parties;
}
const namesTo = async (browser: ConsoleBrowser, path: string) => {
  const { parties } = expectStatus(
    200,
    await browser.at(story.platformId)("GET", `${path}?expand=parties`),
  ).json;
  return [parties.from?.name, parties.to?.name, parties.to?.detail ?? ""];
};

it("an order has the parties of its payment", async () => {
  const { id } = expectStatus(201, await payer.pay(500)).json;
  const order = await paymentOf(story, id);
  const parties = await partiesOf("/rails/payments", order.id);
  expect(parties).toEqual((await read(`/transactions/${id}?expand=parties`)).parties);
  expect(parties).toMatchObject({
    from: { kind: "INTERNAL_ACCOUNT", id: payer.accountId, name: "Acme Pay" },
    to: { kind: "EXTERNAL_ACCOUNT", id: payer.payeeId, name: "Ana Ruiz" },
    by: { kind: "TOKEN" },
  });
  const path = `/rails/payments/${order.id}`;
  expect((await namesTo(developer, path))[1]).toBe("A. R.");
  expect((await namesTo(owner, path))[1]).toBe("Ana Ruiz");
});

it("an item has its payer, and an order that gives the money back has the payer too", async () => {
  const entry = await credit(story, deskId, { amount: 700, remittance: "Invoice 17" });
  const [open] = await itemsOf(story, entry.id);
  expect(await partiesOf("/rails/items", open.id)).toEqual({
    from: { kind: "OUTSIDE", name: "Ana Ruiz", detail: "••6789 · Invoice 17" },
  });
  const back = await resolveItem(story, open.id, { kind: "RETURN", amount: 700 });
  const [part] = expectStatus(200, back).json.resolution.parts;
  expect(await partiesOf("/rails/items", open.id)).toMatchObject({ by: { kind: "TOKEN" } });
  expect(await partiesOf("/rails/payments", part.paymentId)).toEqual({
    from: { kind: "PLATFORM", name: "Acme Pay", detail: "" },
    to: { kind: "OUTSIDE", name: "Ana Ruiz", detail: "••6789" },
    by: expect.objectContaining({ kind: "TOKEN" }),
  });
  expect(await namesTo(developer, `/rails/payments/${part.paymentId}`)).toEqual([
    "Acme Pay",
    "A. R.",
    "•••",
  ]);
  const { parties } = expectStatus(
    200,
    await developer.at(story.platformId)("GET", `/rails/items/${open.id}?expand=parties`),
  ).json;
  expect(parties.from).toEqual({ kind: "OUTSIDE", name: "A. R.", detail: "•••" });
});

it("an approval has the sides of its payment, and who asked", async () => {
  const asked = await finance.at(story.platformId)("POST", "/transfer-out", {
    source: { accountId: payer.accountId },
    destination: { accountId: payer.payeeId },
    amount: 200,
  });
  const { id } = expectStatus(202, asked).json;
  expect(await partiesOf("/approvals", id)).toEqual({
    from: expect.objectContaining({ id: payer.accountId, name: "Acme Pay" }),
    to: expect.objectContaining({ id: payer.payeeId, name: "Ana Ruiz" }),
    by: expect.objectContaining({ kind: "PERSON", name: expect.stringMatching(/^Person \d+$/) }),
  });
  expect(await namesTo(developer, `/approvals/${id}`)).toEqual([
    "Acme Pay",
    "A. R.",
    expect.stringMatching(/^••\d{4} · US account$/),
  ]);
  const listed = await finance.call("GET", "/workspace/approvals?shown=MINE_REQUESTED");
  expect(listed.json.data[0].parties).toEqual(
    (await read(`/approvals/${id}?expand=parties`)).parties,
  );
});

it("a page of any length costs as many statements, and another expansion is refused", async () => {
  const orders = async () => {
    const { id } = expectStatus(201, await payer.pay(100)).json;
    return paymentOf(story, id);
  };
  const countOf = async (path: string) => {
    const recording = recordReads();
    await read(path);
    recording.stop();
    return recording.countOf(/^parties\//);
  };
  await orders();
  await orders();
  const short = await countOf("/rails/payments?expand=parties&limit=1");
  for (let made = 0; made < 4; made++) await orders();
  const long = "/rails/payments?expand=parties&limit=5";
  expect([short, await countOf(long), await countOf(long)]).toEqual([2, 2, 1]);
  for (const path of ["/rails/payments", "/rails/items", "/approvals"]) {
    const { status, json } = await story.call("GET", `${path}?expand=people`);
    expect([status, json.code], path).toEqual([400, "INVALID_INPUT"]);
  }
});

/** Objects are found by what people type: ids, words, references, amounts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let workspaceId: string;
let story: Story;
let customerId: string;
let paymentId: string;

beforeAll(async () => {
  server = await startTestServer();
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId, name: "Searched" });
  const funded = await fundedCustomer(story, 500_000);
  customerId = funded.customerId;
  const changed = await story.call("PATCH", `/customers/${customerId}`, {
    customerType: "INDIVIDUAL",
    fullName: "Renée Ångström",
  });
  expect(changed.status, changed.text).toBe(200);
  const paid = await story.call("POST", "/transfer-out", {
    source: { accountId: funded.accountId },
    destination: { accountId: await bankAccount(story, { customerId }) },
    amount: 123_450,
    description: "Rent for November",
  });
  paymentId = paid.json.id;
  await story.settle();
  await server.app.searchIndex?.runOnce();
});
afterAll(() => server.close());

interface Found {
  readonly id: string;
  readonly title: string;
  readonly matched: string;
}

async function search(q: string, more = "", from: Story = story) {
  const answer = await from.call("GET", `/search?q=${encodeURIComponent(q)}${more}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

async function found(q: string, more = "", from: Story = story): Promise<readonly Found[]> {
  const { groups } = await search(q, more, from);
  return groups.flatMap(({ results }: { results: readonly Found[] }) => results);
}

describe("a search", () => {
  it.each([
    ["Renée Ångström", "name"],
    ["renee", "name"],
    ["ANGS", "name"],
    ["angstrom ren", "name"],
    ["Renee Ang", "name"],
  ])("finds a customer by %s", async (q, matched) => {
    const results = await found(q);
    expect(results.find(({ id }) => id === customerId)).toMatchObject({
      title: "Renée Ångström",
      matched,
    });
  });

  it.each([
    ["1234.50", "amount"],
    ["1234.5 usd", "amount"],
    ["1234.50 USD", "amount"],
    ["november rent", "description"],
  ])("finds a payment by %s", async (q, matched) => {
    const results = await found(q, "&kinds=Transaction");
    expect(results.find(({ id }) => id === paymentId)).toMatchObject({
      title: "1234.50 USD",
      matched,
    });
  });

  it.each(["1234", "1234.50 eur", "ovember", "renee november", "zzz"])(
    "does not find the payment by %s",
    async (q) => {
      expect((await found(q, "&kinds=Transaction")).map(({ id }) => id)).not.toContain(paymentId);
    },
  );

  it("finds by id, with its kind and without", async () => {
    for (const id of [customerId, paymentId]) {
      for (const q of [id, id.slice(id.indexOf(":") + 1)]) {
        expect(await found(q)).toMatchObject([{ id, matched: "id" }]);
      }
    }
  });

  it("says how far the index is", async () => {
    const { indexedTo, lastEvent, isBuilding } = await search("x");
    expect([indexedTo, isBuilding]).toEqual([lastEvent, false]);
    expect(lastEvent).toBeGreaterThan(0);
  });

  it("does not find an object by a name that it has no longer", async () => {
    const person = { customerType: "INDIVIDUAL", fullName: "Bruno Zauber" };
    const { json } = await story.call("POST", "/customers", {
      ...person,
      platformCustomerId: "search-bruno",
      region: "US",
    });
    await server.app.searchIndex?.runOnce();
    expect(await found("zauber")).toMatchObject([{ id: json.id }]);
    await story.call("PATCH", `/customers/${json.id}`, { ...person, fullName: "Bruno Magus" });
    await server.app.searchIndex?.runOnce();
    expect(await found("zauber")).toEqual([]);
    expect(await found("magus")).toMatchObject([{ id: json.id }]);
    expect(await found("SEARCH-bru")).toMatchObject([
      { id: json.id, matched: "platformCustomerId" },
    ]);
  });

  it("refuses texts, kinds and limits that it does not take", async () => {
    for (const query of [
      "",
      "q=",
      "q=%20",
      `q=${"x".repeat(201)}`,
      "q=x&kinds=Pet",
      "q=x&limit=6",
    ]) {
      const { status, json } = await story.call("GET", `/search?${query}`);
      expect([status, json.code], query).toEqual([400, "INVALID_INPUT"]);
    }
  });

  it("finds nothing of another platform", async () => {
    const other = await openStory(server, { name: "Other" });
    for (const q of [customerId, paymentId.slice(12), "renee", "1234.50"])
      expect(await found(q, "", other)).toEqual([]);
  });

  it("finds no one by a name, and masks titles, without the right to personal data", async () => {
    const owner = await makeOwner(server, workspaceId);
    const { browser } = await makePerson(owner, ["VIEWER"]);
    const path = `/p/PlatformConfig:${story.platformId}/search?q=`;
    expect((await browser.call("GET", `${path}renee`)).json.groups).toEqual([]);
    expect((await browser.call("GET", `${path}november`)).json.groups).toEqual([]);
    const { groups } = (await browser.call("GET", path + customerId)).json;
    expect(groups[0].results[0]).toMatchObject({ id: customerId, title: "R. Å." });
    expect((await owner.call("GET", `${path}renee`)).json.groups).not.toEqual([]);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { allPages } from "../../kit/platform-rows.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";

const server = await sharedServer();
let story: Story;

interface Person {
  readonly name: string;
  readonly more: object;
}

/** Made a minute apart, in this order. */
const people: readonly Person[] = [
  { name: "a", more: { region: "US", currencies: ["USD"] } },
  { name: "b", more: { region: "US", currencies: ["USD", "EUR"] } },
  { name: "c", more: { region: "DE", currencies: ["EUR"] } },
  { name: "d", more: { currencies: ["MXN"] } },
  { name: "e", more: { region: "MX", currencies: ["MXN", "USD"] } },
];
const made = new Map<string, RawAnswer>();
const createdAt = (name: string): string => made.get(name)?.json.createdAt;
const idOf = (name: string): string => made.get(name)?.json.id;

beforeAll(async () => {
  story = await openStory(server, { umaDomain: "lists.example" });
  for (const { name, more } of people) {
    const umaAddress = `$${name}@lists.example`;
    const body = { customerType: "INDIVIDUAL", platformCustomerId: name, umaAddress, ...more };
    made.set(name, await story.call("POST", "/customers", body));
    await story.call("POST", "/sandbox/clock/advance", { seconds: 60 });
  }
  // The oldest is changed last, and one is deleted.
  const change = { customerType: "INDIVIDUAL", fullName: "Changed" };
  made.set("a changed", await story.call("PATCH", `/customers/${idOf("a")}`, change));
  made.set("d deleted", await story.call("DELETE", `/customers/${idOf("d")}`));
});

const list = (query: string, on = story): Promise<RawAnswer> =>
  on.call("GET", `/customers?${query}`);

async function names(query: string): Promise<readonly string[]> {
  const { json } = await list(query);
  expect(json.totalCount).toBe(json.data.length);
  return json.data.map((one: { platformCustomerId: string }) => one.platformCustomerId);
}

describe("the list of customers", () => {
  it("is newest first, shows what a single one shows, and leaves deleted ones out", async () => {
    const all = await list("");
    expect(await names("")).toEqual(["e", "c", "b", "a"]);
    expect(all.json).toEqual({
      data: [
        made.get("e")?.json,
        made.get("c")?.json,
        made.get("b")?.json,
        made.get("a changed")?.json,
      ],
      hasMore: false,
      totalCount: 4,
    });
  });

  it("holds deleted ones when asked to", async () => {
    expect(await names("isIncludingDeleted=true")).toEqual(["e", "d", "c", "b", "a"]);
    expect(await names("isIncludingDeleted=false")).toEqual(["e", "c", "b", "a"]);
    const { json } = await list("isIncludingDeleted=true&platformCustomerId=d");
    expect(json.data).toEqual([made.get("d deleted")?.json]);
    expect(json.data[0].isDeleted).toBe(true);
    for (const value of ["TRUE", "1", "yes", ""]) {
      expect((await list(`isIncludingDeleted=${value}`)).status).toBe(400);
    }
  });

  it.each([
    ["platformCustomerId=b", ["b"]],
    ["platformCustomerId=B", []],
    ["platformCustomerId=%25", []],
    ["platformCustomerId=d", []],
    ["customerType=INDIVIDUAL", ["e", "c", "b", "a"]],
    ["customerType=BUSINESS", []],
    ["region=US", ["b", "a"]],
    ["region=DE", ["c"]],
    ["region=FR", []],
    ["currency=USD", ["e", "b", "a"]],
    ["currency=EUR", ["c", "b"]],
    ["currency=GBP", []],
    ["currency=XYZ", []],
    ["umaAddress=$c@lists.example", ["c"]],
    ["umaAddress=%24C%40LISTS.example", ["c"]],
    ["umaAddress=$nobody@lists.example", []],
    ["umaAddress=c", []],
    ["region=US&currency=EUR", ["b"]],
    ["region=US&currency=MXN", []],
    ["currency=MXN&isIncludingDeleted=true", ["e", "d"]],
    ["currency=USD&region=MX&customerType=INDIVIDUAL&platformCustomerId=e", ["e"]],
  ])("with %s holds %j", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it.each([
    ["customerType=PERSON", "customerType"],
    ["region=usa", "region"],
    ["currency=", "currency"],
    ["currency=usd", "currency"],
    ["currency=US", "currency"],
    ["limit=0", "limit"],
    ["cursor=zzz", "cursor"],
  ])("refuses %s", async (query, field) => {
    const refused = await list(query);
    expect(refused).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    expect(refused.json.details.errors[0].field).toBe(field);
  });

  it("can be asked for by the times of creation and of the last change, bounds included", async () => {
    const b = createdAt("b");
    const c = createdAt("c");
    const changed = made.get("a changed")?.json.updatedAt;
    expect(await names(`createdAfter=${b}`)).toEqual(["e", "c", "b"]);
    expect(await names(`createdBefore=${b}`)).toEqual(["b", "a"]);
    expect(await names(`createdAfter=${b}&createdBefore=${c}`)).toEqual(["c", "b"]);
    expect(await names(`createdAfter=${c}&createdBefore=${b}`)).toEqual([]);
    expect(await names(`updatedAfter=${c}`)).toEqual(["e", "c", "a"]);
    expect(await names(`updatedBefore=${c}`)).toEqual(["c", "b"]);
    expect(await names(`updatedAfter=${changed}&updatedBefore=${changed}`)).toEqual(["a"]);
    expect(await names(`createdBefore=${b}&updatedAfter=${c}&region=US`)).toEqual(["a"]);
    const justAfter = new Date(Date.parse(b) + 1).toISOString();
    expect(await names(`createdAfter=${justAfter}`)).toEqual(["e", "c"]);
  });

  it("can be asked for by times finer than the clock's, which are not rounded to one of its own", async () => {
    const b = Date.parse(createdAt("b"));
    const at = (epochMs: number, finer: string) =>
      new Date(epochMs).toISOString().replace("Z", `${finer}Z`);
    expect(await names(`createdAfter=${at(b, "000001")}`)).toEqual(["e", "c"]);
    expect(await names(`createdAfter=${at(b, "000000")}`)).toEqual(["e", "c", "b"]);
    expect(await names(`createdAfter=${at(b - 1, "999999")}`)).toEqual(["e", "c", "b"]);
    expect(await names(`createdBefore=${at(b - 1, "999999")}`)).toEqual(["a"]);
    expect(await names(`createdBefore=${at(b, "000001")}`)).toEqual(["b", "a"]);
    const last = "9999-12-31T23:59:59.999999999Z";
    expect(await names(`createdBefore=${last}&updatedBefore=${last}`)).toHaveLength(4);
    expect(await names(`createdAfter=${last}&updatedAfter=${last}`)).toEqual([]);
  });
});

describe("the pages of a list", () => {
  it("hold each item once while others are made and deleted in between", async () => {
    const paging = await openStory(server);
    const create = () =>
      paging.call("POST", "/customers", { customerType: "INDIVIDUAL", currencies: ["USD"] });
    const ids: string[] = [];
    for (let count = 0; count < 9; count++) ids.unshift((await create()).json.id);
    let turn = 0;
    const seen = await allPages(paging, "/customers?limit=2", async () => {
      await create();
      // One that was seen, and one that is still to come.
      if (turn++ === 0) {
        await paging.call("DELETE", `/customers/${ids[0]}`);
        await paging.call("DELETE", `/customers/${ids[6]}`);
      }
    });
    expect(seen.map(({ id }) => id)).toEqual(ids.filter((_, index) => index !== 6));
  });

  it("have the requested length, and the total of all items", async () => {
    for (const limit of [1, 2, 3, 4]) {
      const first = (await list(`limit=${limit}`)).json;
      expect(first.data).toHaveLength(limit);
      expect(first).toMatchObject({ totalCount: 4, hasMore: limit < 4 });
      expect("nextCursor" in first).toBe(limit < 4);
      expect(await allPages(story, `/customers?limit=${limit}`)).toHaveLength(4);
    }
  });

  it("have twenty items by default", async () => {
    const paging = await openStory(server);
    const body = { customerType: "INDIVIDUAL", currencies: ["USD"] };
    await Promise.all(Array.from({ length: 21 }, () => paging.call("POST", "/customers", body)));
    const first = (await paging.call("GET", "/customers")).json;
    expect(first.data).toHaveLength(20);
    expect(first).toMatchObject({ hasMore: true, totalCount: 21 });
    const seen = await allPages(paging, "/customers");
    expect(new Set(seen.map(({ id }) => id)).size).toBe(21);
  });

  it("may change in length on the way", async () => {
    const first = (await list("limit=1")).json;
    const rest = (await list(`limit=100&cursor=${first.nextCursor}`)).json;
    expect(rest.data).toHaveLength(3);
    expect(rest).toMatchObject({ hasMore: false, totalCount: 4 });
  });
});

describe("a cursor", () => {
  const cursor = async () => (await list("limit=1&currency=USD")).json.nextCursor as string;

  async function refusedOn(path: string, on = story): Promise<void> {
    const answer = await on.call("GET", path);
    expect([path, answer.status, answer.json.code]).toEqual([path, 400, "INVALID_INPUT"]);
    expect(answer.json.details.errors[0].field).toBe("cursor");
  }

  it("is refused once any of its characters is another", async () => {
    const good = await cursor();
    expect((await list(`limit=1&currency=USD&cursor=${good}`)).status).toBe(200);
    for (let at = 0; at < good.length; at++) {
      const other = good.charAt(at) === "A" ? "B" : "A";
      const bad = good.slice(0, at) + other + good.slice(at + 1);
      await refusedOn(`/customers?limit=1&currency=USD&cursor=${bad}`);
    }
  });

  it("is refused in every spelling but ours", async () => {
    const good = await cursor();
    for (const bad of [
      good.slice(0, -1),
      `${good}A`,
      `${good}=`,
      `${good}%0A`,
      `%20${good}`,
      good.toUpperCase(),
      "x".repeat(2_000),
      "1",
      "0",
      encodeURIComponent("' or 1=1 --"),
      Buffer.from(JSON.stringify([idOf("c").split(":")[1]])).toString("base64url"),
    ]) {
      await refusedOn(`/customers?limit=1&currency=USD&cursor=${bad}`);
    }
  });

  it("belongs to its filters", async () => {
    const good = await cursor();
    for (const query of [
      "",
      "currency=EUR",
      "currency=USD&region=US",
      "currency=USD&isIncludingDeleted=true",
    ]) {
      await refusedOn(`/customers?${query}&cursor=${good}`);
    }
    const inOtherOrder = await list(`cursor=${good}&isIncludingDeleted=false&currency=USD`);
    expect(inOtherOrder.status).toBe(200);
  });

  it("belongs to its list", async () => {
    const plain = (await list("limit=1")).json.nextCursor;
    const accounts = await story.call("GET", "/customers/internal-accounts?limit=1");
    for (const path of [
      "/tokens",
      "/transactions",
      "/customers/internal-accounts",
      "/platform/internal-accounts",
      "/customers/external-accounts",
      "/platform/external-accounts",
    ]) {
      await refusedOn(`${path}?cursor=${plain}`);
    }
    await refusedOn(`/customers?cursor=${accounts.json.nextCursor}`);
    await refusedOn(`/platform/internal-accounts?cursor=${accounts.json.nextCursor}`);
  });

  it("belongs to its platform", async () => {
    const other = await openStory(server);
    const good = await cursor();
    await refusedOn(`/customers?currency=USD&cursor=${good}`, other);
  });

  it("is not secret and not written anew: the same page gives the same cursor", async () => {
    expect(await cursor()).toBe(await cursor());
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic } from "../../kit/basic.ts";
import { allPages, tablesThatHold } from "../../kit/platform-rows.ts";
import { ignoreUnknownFields, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  await ignoreUnknownFields(story);
});
afterAll(() => server.close());

const ALL = ["VIEW", "TRANSACT", "MANAGE"];

function create(permissions: readonly string[] = ["VIEW"], name = "a token"): Promise<RawAnswer> {
  return story.call("POST", "/tokens", { name, permissions });
}

const as = (token: RawAnswer) => ({
  authorization: basic(token.json.clientId, token.json.clientSecret),
});

describe("a new token", () => {
  it("needs a name that can be read", async () => {
    for (const name of ["", "  ", "\t", "x".repeat(256)]) {
      const refused = await create(["VIEW"], name);
      expect([name, refused.status, refused.json.details.errors[0].field]).toEqual([
        name,
        400,
        "name",
      ]);
    }
  });

  it("has a name, permissions and credentials that work at once", async () => {
    const made = await create(["VIEW", "TRANSACT"], "payouts");
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      id: expect.stringMatching(/^Token:[0-9a-f-]{36}$/),
      name: "payouts",
      permissions: ["VIEW", "TRANSACT"],
      clientId: expect.stringMatching(/^[0-9a-f]{32}$/),
      clientSecret: expect.stringMatching(/^[0-9a-f]{64}$/),
      createdBy: expect.stringMatching(/^Token:[0-9a-f-]{36}$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: made.json.createdAt,
    });
    expect((await story.call("GET", "/config", undefined, as(made))).status).toBe(200);
    expect((await story.call("POST", "/customers", {}, as(made))).status).toBe(403);
  });

  it("has credentials of its own", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => create()));
    expect(new Set(made.map(({ json }) => json.clientId)).size).toBe(8);
    expect(new Set(made.map(({ json }) => json.clientSecret)).size).toBe(8);
  });

  it("takes any of the permissions, none twice", async () => {
    for (const permissions of [["VIEW"], ["TRANSACT"], ["MANAGE"], ALL]) {
      expect((await create(permissions)).json.permissions).toEqual(permissions);
    }
    for (const permissions of [
      [],
      ["VIEW", "VIEW"],
      ["ADMIN"],
      ["view"],
      ["MANAGE", "__proto__"],
      [...ALL, "VIEW"],
      "VIEW",
    ]) {
      const refused = await story.call("POST", "/tokens", { name: "x", permissions });
      expect(refused).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
      expect(refused.json.details.errors[0].field).toMatch(/^permissions/);
    }
  });

  it("ignores what a caller may not choose", async () => {
    const wish = {
      name: "mine",
      permissions: ["VIEW"],
      id: story.clientId,
      clientId: story.clientId,
      clientSecret: "0".repeat(64),
      platformId: "00000000-0000-7000-8000-000000000001",
      secretHash: "x",
      createdAt: "2000-01-01T00:00:00Z",
    };
    const { json } = await story.call("POST", "/tokens", wish);
    expect(json.clientId).not.toBe(story.clientId);
    expect(json.clientSecret).not.toBe(wish.clientSecret);
    expect(json.createdAt).not.toContain("2000-");
    expect(Object.keys(json)).not.toContain("platformId");
    expect((await story.call("GET", `/tokens/${json.id}`)).status).toBe(200);
  });
});

describe("what a token may grant", () => {
  it("is what it holds itself", async () => {
    const manager = await create(["MANAGE"]);
    const before = await story.call("GET", "/tokens");
    for (const permissions of [["VIEW"], ["TRANSACT"], ["MANAGE", "VIEW"], ALL]) {
      const refused = await story.call("POST", "/tokens", { name: "x", permissions }, as(manager));
      expect(refused).toMatchObject({ status: 403, json: { code: "FORBIDDEN" } });
      const missing = permissions.filter((permission) => permission !== "MANAGE");
      expect(refused.json.details).toEqual({ permissions: missing });
    }
    expect((await story.call("GET", "/tokens")).json.totalCount).toBe(before.json.totalCount);
    const wish = { name: "another manager", permissions: ["MANAGE"] };
    const granted = await story.call("POST", "/tokens", wish, as(manager));
    expect(granted.status).toBe(201);
  });

  it("is nothing without MANAGE", async () => {
    const payer = await create(["VIEW", "TRANSACT"]);
    const wish = { name: "x", permissions: ["VIEW"] };
    expect((await story.call("POST", "/tokens", wish, as(payer))).status).toBe(403);
    const path = `/tokens/${payer.json.id}`;
    expect((await story.call("DELETE", path, undefined, as(payer))).status).toBe(403);
  });
});

describe("the secret of a token", () => {
  it("is in no answer but the one that made it", async () => {
    const { json } = await create(["VIEW"], "hidden");
    const read = await story.call("GET", `/tokens/${json.id}`);
    expect(read.json).toEqual({ ...json, clientSecret: undefined });
    const listed = await story.call("GET", "/tokens?name=hidden");
    expect(listed.json.data).toEqual([read.json]);
    expect(read.text + listed.text).not.toContain(json.clientSecret);
    expect(read.text).not.toMatch(/secret/i);
  });

  it("is nowhere stored in clear, not even in the stored answer of an idempotency key", async () => {
    const key = "a-key-for-a-secret";
    const wish = { name: "sealed", permissions: ["VIEW"] };
    const made = await story.call("POST", "/tokens", wish, { key });
    const again = await story.call("POST", "/tokens", wish, { key });
    expect(again.text).toBe(made.text);
    expect(again.json.clientSecret).toBe(made.json.clientSecret);
    expect(await tablesThatHold(story, made.json.clientSecret)).toEqual([]);
    // The search finds what is there: the client id is no secret.
    expect(await tablesThatHold(story, made.json.clientId)).toEqual([
      "audit_entries",
      "directory",
      "tokens",
    ]);
    const [row] = await server.database.asSuperuser(async (client) => {
      const sql = "select answer, answer_sealed from command_log where idempotency_key = $1";
      return (await client.query(sql, [key])).rows;
    });
    expect(row.answer_sealed).toBe(true);
    expect(row.answer).not.toContain("sealed");
    expect(row.answer).not.toContain(made.json.clientId);
  });

  it("is not given again to another key, nor under the same key to another body", async () => {
    const wish = { name: "once", permissions: ["VIEW"] };
    const made = await story.call("POST", "/tokens", wish, { key: "first-key" });
    const other = await story.call("POST", "/tokens", wish, { key: "second-key" });
    expect(other.json.clientSecret).not.toBe(made.json.clientSecret);
    const changed = { ...wish, name: "twice" };
    const reused = await story.call("POST", "/tokens", changed, { key: "first-key" });
    expect(reused.status).toBe(422);
    expect(reused.text).not.toContain(made.json.clientSecret);
  });
});

describe("credentials", () => {
  const bearer = (text: string) => Buffer.from(text).toString("base64");

  it("are refused in every other form, with the same message", async () => {
    const { clientId, clientSecret } = story;
    const other = await openStory(server);
    const words = new Set<string>();
    for (const authorization of [
      null,
      "",
      "Basic",
      "Basic ",
      `Basic ${bearer(clientId)}`,
      `Basic ${bearer(`:${clientSecret}`)}`,
      `Basic ${bearer(`${clientId}:`)}`,
      `Basic ${bearer(`${clientId}:${clientSecret}:`)}`,
      `Basic ${bearer(`${clientId}:${clientSecret} `)}`,
      `Basic ${bearer(`${clientId.toUpperCase()}:${clientSecret}`)}`,
      `Basic ${bearer(`${clientId}:ü${clientSecret}`)}`,
      `Basic ${bearer(`${clientId}:${other.clientSecret}`)}`,
      `Basic ${clientId}:${clientSecret}`,
      `Basic ${"A".repeat(10_000)}`,
      `Bearer ${bearer(`${clientId}:${clientSecret}`)}`,
      `Digest ${bearer(`${clientId}:${clientSecret}`)}`,
      `Token:${clientId}`,
    ]) {
      const refused = await story.call("GET", "/config", undefined, { authorization });
      expect([authorization, refused.status]).toEqual([authorization, 401]);
      expect(refused.json.code).toBe("UNAUTHORIZED");
      words.add(refused.text);
    }
    expect(words.size).toBe(1);
  });

  it("may name the scheme in any case", async () => {
    for (const scheme of ["basic", "BASIC"]) {
      const authorization = story.authorization.replace("Basic", scheme);
      const answer = await story.call("GET", "/config", undefined, { authorization });
      expect(answer.status).toBe(200);
    }
  });
});

describe("deleting a token", () => {
  it("refuses its credentials from the next call on", async () => {
    const token = await create(ALL);
    expect((await story.call("GET", "/config", undefined, as(token))).status).toBe(200);
    const deleted = await story.call("DELETE", `/tokens/${token.json.id}`);
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    expect((await story.call("GET", "/config", undefined, as(token))).status).toBe(401);
    expect((await story.call("POST", "/tokens", {}, as(token))).status).toBe(401);
  });

  it("takes it out of every answer", async () => {
    const token = await create(["VIEW"], "gone");
    await story.call("DELETE", `/tokens/${token.json.id}`);
    const path = `/tokens/${token.json.id}`;
    const NOT_FOUND = { status: 404, json: { code: "TOKEN_NOT_FOUND" } };
    expect(await story.call("GET", path)).toMatchObject(NOT_FOUND);
    expect(await story.call("DELETE", path)).toMatchObject(NOT_FOUND);
    expect((await story.call("GET", "/tokens?name=gone")).json.data).toEqual([]);
  });

  it("does not give a stored answer to it any more", async () => {
    const token = await create(ALL);
    const wish = { name: "child", permissions: ["VIEW"] };
    const options = { ...as(token), key: "key-of-a-deleted-token" };
    const made = await story.call("POST", "/tokens", wish, options);
    expect(made.status).toBe(201);
    await story.call("DELETE", `/tokens/${token.json.id}`);
    const after = await story.call("POST", "/tokens", wish, options);
    expect(after.status).toBe(401);
    expect(after.text).not.toContain(made.json.clientSecret);
  });

  it("may be done by the token itself", async () => {
    const token = await create(["MANAGE"]);
    const path = `/tokens/${token.json.id}`;
    expect((await story.call("DELETE", path, undefined, as(token))).status).toBe(204);
    expect((await story.call("DELETE", path, undefined, as(token))).status).toBe(401);
  });

  it("is refused for the last one with MANAGE, and nothing is lost", async () => {
    const alone = await openStory(server);
    const [first] = (await alone.call("GET", "/tokens")).json.data;
    expect(first).toMatchObject({ permissions: ALL, clientId: alone.clientId });
    await alone.call("POST", "/tokens", { name: "payer", permissions: ["VIEW", "TRANSACT"] });
    const refused = await alone.call("DELETE", `/tokens/${first.id}`);
    expect(refused).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    expect(refused.json.details.errors).toMatchObject([{ field: "tokenId" }]);
    expect((await alone.call("GET", `/tokens/${first.id}`)).json).toEqual(first);
  });

  it("leaves one with MANAGE when all of them are deleted at once", async () => {
    const alone = await openStory(server);
    const wish = { name: "manager", permissions: ["MANAGE", "VIEW"] };
    for (let count = 0; count < 4; count++) await alone.call("POST", "/tokens", wish);
    const tokens = (await alone.call("GET", "/tokens")).json.data;
    expect(tokens).toHaveLength(5);
    const answers = await Promise.all(
      tokens.map(({ id }: { id: string }) => alone.call("DELETE", `/tokens/${id}`)),
    );
    const statuses = answers.map(({ status }: RawAnswer) => status);
    const left = await server.database.asSuperuser(async (client) => {
      const sql = "select 1 from tokens where platform_id = $1 and deleted_at is null";
      return (await client.query(sql, [alone.platformId])).rows.length;
    });
    expect(left).toBeGreaterThanOrEqual(1);
    expect(statuses.filter((status: number) => status === 204)).toHaveLength(5 - left);
    for (const status of statuses) expect([204, 400, 401]).toContain(status);
  });
});

describe("the list of tokens", () => {
  it("is newest first and can be asked for by exact name", async () => {
    const listing = await openStory(server);
    const make = (name: string) => listing.call("POST", "/tokens", { name, permissions: ["VIEW"] });
    for (const name of ["a", "b", "ab", "a", "A", "a%", "ü"]) await make(name);
    const all = await listing.call("GET", "/tokens");
    const names = all.json.data.map(({ name }: { name: string }) => name);
    expect(names).toEqual(["ü", "a%", "A", "a", "ab", "b", "a", "first token"]);
    expect(all.json).toMatchObject({ hasMore: false, totalCount: 8 });
    expect(all.json).not.toHaveProperty("nextCursor");
    const count = async (name: string) =>
      (await listing.call("GET", `/tokens?name=${encodeURIComponent(name)}`)).json.totalCount;
    expect(await Promise.all(["a", "A", "a%", "ü", "%", ""].map(count))).toEqual([
      2, 1, 1, 1, 0, 0,
    ]);
  });

  it("can be asked for by times, bounds included, alone and together", async () => {
    const listing = await openStory(server);
    const made: RawAnswer[] = [];
    for (const name of ["one", "two", "three"]) {
      await listing.call("POST", "/sandbox/clock/advance", { seconds: 60 });
      made.push(await listing.call("POST", "/tokens", { name, permissions: ["VIEW"] }));
    }
    const [, two, three] = made.map(({ json }) => json.createdAt as string);
    const names = async (query: string) => {
      const { json } = await listing.call("GET", `/tokens?${query}`);
      return json.data.map(({ name }: { name: string }) => name);
    };
    for (const which of ["created", "updated"]) {
      expect(await names(`${which}After=${two}`)).toEqual(["three", "two"]);
      expect(await names(`${which}Before=${two}`)).toEqual(["two", "one", "first token"]);
      expect(await names(`${which}After=${two}&${which}Before=${two}`)).toEqual(["two"]);
      expect(await names(`${which}After=${three}&${which}Before=${two}`)).toEqual([]);
    }
    expect(await names(`createdAfter=${two}&name=three`)).toEqual(["three"]);
    expect(await names(`createdBefore=${two}&name=three`)).toEqual([]);
    const shifted = new Date(Date.parse(two ?? "") + 3_600_000).toISOString().slice(0, -1);
    expect(await names(`createdAfter=${encodeURIComponent(`${shifted}+01:00`)}`)).toEqual([
      "three",
      "two",
    ]);
  });

  it("shows each token once while others are made between the pages", async () => {
    const listing = await openStory(server);
    const make = () => listing.call("POST", "/tokens", { name: "paged", permissions: ["VIEW"] });
    const made: string[] = [];
    for (let count = 0; count < 7; count++) made.unshift((await make()).json.id);
    const seen = await allPages(listing, "/tokens?name=paged&limit=2", make);
    expect(seen.map(({ id }) => id)).toEqual(made);
    expect((await allPages(listing, "/tokens?limit=100")).length).toBe(1 + 7 + 3);
  });
});

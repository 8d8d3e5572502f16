/** What is known of a token beside its rights: when it expires, when it was last used, who created it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic } from "../../kit/basic.ts";
import { createManualClock, type ManualClock } from "../../kit/manual-clock.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 9, 1, 22);

let clock: ManualClock;
let server: TestServer;
let story: Story;
beforeAll(async () => {
  clock = createManualClock(START);
  server = await startTestServer({ clock });
  story = await openStory(server);
});
afterAll(async () => {
  const closed = server.close();
  await clock.advance(1_000);
  await closed;
});

const inMs = (ms: number) => new Date(clock.now() + ms).toISOString();

function create(body: object, by?: RawAnswer): Promise<RawAnswer> {
  const sent = { name: "a token", permissions: ["VIEW"], ...body };
  return story.call("POST", "/tokens", sent, by === undefined ? {} : as(by));
}

const as = ({ json }: RawAnswer) => ({ authorization: basic(json.clientId, json.clientSecret) });

const get = (token: RawAnswer) =>
  story.call("GET", `/tokens/${token.json.id}`).then(({ json }) => json);

const use = (token: RawAnswer) => story.call("GET", "/config", undefined, as(token));

describe("a token that expires", () => {
  it("works until then, and is answered like an unknown one from then on", async () => {
    const expiresAt = inMs(10_000);
    const made = await create({ expiresAt });
    expect([made.status, made.json.expiresAt]).toEqual([201, expiresAt]);
    await clock.advance(9_999);
    expect((await use(made)).status).toBe(200);
    // The verdict of the call before is a millisecond old.
    await clock.advance(1);
    const late = await use(made);
    const unknown = await story.call("GET", "/config", undefined, {
      authorization: basic("f".repeat(32), "0".repeat(64)),
    });
    expect(late.status).toBe(401);
    expect(late.text).toBe(unknown.text);
    expect(await get(made)).toMatchObject({ expiresAt });
  });

  it("expires by the clock of its platform", async () => {
    const own = await openStory(server);
    const body = { name: "t", permissions: ["VIEW"], expiresAt: inMs(HOUR_MS) };
    const made = await own.call("POST", "/tokens", body);
    await own.call("POST", "/sandbox/clock/advance", { seconds: 3_600 });
    await clock.advance(1_000);
    expect((await own.call("GET", "/config", undefined, as(made))).status).toBe(401);
    const passed = await own.call("POST", "/tokens", { ...body, expiresAt: inMs(HOUR_MS - 5_000) });
    expect([passed.status, passed.json.details.field]).toEqual([400, "expiresAt"]);
  });

  it("creates no token that outlives it", async () => {
    const expiresAt = inMs(HOUR_MS);
    const manager = await create({ permissions: ["VIEW", "MANAGE"], expiresAt });
    for (const longer of [{}, { expiresAt: inMs(HOUR_MS + 1) }]) {
      const refused = await create(longer, manager);
      expect([refused.status, refused.json.code]).toEqual([403, "FORBIDDEN"]);
      expect(refused.json.details).toEqual({ expiresAt });
    }
    expect((await create({ expiresAt }, manager)).status).toBe(201);
  });

  it("is no guard against being locked out", async () => {
    const own = await openStory(server);
    const { data } = (await own.call("GET", "/tokens")).json;
    const body = { name: "t", permissions: ["MANAGE"], expiresAt: inMs(HOUR_MS) };
    const brief = await own.call("POST", "/tokens", body);
    const refused = await own.call("DELETE", `/tokens/${data[0].id}`);
    expect([refused.status, refused.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect((await own.call("DELETE", `/tokens/${brief.json.id}`)).status).toBe(204);
  });

  it.each([
    ["a moment that has passed", "2020-01-01T00:00:00Z"],
    ["a day", "2027-01-01"],
    ["a number", 1_900_000_000],
    ["null", null],
  ])("is refused with %s", async (_what, expiresAt) => {
    const refused = await create({ expiresAt });
    expect([refused.status, refused.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(refused.json.details.errors).toMatchObject([{ field: "expiresAt" }]);
  });
});

describe("the creator of a token", () => {
  it("is the operator or a token", async () => {
    const { data } = (await story.call("GET", "/tokens?limit=100")).json;
    const first = data.at(-1);
    expect(first.createdBy).toBe("operator");
    const made = await create({});
    expect(made.json.createdBy).toBe(first.id);
    expect((await get(made)).createdBy).toBe(first.id);
  });
});

describe("the last use of a token", () => {
  const written = () => server.app.tokenUses.flush();

  it("is a day, and absent before the first use", async () => {
    const made = await create({});
    await written();
    expect(await get(made)).not.toHaveProperty("lastUsedAt");
    await use(made);
    await clock.advance(1_000);
    await written();
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    expect((await get(made)).lastUsedAt).toBe(day);
    const { data } = (await story.call("GET", "/tokens?limit=1")).json;
    expect(data[0]).toMatchObject({ id: made.json.id, lastUsedAt: day });
  });

  it("is none of a wrong secret", async () => {
    const made = await create({});
    const authorization = basic(made.json.clientId, "0".repeat(64));
    expect((await story.call("GET", "/config", undefined, { authorization })).status).toBe(401);
    await written();
    expect(await get(made)).not.toHaveProperty("lastUsedAt");
  });

  it("is written once a day, whatever the token calls, also by two servers", async () => {
    const beside = await startTestServer({ clock, beside: server });
    const made = await create({});
    const rows = async () => {
      await Promise.all([written(), beside.app.tokenUses.flush()]);
      const found = await server.database.asSuperuser((client) =>
        client.query("select day::text, xmin::text from token_uses where token_id = $1", [
          made.json.id.split(":")[1],
        ]),
      );
      return found.rows;
    };
    await use(made);
    const first = await rows();
    expect(first).toHaveLength(1);
    for (let count = 0; count < 3; count++) {
      await clock.advance(2_000);
      await use(made);
      await fetch(`${beside.baseUrl}/config`, { headers: as(made) });
    }
    expect(await rows()).toEqual(first);
    await clock.advance(24 * HOUR_MS);
    await use(made);
    const [later] = await rows();
    expect(later?.day > first[0]?.day).toBe(true);
    const closed = beside.close();
    await clock.advance(1_000);
    await closed;
  });
});

/** Where rates come from: tables that are set, documents that are read, what is not taken of them, and when they are too old. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formOf } from "../../kit/forms.ts";
import { ecbDocument, openRatePage, type RatePage } from "../../kit/rate-page.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { eventsAbout, expectStatus } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let page: RatePage;
let story: Story;
beforeAll(async () => {
  page = await openRatePage();
  server = await startTestServer({ settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${page.port}` } });
});
/** A sandbox platform, whose clock can be moved. */
beforeEach(async () => {
  page.status = 200;
  page.body = "{}";
  page.asked.length = 0;
  story = await openStory(server);
});
afterAll(async () => {
  await server.close();
  await page.close();
});

const EURO = [{ base: "EUR", quote: "USD", rate: "1.0850" }];

async function source(body: object): Promise<RawAnswer["json"]> {
  return expectStatus(201, await story.call("POST", "/rates/sources", body)).json;
}
const get = async (id: string) => (await story.call("GET", `/rates/sources/${id}`)).json;
const set = (id: string, rates: readonly object[], more = {}) =>
  story.call("PUT", `/rates/sources/${id}/rates`, { rates, ...more });
const patch = (id: string, body: object) => story.call("PATCH", `/rates/sources/${id}`, body);
const observations = async (id: string) =>
  (await story.call("GET", `/rates/sources/${id}/observations`)).json.data;
const fieldsOf = ({ json }: RawAnswer) =>
  json.details.errors.map(({ field }: { readonly field: string }) => field);

async function pass(seconds: number): Promise<void> {
  expectStatus(200, await story.call("POST", "/sandbox/clock/advance", { seconds }));
  await story.settle();
}

const ECB = { kind: "ECB", settings: { acknowledged: true } };
const pointed = (more: object = {}, settings: object = {}) => ({
  name: "feed",
  kind: "HTTP",
  settings: {
    url: page.url,
    pairs: [{ base: "EUR", quote: "USD", pointer: "/data/0/rate" }],
    ...settings,
  },
  ...more,
});

it("a feed that moves in small steps moves by its bound in a day", async () => {
  page.body = '{"data": [{"rate": 1.09}]}';
  const { id } = await source(pointed({}, { everySeconds: 10 }));
  await expect.poll(async () => (await get(id)).rates[0]?.rate).toBe("1.09");
  let value = 1.09;
  for (let step = 0; step < 10; step += 1) {
    value *= 1.19;
    page.body = JSON.stringify({ data: [{ rate: Number(value.toFixed(4)) }] });
    await pass(11);
  }
  const moved = await get(id);
  expect(moved.rates).toMatchObject([{ rate: "1.2971" }]);
  expect(Object.keys(moved.rates[0])).toEqual(["base", "quote", "rate", "asOf"]);
  expect(moved.refused).toMatchObject([{ reason: "MOVED" }]);
  expect(await eventsAbout(story, id)).toContain("RATE_SOURCE.REFUSED");
  const [last] = await observations(id);
  expect(Object.keys(last.rates[0])).toEqual(["base", "quote", "rate", "asOf"]);
});

describe("a source", () => {
  it("has what its kind has unless it is told otherwise", async () => {
    const desk = await source({ name: "desk", kind: "FIXED" });
    expect(desk).toMatchObject({
      priority: 100,
      pivots: ["EUR", "USD"],
      maxAgeMinutes: 1_440,
      lockMinutes: 5,
      maxMovePercent: 20,
      rates: [],
    });
    const any = await source({ name: "any", kind: "FIXED", maxMovePercent: null, pivots: [] });
    expect(any).not.toHaveProperty("maxMovePercent");
    expect(await get(desk.id)).toEqual(desk);
    const { json } = await story.call("GET", "/rates/sources?kind=FIXED");
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([any.id, desk.id]);
  });

  it("names every setting that its kind does not have or lacks", async () => {
    const of = async (body: object) =>
      fieldsOf(expectStatus(400, await story.call("POST", "/rates/sources", body)));
    expect(
      await of({ name: "a", kind: "FIXED", settings: { url: page.url }, headers: { a: "b" } }),
    ).toEqual(["settings.url", "headers"]);
    expect(await of({ name: "a", kind: "ECB" })).toEqual(["settings.acknowledged"]);
    expect(await of({ name: "a", kind: "HTTP" })).toEqual(["settings.url", "settings.pairs"]);
    const pair = { base: "EUR", quote: "USD", pointer: "/a" };
    const twice = [pair, { base: "USD", quote: "EUR", pointer: "/b" }];
    expect(await of(pointed({}, { pairs: twice }))).toEqual(["settings.pairs.1"]);
    expect(await of(pointed({}, { pairs: [{ ...pair, pointer: "a" }] }))).toEqual([
      "settings.pairs.0.pointer",
    ]);
    expect(await of(pointed({}, { pairs: [{ ...pair, base: "XXX" }] }))).toEqual([
      "settings.pairs.0.base",
    ]);
    expect(await of(pointed({ pivots: ["XXX"] }))).toEqual(["pivots.0"]);
    expect(await of(pointed({ headers: { host: "a", "b c": "d", x: "ü" } }))).toEqual([
      "headers.host",
      "headers.b c",
      "headers.x",
    ]);
  });

  it("is never at a private address that the operator did not list", async () => {
    for (const url of [
      "http://127.0.0.1:1/a",
      "https://169.254.169.254/a",
      "https://10.0.0.1/a",
      "ftp://a.example/",
    ]) {
      const answer = await story.call("POST", "/rates/sources", pointed({}, { url }));
      expect(fieldsOf(expectStatus(400, answer))).toEqual(["settings.url"]);
    }
  });

  it("has a name of its own, and 20 are the most", async () => {
    const [first] = await Promise.all(
      Array.from({ length: 20 }, (_, index) => source({ name: `desk ${index}`, kind: "FIXED" })),
    );
    const one = await story.call("POST", "/rates/sources", { name: "more", kind: "FIXED" });
    expect(expectStatus(409, one).json.details).toEqual({ limit: 20 });
    const taken = await patch(first.id, { name: "desk 1" });
    expect(expectStatus(409, taken).json.details).toEqual({ field: "name" });
    expectStatus(204, await story.call("DELETE", `/rates/sources/${first.id}`));
    expectStatus(404, await story.call("GET", `/rates/sources/${first.id}`));
    await source({ name: "desk 0", kind: "FIXED" });
  });

  it("is no other platform's", async () => {
    const { id } = await source({ name: "desk", kind: "FIXED" });
    const other = await openStory(server);
    expectStatus(404, await other.call("GET", `/rates/sources/${id}`));
    expectStatus(404, await other.call("PUT", `/rates/sources/${id}/rates`, { rates: [] }));
  });
});

describe("a fixed source", () => {
  it("takes a table as a whole, and keeps the digits", async () => {
    const { id } = await source({ name: "desk", kind: "FIXED" });
    const rates = [
      { base: "EUR", quote: "USD", rate: "1.0850" },
      { base: "USD", quote: "JPY", rate: "123456789.012345678901234567891" },
      { base: "USD", quote: "KES", rate: "1e-3" },
    ];
    const { json } = expectStatus(200, await set(id, rates, { asOf: "2025-01-01T00:00:00Z" }));
    const asOf = "2025-01-01T00:00:00.000Z";
    expect(json.rates).toEqual([
      { ...rates[0], asOf },
      { ...rates[1], asOf },
      { ...rates[2], rate: "0.001", asOf },
    ]);
    expectStatus(200, await set(id, EURO));
    expect((await get(id)).rates).toHaveLength(1);
    const said = await observations(id);
    expect(
      said.map(({ origin, rates: taken }: RawAnswer["json"]) => [origin, taken.length]),
    ).toEqual([
      ["PUT", 1],
      ["PUT", 3],
    ]);
    expectStatus(200, await set(id, EURO));
    expect(await observations(id)).toHaveLength(2);
  });

  it("refuses all of a table with a fault, and names each", async () => {
    const { id } = await source({ name: "desk", kind: "FIXED" });
    expectStatus(200, await set(id, EURO));
    const wrong = ["0", "-1", "NaN", "1e400", "1e9999", "1,5", `1.${"1".repeat(30)}`, ""];
    for (const rate of wrong) {
      const answer = await set(id, [{ base: "GBP", quote: "USD", rate }]);
      expect(fieldsOf(expectStatus(400, answer))).toEqual(["rates.0.rate"]);
    }
    const moved = await set(id, [{ base: "EUR", quote: "USD", rate: "1.30201" }]);
    expect(expectStatus(400, moved).json.message).toContain("maxMovePercent");
    const twice = await set(id, [...EURO, { base: "USD", quote: "EUR", rate: "0.9" }]);
    expect(fieldsOf(expectStatus(400, twice))).toEqual(["rates.1"]);
    const ahead = await set(id, EURO, { asOf: "2999-01-01T00:00:00Z" });
    expect(fieldsOf(expectStatus(400, ahead))).toEqual(["asOf"]);
    expect((await get(id)).rates).toMatchObject(EURO);
    // Twenty hundredths are not more than twenty.
    expectStatus(200, await set(id, [{ base: "EUR", quote: "USD", rate: "1.302" }]));
    expectStatus(200, await patch(id, { maxMovePercent: null }));
    expectStatus(200, await set(id, [{ base: "EUR", quote: "USD", rate: "9" }]));
  });

  it("has no document, and others have no table", async () => {
    const { id } = await source({ name: "desk", kind: "FIXED" });
    expectStatus(409, await story.call("POST", `/rates/sources/${id}/refresh`));
    const form = formOf({}, { bytes: ecbDocument("2025-11-21", { USD: "1.1" }), name: "a.xml" });
    expectStatus(409, await story.call("POST", `/rates/sources/${id}/upload`, form));
    page.body = "{}";
    const feed = await source(pointed());
    expectStatus(409, await set(feed.id, EURO));
  });

  it("is told once when its rates are too old, and again after new ones", async () => {
    const { id } = await source({ name: "desk", kind: "FIXED", maxAgeMinutes: 10 });
    expectStatus(200, await set(id, EURO));
    await pass(590);
    expect(await eventsAbout(story, id)).toEqual([]);
    await pass(11);
    await pass(600);
    expect(await eventsAbout(story, id)).toEqual(["RATE_SOURCE.STALE"]);
    expect(await get(id)).toHaveProperty("staleSince");
    expectStatus(200, await set(id, EURO));
    expect(await get(id)).not.toHaveProperty("staleSince");
    expectStatus(200, await patch(id, { maxAgeMinutes: 5 }));
    await pass(301);
    expect(await eventsAbout(story, id)).toEqual(["RATE_SOURCE.STALE", "RATE_SOURCE.STALE"]);
  });
});

describe("a source that reads JSON", () => {
  it("takes numbers and texts by their digits, and says each once", async () => {
    page.body =
      '{"data":[{"rate":1.08500000000000000000000000001,"at":1700000000},{"r/~e":"156.3"}]}';
    const { id } = await source(
      pointed(
        { headers: { "X-Api-Key": "a key that is secret" } },
        {
          asOfPointer: "/data/0/at",
          pairs: [
            { base: "EUR", quote: "USD", pointer: "/data/0/rate" },
            { base: "JPY", quote: "USD", pointer: "/data/1/r~1~0e", invert: true },
          ],
        },
      ),
    );
    await story.settle();
    const read = await get(id);
    const asOf = "2023-11-14T22:13:20.000Z";
    expect(read.rates).toEqual([
      { base: "EUR", quote: "USD", rate: "1.08500000000000000000000000001", asOf },
      { base: "USD", quote: "JPY", rate: "156.3", asOf },
    ]);
    expect(page.asked[0]).toMatchObject({ "x-api-key": "a key that is secret" });
    expect(read.headers).toHaveProperty("x-api-key.fingerprint");
    expect(JSON.stringify(read)).not.toContain("a key that is secret");
    await pass(120);
    expect(page.asked.length).toBeGreaterThan(1);
    expect(await observations(id)).toHaveLength(1);
    page.asked.length = 0;
    expectStatus(200, await patch(id, { headers: {} }));
    expectStatus(200, await story.call("POST", `/rates/sources/${id}/refresh`));
    expect(page.asked.at(-1)).not.toHaveProperty("x-api-key");
  });

  it("does not take values that are no rates or that moved too far, and tells that once", async () => {
    const body = (rate: string) => `{"data":[{"rate":${rate}}]}`;
    page.body = body("1.0850");
    const { id } = await source(pointed());
    await story.settle();
    const refresh = async (text: string) => {
      page.body = text;
      return expectStatus(200, await story.call("POST", `/rates/sources/${id}/refresh`)).json;
    };
    const reasons: readonly (readonly [text: string, reason: string])[] = [
      [body("0"), "NOT_A_RATE"],
      [body("-1.08"), "NOT_A_RATE"],
      [body('"NaN"'), "NOT_A_RATE"],
      [body("1e400"), "NOT_A_RATE"],
      [body("1.30201"), "MOVED"],
      [body("0.86799"), "MOVED"],
      [body("null"), "MISSING"],
      ['{"data":{}}', "MISSING"],
    ];
    for (const [text, reason] of reasons) {
      const { refused, rates } = await refresh(text);
      expect([text, refused[0]?.reason]).toEqual([text, reason]);
      expect(rates).toMatchObject(EURO);
    }
    const told = (await eventsAbout(story, id)).length;
    await refresh('{"data":{}}');
    expect(await eventsAbout(story, id)).toHaveLength(told);
    expect((await refresh(body("1.302"))).refused).toEqual([]);
    expect(new Set(await eventsAbout(story, id))).toEqual(new Set(["RATE_SOURCE.REFUSED"]));
  });

  it("notes what it could not read, and its rates grow older", async () => {
    page.body = '{"data":[{"rate":1.0850}]}';
    const { id } = await source(pointed({ maxAgeMinutes: 2 }, { asOfPointer: "/at" }));
    const failure = async (status: number, body: string) => {
      [page.status, page.body] = [status, body];
      const { json } = await story.call("POST", `/rates/sources/${id}/refresh`);
      return json.lastError?.code;
    };
    await story.settle();
    expect(await failure(200, '{"data":[{"rate":1.0850}]}')).toBe("AS_OF");
    expect(await failure(500, "{}")).toBe("STATUS");
    expect(await failure(302, "{}")).toBe("STATUS");
    expect(await failure(200, "<html>")).toBe("NOT_JSON");
    expect(await failure(200, `"${"a".repeat(262_145)}"`)).toBe("NO_ANSWER");
    expect(await failure(200, `${"[".repeat(100_000)}`)).toBe("NOT_JSON");
    const ahead = '{"at":"2999-01-01T00:00:00Z","data":[{"rate":1}]}';
    expect(await failure(200, ahead)).toBe("AS_OF");
    const good = '{"at":"2025-01-02T00:00:00Z","data":[{"rate":1.1}]}';
    expect(await failure(200, good)).toBeUndefined();
    // One of a day before is no news.
    expect(await failure(200, good.replace("02T", "01T").replace("1.1", "1.2"))).toBeUndefined();
    expect((await get(id)).rates).toMatchObject([
      { rate: "1.1", asOf: "2025-01-02T00:00:00.000Z" },
    ]);
  });
});

describe("a source of reference rates", () => {
  const upload = (id: string, text: string | Buffer) =>
    story.call(
      "POST",
      `/rates/sources/${id}/upload`,
      formOf({}, { bytes: text, name: "daily.xml" }),
    );

  it("reads the document of a day, by itself and by upload", async () => {
    page.body = ecbDocument("2025-11-20", { USD: "1.0850", JPY: "163.25" });
    const { id } = await source({
      name: "bank",
      ...ECB,
      settings: { acknowledged: true, url: page.url },
    });
    await story.settle();
    const asOf = "2025-11-20T15:00:00.000Z";
    expect((await get(id)).rates).toEqual([
      { base: "EUR", quote: "USD", rate: "1.0850", asOf },
      { base: "EUR", quote: "JPY", rate: "163.25", asOf },
    ]);
    const next = expectStatus(200, await upload(id, ecbDocument("2025-11-21", { USD: "1.09" })));
    expect(next.json.rates).toMatchObject([{ quote: "USD", rate: "1.09" }]);
    const old = expectStatus(200, await upload(id, ecbDocument("2025-11-19", { USD: "1.01" })));
    expect(old.json.rates).toMatchObject([{ quote: "USD", rate: "1.09" }]);
    page.asked.length = 0;
    await pass(3 * 86_400);
    expect(page.asked.length).toBeGreaterThan(0);
  });

  it.each([
    [
      "a document type",
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><Envelope/>',
      "DTD_FORBIDDEN",
    ],
    ["an external entity", '<!DOCTYPE a SYSTEM "file:///etc/passwd"><Envelope/>', "DTD_FORBIDDEN"],
    ["another encoding", '<?xml version="1.0" encoding="ISO-8859-1"?><Envelope/>', "ENCODING"],
    ["an unknown entity", "<Envelope>&b;</Envelope>", "XML_NOT_WELL_FORMED"],
    ["two roots", "<Envelope/><Envelope/>", "XML_NOT_WELL_FORMED"],
    ["an end that is missing", "<Envelope><Cube>", "XML_NOT_WELL_FORMED"],
    ["NUL", "<Envelope>\u0000</Envelope>", "XML_NOT_WELL_FORMED"],
    ["another root", "<Document/>", "UNKNOWN_MESSAGE"],
    ["no rates", "<Envelope/>", "UNKNOWN_MESSAGE"],
    ["depth", `<Envelope>${"<a>".repeat(10_000)}`, "DEPTH"],
    [
      "attributes",
      `<Envelope ${Array.from({ length: 8_000 }, (_, i) => `a${i}="b"`).join(" ")}/>`,
      "DEPTH",
    ],
    ["a long name", `<Envelope><a${"b".repeat(1_000)}/></Envelope>`, "DEPTH"],
    [
      "a currency twice",
      ecbDocument("2025-11-20", { USD: "1" }).replace(
        "</Cube></Cube>",
        "<Cube currency='USD' rate='2'/></Cube></Cube>",
      ),
      "UNKNOWN_MESSAGE",
    ],
    ["a day that is none", ecbDocument("2025-02-30", { USD: "1" }), "UNKNOWN_MESSAGE"],
    ["bytes that are no UTF-8", Buffer.from([0x3c, 0xff, 0x3e]), "ENCODING"],
    ["UTF-16", Buffer.from("<Envelope/>", "utf16le"), "XML_NOT_WELL_FORMED"],
  ])("refuses %s, and keeps nothing of it", async (_what, text, problem) => {
    const { id } = await source({ name: "bank", ...ECB });
    const answer = expectStatus(400, await upload(id, text));
    expect(answer.json.details).toMatchObject({ field: "file", problem });
    expect(await observations(id)).toEqual([]);
  });

  it("refuses a document of more than 128 kB", async () => {
    const { id } = await source({ name: "bank", ...ECB });
    const large = `<Envelope>${" ".repeat(131_072)}</Envelope>`;
    expectStatus(400, await upload(id, large));
  });
});

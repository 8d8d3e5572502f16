/** The stream of logged calls: of all servers, filtered like the list, bounded, ended by a stop. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { basic } from "../../kit/basic.ts";
import { readFrames } from "../../kit/event-stream.ts";
import { soon } from "../../kit/soon.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;
const readers: Awaited<ReturnType<typeof readFrames>>[] = [];

beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.leave();
});
afterAll(() => server.close());

interface Call {
  readonly id: string;
  readonly operationId: string;
  readonly requestId: string;
  readonly status: number;
}

interface Wish {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly on?: TestServer;
  readonly of?: Story;
}

async function reading({ query = "", headers = {}, on = server, of = story }: Wish = {}) {
  const calls: Call[] = [];
  const url = `${on.baseUrl}/request-logs/stream${query}`;
  const sent = { authorization: of.authorization, ...headers };
  const reader = await readFrames(url, sent, (frame) => {
    const [, id, data] = /^id: (\S+)\nevent: call\ndata: (.*)$/.exec(frame) ?? [];
    if (data === undefined) return;
    const call = JSON.parse(data);
    expect(call.id).toBe(id);
    calls.push(call);
  });
  readers.push(reader);
  await soon(() => expect(reader.text()).toContain(": florin calls"));
  return { ...reader, calls };
}

const call = (requestId: string, path = "/config", of = story) =>
  of.call("GET", path, undefined, { headers: { "x-request-id": requestId } });

const ids = ({ calls }: { readonly calls: readonly Call[] }, beginning: string) =>
  calls.map(({ requestId }) => requestId).filter((id) => id.startsWith(beginning));

it("shows calls of all servers soon after their answer, each once", async () => {
  const beside = await startTestServer({ beside: server });
  try {
    const [here, there] = [await reading(), await reading({ on: beside })];
    const other: Story = { ...story, server: beside };
    const sent: string[] = [];
    for (let count = 0; count < 12; count++) {
      const requestId = `both-${count}`;
      sent.push(requestId);
      const to = count % 2 === 0 ? server : beside;
      await fetch(`${to.baseUrl}/config`, {
        headers: { authorization: other.authorization, "x-request-id": requestId },
      });
    }
    await soon(() => {
      expect(ids(here, "both-").toSorted()).toEqual(sent.toSorted());
      expect(ids(there, "both-").toSorted()).toEqual(sent.toSorted());
    });
    const { json } = await story.call("GET", "/request-logs?requestId=both-3");
    expect(here.calls.find(({ requestId }) => requestId === "both-3")).toEqual(json.data[0]);
  } finally {
    await beside.close();
  }
});

it("takes the filters of the list", async () => {
  const customer = "Customer:019a4f00-0000-7000-8000-000000000001";
  const filtered = await reading({ query: "?statusClass=4xx" });
  const byPath = await reading({ query: `?path=/customers/${customer}&method=GET` });
  const byObject = await reading({ query: `?resourceId=${customer}` });
  await call("filter-good");
  await call("filter-missing", `/customers/${customer}`);
  await soon(() => {
    for (const each of [filtered, byPath, byObject]) {
      expect(ids(each, "filter-")).toEqual(["filter-missing"]);
    }
  });
  const refused = await story.call("GET", "/request-logs/stream?statusClass=9xx&limit=5");
  expect([refused.status, refused.json.code]).toEqual([400, "INVALID_INPUT"]);
  const fields = refused.json.details.errors.map(({ field }: { field: string }) => field);
  expect(fields.toSorted()).toEqual(["limit", "statusClass"]);
});

it("has a platform's own calls alone", async () => {
  const other = await openStory(server);
  const { json } = await story.call("GET", "/tokens?limit=1");
  const theirs = await reading({ of: other });
  const filtered = await reading({ of: other, query: `?tokenId=${json.data[0].id}` });
  await call("mine-1");
  await call("theirs-1", "/config", other);
  await soon(() => expect(ids(theirs, "theirs-")).toEqual(["theirs-1"]));
  expect(ids(theirs, "mine-")).toEqual([]);
  expect(filtered.calls).toEqual([]);
});

it("goes on behind the call that Last-Event-ID names", async () => {
  const first = await reading({ query: "?operationId=getConfig" });
  await call("resume-1");
  await soon(() => expect(ids(first, "resume-")).toEqual(["resume-1"]));
  first.leave();
  await call("resume-2");
  await call("resume-3");
  await server.app.requestLog?.flush();
  const headers = { "last-event-id": first.calls.at(-1)?.id ?? "" };
  const next = await reading({ query: "?operationId=getConfig", headers });
  await soon(() => expect(ids(next, "resume-")).toEqual(["resume-2", "resume-3"]));
  const options = { headers: { "last-event-id": "42" } };
  const refused = await story.call("GET", "/request-logs/stream", undefined, options);
  expect([refused.status, refused.json.details.field]).toEqual([400, "Last-Event-ID"]);
});

it("is refused beyond ten of a platform, until one is left", async () => {
  const own = await openStory(server);
  for (let count = 0; count < 10; count++) await reading({ of: own });
  const refused = await own.call("GET", "/request-logs/stream");
  expect([refused.status, refused.json.code]).toEqual([429, "RATE_LIMITED"]);
  await reading();
  readers[0]?.leave();
  await soon(async () => expect((await own.call("GET", "/request-logs/stream")).status).toBe(200));
});

it("needs VIEW, and ends with a time to come back when the server stops", async () => {
  const token = { name: "t", permissions: ["TRANSACT"] };
  const { json } = await story.call("POST", "/tokens", token);
  const authorization = basic(json.clientId, json.clientSecret);
  const refused = await story.call("GET", "/request-logs/stream", undefined, { authorization });
  expect(refused.status).toBe(403);
  const beside = await startTestServer({ beside: server });
  const reader = await reading({ on: beside });
  await beside.close();
  await reader.ended;
  expect(reader.text()).toMatch(/retry: 1000\n\n$/);
});

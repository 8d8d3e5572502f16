/** Calls to institutions that misbehave. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import { createOutboundClient } from "../outbound-http/outbound-client.ts";
import { umaHosts } from "./uma-hosts.ts";
import { createVaspClient, type VaspCall, type VaspReply } from "./vasp-client.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let answer: Answer;
let asked: IncomingMessage[];
const server = createServer((request, response) => {
  asked.push(request);
  answer(response, request);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
});

const DEADLINE_MS = 10_000;
const MOST_BYTES = 1_000;
const clock = createManualClock(Date.UTC(2026, 10, 29));
const outbound = createOutboundClient({ clock });
afterAll(() => outbound.close());

function call(more: Partial<VaspCall> = {}): Promise<VaspReply> {
  const { port } = server.address() as AddressInfo;
  const hosts = umaHosts([`vasp.example=http://127.0.0.1:${port}`]);
  return createVaspClient({ outbound, hosts }).call({
    method: "GET",
    url: "https://vasp.example/.well-known/lnurlp/$bob?a=%20b",
    deadlineMs: DEADLINE_MS,
    maxAnswerBytes: MOST_BYTES,
    owner: "test",
    ...more,
  });
}

const answers =
  (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

it("a call keeps the path, the query and the host of its URL, and has the answer of any status", async () => {
  for (const status of [200, 404, 412, 503]) {
    answer = answers(status, '{"ü":1}');
    expect(await call()).toEqual({ kind: "answer", status, body: '{"ü":1}' });
  }
  const [{ url, headers } = {}] = asked;
  expect(url).toBe("/.well-known/lnurlp/$bob?a=%20b");
  expect(headers).toMatchObject({ host: "vasp.example", accept: "application/json" });
  expect(headers).not.toHaveProperty("content-type");
});

it("a call with a body sends it as JSON", async () => {
  let received = "";
  answer = (response, request) => {
    request.setEncoding("utf8");
    request.on("data", (chunk) => {
      received += chunk;
    });
    request.on("end", () => response.end("{}"));
  };
  expect(await call({ method: "POST", body: '{"a":"ü"}' })).toMatchObject({ status: 200 });
  expect([received, asked[0]?.method, asked[0]?.headers["content-type"]]).toEqual([
    '{"a":"ü"}',
    "POST",
    "application/json",
  ]);
});

describe("a host", () => {
  it("that redirects is not followed", async () => {
    answer = answers(302, "", { location: "http://127.0.0.1:1/" });
    expect(await call()).toMatchObject({ kind: "answer", status: 302 });
    expect(asked).toHaveLength(1);
  });

  it.each<readonly [string, Answer, string]>([
    [
      "compresses",
      answers(200, gzipSync("{}"), { "content-encoding": "gzip" }),
      "the answer is compressed",
    ],
    [
      "sends a bomb",
      answers(200, gzipSync(Buffer.alloc(500_000)), { "content-encoding": "gzip" }),
      "the answer is compressed",
    ],
    ["sends too much", answers(200, "x".repeat(MOST_BYTES + 1)), "too-large"],
    [
      "sends without end",
      (response) => {
        const more = () => {
          while (!response.destroyed && response.write("x".repeat(10_000)));
        };
        response.on("drain", more);
        more();
      },
      "too-large",
    ],
    ["ends the connection", (response) => response.destroy(), "reset"],
  ])("that %s has failed", async (_what, given, reason) => {
    answer = given;
    expect(await call()).toEqual({ kind: "failed", reason });
  });

  it.each<readonly [string, Answer]>([
    ["never answers", () => undefined],
    [
      "drips",
      (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write("x"), 20);
        response.once("close", () => clearInterval(timer));
      },
    ],
  ])("that %s has failed at the deadline", async (_what, given) => {
    answer = given;
    const calling = call();
    await expect.poll(() => asked.length).toBe(1);
    await clock.advance(DEADLINE_MS - 1);
    await clock.advance(1);
    expect(await calling).toEqual({ kind: "failed", reason: "timeout" });
  });

  it.each([
    "https://localhost/a",
    "https://127.0.0.1/a",
    "https://2130706433/a",
    "https://0x7f000001/a",
    "https://0177.0.0.1/a",
    "https://127.1/a",
    "https://[::1]/a",
    "https://[::ffff:127.0.0.1]/a",
    "https://10.0.0.1/a",
    "https://169.254.169.254/a",
    "https://vasp.internal/a",
    "https://user@pay.example/a",
    "http://pay.example/a",
  ])("at %s is not called", async (url) => {
    expect(await call({ url })).toMatchObject({
      kind: "failed",
      reason: expect.stringMatching(/^refused: /),
    });
    expect(asked).toEqual([]);
  });
});

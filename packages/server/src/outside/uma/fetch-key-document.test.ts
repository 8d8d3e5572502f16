/** Fetching a key document from hosts that misbehave. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { forbiddenHosts } from "../../../test/kit/forbidden-hosts.ts";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import { allowedHosts } from "../outbound-http/allowed-hosts.ts";
import { createOutboundClient } from "../outbound-http/outbound-client.ts";
import { type CallOf, FETCH_MS, fetchKeyDocument } from "./fetch-key-document.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let answer: Answer;
let asked: string[];
const server = createServer((request, response) => {
  asked.push(String(request.url));
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

const clock = createManualClock(Date.UTC(2026, 10, 29));
const outbound = createOutboundClient({ clock });
afterAll(() => outbound.close());

/** As the operator lists a place for the domain. */
const listed: CallOf = (text) => {
  const { port } = server.address() as AddressInfo;
  const { pathname } = new URL(text);
  return {
    url: `http://127.0.0.1:${port}${pathname}`,
    headers: {},
    allowed: allowedHosts([`127.0.0.1:${port}`]),
  };
};
const unlisted: CallOf = (url) => ({ url, headers: {} });

const get = (domain = "vasp.example", callOf = listed) =>
  fetchKeyDocument({ outbound, callOf }, domain);
const failed = (reason: string) => ({
  kind: "fault",
  code: "COUNTERPARTY_PUBKEY_FETCH_ERROR",
  reason,
});

const answers =
  (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

it("a document is read from its path, once, as it is", async () => {
  answer = answers(200, '{"signingPubKey":"ü"}');
  expect(await get()).toEqual({ kind: "document", document: '{"signingPubKey":"ü"}' });
  expect(asked).toEqual(["/.well-known/lnurlpubkey"]);
  answer = answers(200, "x".repeat(65_536));
  expect(await get()).toMatchObject({ kind: "document" });
});

describe("a host", () => {
  it.each<readonly [string, Answer, string]>([
    ["knows no keys", answers(404, "{}"), "the host answered 404"],
    ["fails", answers(500, "{}"), "the host answered 500"],
    ["has too many callers", answers(429, "{}"), "the host answered 429"],
    ["redirects", answers(302, "", { location: "http://127.0.0.1:1/" }), "the host answered 302"],
    ["redirects for ever", answers(308, "", { location: "/" }), "the host answered 308"],
    [
      "compresses",
      answers(200, gzipSync("{}"), { "content-encoding": "gzip" }),
      "the answer is compressed",
    ],
    [
      "sends a bomb",
      answers(200, gzipSync(Buffer.alloc(20_000_000)), { "content-encoding": "gzip" }),
      "the answer is compressed",
    ],
    ["sends too much", answers(200, "x".repeat(65_537)), "too-large"],
    [
      "says more than it sends",
      (response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("{}");
        setTimeout(() => response.destroy(), 20);
      },
      "reset",
    ],
    ["ends the connection", (response) => response.destroy(), "reset"],
  ])("that %s is no source of keys", async (_what, given, reason) => {
    answer = given;
    expect(await get()).toEqual(failed(reason));
    expect(asked).toHaveLength(1);
  });

  it.each<readonly [string, Answer]>([
    ["never answers", () => undefined],
    [
      "drips",
      (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write("x"), 5);
        response.once("close", () => clearInterval(timer));
      },
    ],
  ])("that %s is left after five seconds", async (_what, given) => {
    answer = given;
    const fetching = get();
    await expect.poll(() => asked.length).toBe(1);
    await clock.advance(FETCH_MS - 1);
    await clock.advance(1);
    expect(await fetching).toEqual(failed("timeout"));
  });

  it.each([
    "localhost",
    "127.0.0.1",
    "[::1]",
    "10.0.0.1",
    "169.254.169.254",
    "0.0.0.0",
    "localhost:8443",
  ])("at %s is not called, unless the operator lists it", async (domain) => {
    expect(await get(domain, unlisted)).toMatchObject({
      reason: expect.stringMatching(/^refused: /),
    });
    expect(asked).toEqual([]);
  });

  it.each([
    "a.example/x",
    "user@a.example",
    "a.example#",
    "a.example?x=1",
    "",
    "2130706433",
    "[::ffff:127.0.0.1]",
    "A.example",
    "a b",
  ])("is not what %j names", async (domain) => {
    expect(await get(domain, unlisted)).toEqual(failed(`${domain} is no host`));
  });

  it("in no spelling of an address that must not be reached is called", async () => {
    const { port } = server.address() as AddressInfo;
    for (const host of forbiddenHosts) {
      for (const domain of [host, `${host}:${port}`]) {
        const { reason } = (await get(domain, unlisted)) as { readonly reason: string };
        expect(`${domain}: ${reason}`).toMatch(/: refused: | is no host$/);
      }
    }
    expect(asked).toEqual([]);
  });
});

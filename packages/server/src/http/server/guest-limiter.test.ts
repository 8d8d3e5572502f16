import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { basic } from "../../../test/kit/basic.ts";
import {
  manualClock,
  type Shell,
  sendRaw,
  shellOperations,
  startShell,
} from "../../../test/kit/http-shell.ts";
import { LARGE_ASSET, smallDocs } from "../../../test/kit/small-docs.ts";
import { defineOperation } from "../request/operation.ts";
import { MAX_WAITING } from "./pipelining.ts";

let shells: Shell[] = [];

afterEach(async () => {
  await Promise.all(shells.map((shell) => shell.server.close(0)));
  shells = [];
});

const RATE = { perSecond: 10, burst: 20 };

async function start(more: Parameters<typeof startShell>[0] = {}) {
  const clock = manualClock();
  const shell = await startShell({
    clock,
    ...more,
    limits: { guestRate: RATE, ...more.limits },
  });
  shells.push(shell);
  return { clock, shell };
}

/** Takes what an address has left, and half as much beyond it. */
async function exhaust(shell: Shell, count = RATE.burst): Promise<void> {
  for (let index = 0; index < count; index++) await fetch(`${shell.origin}/healthz`);
}

describe("a caller without credentials", () => {
  it.each([
    ["a page", "GET", "/healthz"],
    ["a path where nothing is", "GET", "/nothing"],
    ["an operation that takes no credentials", "POST", "/2025-10-13/codes/a/redeem"],
  ])(
    "is refused %s once its address has used up its share, and not before",
    async (_, method, path) => {
      const { clock, shell } = await start();
      await exhaust(shell, RATE.burst - 1);
      const ask = () => fetch(shell.origin + path, { method });
      expect((await ask()).status).not.toBe(429);
      const refused = await ask();
      expect([refused.status, refused.headers.get("connection")]).toEqual([429, "close"]);
      expect(refused.headers.get("retry-after")).toBe("1");
      expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED" });
      clock.advance(1_000);
      expect((await ask()).status).not.toBe(429);
    },
  );

  it("is charged for a page by its size", async () => {
    const docs = await smallDocs();
    const { shell } = await start({ docs, limits: { guestRate: { perSecond: 1, burst: 4 } } });
    const large = await (await fetch(shell.origin + LARGE_ASSET)).blob();
    expect(large.size).toBeGreaterThan(128 * 1024);
    // Compressed it has one unit of 64 kB and a half, which with the request makes two of the four.
    expect((await fetch(`${shell.origin}/docs`)).status).toBe(200);
    expect((await fetch(`${shell.origin}/docs`)).status).toBe(200);
    expect((await fetch(`${shell.origin}/docs`)).status).toBe(429);
  });

  it("gets a 401 that closes the connection once the bucket of its address is empty", async () => {
    const { shell } = await start();
    await exhaust(shell);
    const refused = await fetch(`${shell.url}/things`, { headers: { authorization: "Basic !" } });
    expect([refused.status, refused.headers.get("connection")]).toEqual([401, "close"]);
  });

  it("is refused new connections while its address is in debt", async () => {
    const { clock, shell } = await start();
    await exhaust(shell, RATE.burst + RATE.burst / 2 + 1);
    await expect(fetch(`${shell.origin}/healthz`)).rejects.toThrow();
    clock.advance(2_000);
    expect((await fetch(`${shell.origin}/healthz`)).status).toBe(200);
  });

  it("is blocked after a pipeline overflow destroyed its connection", async () => {
    const { shell } = await start({
      limits: { guestRate: { perSecond: 10, burst: 100 } },
    });
    const socket = connect({ port: shell.port, host: "127.0.0.1" });
    const request = "GET /docs HTTP/1.1\r\nHost: x\r\n\r\n";
    socket.on("error", () => undefined).resume();
    socket.write(request.repeat(MAX_WAITING * 2));
    await once(socket, "close");
    await expect(fetch(`${shell.origin}/healthz`)).rejects.toThrow();
  });
});

describe("a caller with valid credentials", () => {
  it("is not counted", async () => {
    const { shell } = await start();
    const call = () => shell.call("/things/first");
    for (let index = 0; index < 3 * RATE.burst; index++) expect((await call()).status).toBe(200);
    expect((await fetch(`${shell.origin}/healthz`)).status).toBe(200);
  });

  it("is served while the bucket of its address is empty", async () => {
    const { shell } = await start();
    await exhaust(shell);
    expect((await shell.call("/things/first")).status).toBe(200);
  });
});

it("callers behind a trusted proxy are counted separately, and the proxy's own connections are never destroyed", async () => {
  const { shell } = await start({ trustedProxies: ["127.0.0.1"] });
  const from = (address: string) =>
    fetch(`${shell.origin}/healthz`, { headers: { "x-forwarded-for": address } });
  for (let index = 0; index < 2 * RATE.burst; index++) await from("203.0.113.7");
  expect((await from("203.0.113.7")).status).toBe(429);
  expect((await from("203.0.113.8")).status).toBe(200);
});

const MUCH = { perSecond: 10_000, burst: 10_000 };

/** Larger than what two sockets on one machine hold for a caller that does not read. */
const getLarge = defineOperation({
  id: "getLarge",
  method: "GET",
  path: "/large",
  access: "VIEW",
  capability: "customers.read",
  tag: "Things",
  summary: "Get much",
  answers: { 200: { description: "Much." } },
  refusals: [],
  handle: async () => ({ status: 200, body: JSON.stringify("x".repeat(32 * 1024 * 1024)) }),
});

it("unread answers use no more memory than the limit", async () => {
  const operations = [...shellOperations, getLarge];
  const { shell } = await start({
    operations,
    limits: { answerBytesInAll: 0, guestRate: MUCH },
  });
  const head = `GET /2025-10-13/large HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic("client", "secret")}\r\n\r\n`;
  const deaf = connect({ port: shell.port, host: "127.0.0.1" });
  deaf.on("error", () => undefined).pause();
  deaf.write(head);
  await expect
    .poll(async () => (await fetch(`${shell.origin}/healthz`)).status, { interval: 20 })
    .toBe(503);
  deaf.destroy();
  await expect
    .poll(async () => (await fetch(`${shell.origin}/healthz`)).status, { interval: 20 })
    .toBe(200);
  expect(
    await sendRaw(shell.port, "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
  ).toContain("200 OK");
});

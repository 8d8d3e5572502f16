import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server, Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forbiddenHosts as hosts } from "../../../test/kit/forbidden-hosts.ts";
import { systemClock } from "../../std/clock.ts";
import { createOutboundClient, type OutboundClient } from "./outbound-client.ts";
import { OutboundRefused } from "./outbound-errors.ts";
import { checkOutboundUrl } from "./outbound-url.ts";

/**
 * Every way we know to spell an address that must not be reached, against every way to get there: written in the URL,
 * answered by a resolver, answered by it the second time, named by a redirect. A listener on this machine counts.
 */
/** What a resolver could answer: the same addresses, without brackets and without what only a URL parser undoes. */
const answers = hosts
  .map((host) => host.replace(/^\[|\]$/g, ""))
  .filter((text) => !/[a-z]{3}/i.test(text.replace(/^::ffff/i, "")));

let listener: Server;
let redirector: ReturnType<typeof createHttpServer>;
let port = 0;
let redirectorPort = 0;
let connections = 0;
let location = "";
const dialled: string[] = [];
let client: OutboundClient;
let nextAnswers: (readonly string[])[] = [];

const listen = (server: Server, host: string) =>
  new Promise<number>((resolve) => {
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port));
  });

beforeAll(async () => {
  listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  port = await listen(listener, "0.0.0.0");
  redirector = createHttpServer((_request, response) => {
    response.writeHead(307, {
      location,
      refresh: `0; url=${location}`,
      "alt-svc": `h2="127.0.0.1:${port}"`,
    });
    response.end();
  });
  redirectorPort = await listen(redirector, "127.0.0.1");
  client = createOutboundClient({
    clock: systemClock,
    resolve: async () => nextAnswers.shift() ?? [],
    dial: (target) => {
      dialled.push(target.address);
      if (target.address === "8.8.8.8") return new Socket().destroy(new Error("unreachable"));
      return connect({ host: target.address, port: target.port });
    },
  });
});

afterAll(async () => {
  await client.close();
  listener.close();
  redirector.close();
});

const call = (url: string, allowLoopback = false) =>
  client.post({
    url,
    headers: {},
    body: Buffer.from("{}"),
    deadlineMs: 5_000,
    maxAnswerBytes: 100,
    allowLoopback,
  });

async function refusal(url: string, allowLoopback = false): Promise<unknown> {
  return call(url, allowLoopback).catch((error: unknown) => error);
}

test("there are more than 300 spellings, and enough of them are answers of a resolver", () => {
  expect(new Set(hosts).size).toBeGreaterThan(300);
  expect(new Set(answers).size).toBeGreaterThan(200);
});

describe("no packet reaches a forbidden address", () => {
  test("written in the URL", async () => {
    for (const host of hosts) {
      for (const scheme of ["https", "http"]) {
        const url = `${scheme}://${host}:${port}/x`;
        expect(checkOutboundUrl(url, { allowLoopbackHttp: false }).ok, url).toBe(false);
        expect(await refusal(url), url).toBeInstanceOf(OutboundRefused);
      }
    }
    expect(dialled).toEqual([]);
    expect(connections).toBe(0);
  });

  test("answered by a resolver, alone, after a public address or among a thousand", async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `8.8.${index >> 8}.${index & 255}`);
    for (const answer of answers) {
      for (const found of [[answer], ["8.8.8.8", answer], [answer, "8.8.8.8"], [...many, answer]]) {
        nextAnswers = [found];
        const error = await refusal(`https://receiver.test:${port}/x`);
        expect(error, answer).toBeInstanceOf(OutboundRefused);
        expect(error, answer).toMatchObject({ reason: "resolved-address" });
      }
    }
    expect(dialled).toEqual([]);
    expect(connections).toBe(0);
  });

  test("answered by a resolver the second time, after a public address the first time", async () => {
    for (const answer of answers) {
      nextAnswers = [["8.8.8.8"], [answer]];
      expect(await refusal(`https://receiver.test:${port}/x`)).toMatchObject({ reason: "connect" });
      expect(await refusal(`https://receiver.test:${port}/x`), answer).toBeInstanceOf(
        OutboundRefused,
      );
    }
    expect(new Set(dialled.splice(0))).toEqual(new Set(["8.8.8.8"]));
    expect(connections).toBe(0);
  });

  test("named by a redirect", async () => {
    for (const host of hosts) {
      location = `http://${encodeURI(host)}:${port}/x`;
      const answer = await call(`http://127.0.0.1:${redirectorPort}/x`, true);
      expect(answer.status).toBe(307);
    }
    expect(new Set(dialled)).toEqual(new Set(["127.0.0.1"]));
    expect(connections).toBe(0);
  });
});

test("the listener does count: with the judge's leave, this machine is reached", async () => {
  await refusal(`http://127.0.0.1:${port}/x`, true);
  expect(connections).toBe(1);
});

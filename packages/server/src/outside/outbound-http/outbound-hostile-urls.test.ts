import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server, Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../std/clock.ts";
import { createOutboundClient, type OutboundClient } from "./outbound-client.ts";
import { OutboundRefused } from "./outbound-errors.ts";
import { checkOutboundUrl } from "./outbound-url.ts";

/**
 * Every way we know to spell an address that must not be reached, against every way to get there: written in the URL,
 * answered by a resolver, answered by it the second time, named by a redirect. A listener on this machine counts.
 */
const FORBIDDEN_IPV4 = (
  "127.0.0.1 127.0.0.2 127.255.255.254 0.0.0.0 10.0.0.1 100.64.0.1 100.100.100.200 169.254.169.254 172.16.0.1 192.0.0.192 " +
  "192.168.0.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 168.63.129.16"
).split(" ");

const FORBIDDEN_IPV6 = (
  "::1 :: ::2 fe80::1 febf::1 fc00::1 fd00:ec2::254 ff02::1 2001:db8::1 100::1 5f00::1 3fff::1 64:ff9b:1::1 2001::1 fec0::1 " +
  "0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001"
).split(" ");

function spellings(ipv4: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number, width = 0) => value.toString(16).padStart(width, "0");
  const high = hex(a * 256 + b);
  const low = hex(c * 256 + d);
  return [
    ipv4,
    `${whole}`,
    `0x${hex(whole)}`,
    `0${whole.toString(8)}`,
    [a, b, c, d].map((octet) => `0x${hex(octet)}`).join("."),
    [a, b, c, d].map((octet) => `0${octet.toString(8)}`).join("."),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    [...ipv4].map((digit) => fullWidth(digit)).join(""),
    ipv4.replaceAll(".", "。"),
    [...ipv4].map((digit) => `%${digit.charCodeAt(0).toString(16)}`).join(""),
    `${ipv4}.`,
    `[::ffff:${ipv4}]`,
    `[::ffff:${high}:${low}]`,
    `[::${ipv4}]`,
    `[0:0:0:0:0:FFFF:${high}:${low}]`,
    `[64:ff9b::${ipv4}]`,
    `[2002:${high}:${low}::1]`,
    `[::ffff:0:${ipv4}]`,
  ];
}

function fullWidth(digit: string): string {
  return digit === "." ? "." : String.fromCharCode(digit.charCodeAt(0) + 0xfee0);
}

const hosts = [
  ...FORBIDDEN_IPV4.flatMap(spellings),
  ...FORBIDDEN_IPV6.map((address) => `[${address}]`),
  ..."localhost LOCALHOST localhost. ①②⑦.⓪.⓪.① ⑯⑨.②⑤④.⑯⑨.②⑤④ loc%61lhost ｌocalhost metadata.google.internal".split(
    " ",
  ),
  ..."user@127.0.0.1 127.0.0.1@localhost [::1%25lo] [fe80::1%25eth0] 0 0x 127 2130706433.".split(
    " ",
  ),
];

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

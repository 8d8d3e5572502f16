import { createSocket } from "node:dgram";
import { connect, createServer, Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import {
  endReceivers,
  httpReceiver,
  outbound,
  request,
  started,
} from "../../../test/kit/receivers.ts";
import { ownAddressesOfHost, resolveByDns } from "./outbound-connect.ts";

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) cleanup();
  await endReceivers();
});

const A = 1;
const AAAA = 28;
const NXDOMAIN = 3;

/** Addresses as bytes, a refusal, or silence. */
type Reply = readonly (readonly number[])[] | "unknown" | "silent";

/** A name server on this machine; answers its address. */
async function nameServer(replies: Readonly<Record<number, Reply>>): Promise<string> {
  const server = createSocket("udp4");
  server.on("message", (query, from) => {
    const end = query.indexOf(0, 12) + 5;
    const type = query.readUInt16BE(end - 4);
    const reply = replies[type] ?? [];
    if (reply === "silent") return;
    const records = reply === "unknown" ? [] : reply;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(reply === "unknown" ? 0x8180 | NXDOMAIN : 0x8180, 2);
    head.writeUInt16BE(records.length, 6);
    head.fill(0, 8, 12);
    const answers = records.map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]),
    );
    server.send(
      Buffer.concat([head, query.subarray(12, end), ...answers]),
      from.port,
      from.address,
    );
  });
  cleanups.push(() => server.close());
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
  return `127.0.0.1:${server.address().port}`;
}

async function ask(
  replies: Readonly<Record<number, Reply>>,
  signal = new AbortController().signal,
) {
  return resolveByDns("receiver.test", signal, [await nameServer(replies)]);
}

describe("the resolver", () => {
  const six = [0x26, 6, 0x47, 0, ...Array(11).fill(0), 1];

  test("brings the addresses of both families", async () => {
    const found = await ask({
      [A]: [
        [8, 8, 8, 8],
        [10, 0, 0, 1],
      ],
      [AAAA]: [six],
    });
    expect(found).toEqual(["8.8.8.8", "10.0.0.1", "2606:4700::1"]);
  });

  test("is content with one family", async () => {
    expect(await ask({ [A]: [[8, 8, 8, 8]], [AAAA]: [] })).toEqual(["8.8.8.8"]);
    expect(await ask({ [A]: [], [AAAA]: [six] })).toEqual(["2606:4700::1"]);
  });

  test("fails for a name without addresses and for one that does not exist", async () => {
    await expect(ask({})).rejects.toMatchObject({ code: "ENODATA" });
    await expect(ask({ [A]: "unknown", [AAAA]: "unknown" })).rejects.toMatchObject({
      code: "ENOTFOUND",
    });
  });

  test("stops resolving when the exchange has ended", async () => {
    const controller = new AbortController();
    const asked = ask({ [A]: "silent", [AAAA]: "silent" }, controller.signal);
    const failed = expect(asked).rejects.toMatchObject({ code: "ECANCELLED" });
    setImmediate(() => setImmediate(() => controller.abort()));
    await failed;
  });
});

test("the addresses of this machine include its loopback, in the spelling of the judge", () => {
  expect(ownAddressesOfHost()).toContain("127.0.0.1");
});

describe("the judge", () => {
  function recorded(answers: readonly (readonly string[])[]) {
    const dialled: string[] = [];
    const left = [...answers];
    const client = outbound({
      resolve: async () => left.shift() ?? [],
      dial: ({ address }) => {
        dialled.push(address);
        return new Socket().destroy(new Error("unreachable"));
      },
      ownAddresses: () => ["9.9.9.9"],
    });
    const call = (allowLoopback = false) =>
      client.post(request("https://receiver.test/", { allowLoopback }));
    return { dialled, call };
  }

  test("judges a name anew at each connection: public at first, private at the second", async () => {
    const { dialled, call } = recorded([["8.8.8.8"], ["10.0.0.1"], ["169.254.169.254"]]);
    await expect(call()).rejects.toMatchObject({ reason: "connect" });
    await expect(call()).rejects.toMatchObject({
      name: "OutboundRefused",
      reason: "resolved-address",
    });
    await expect(call()).rejects.toMatchObject({
      name: "OutboundRefused",
      reason: "resolved-address",
    });
    expect(dialled).toEqual(["8.8.8.8"]);
  });

  test("refuses a mixed answer as a whole", async () => {
    const { dialled, call } = recorded([["8.8.8.8", "2606:4700::1", "192.168.1.1"]]);
    await expect(call()).rejects.toMatchObject({ name: "OutboundRefused" });
    expect(dialled).toEqual([]);
  });

  test("tries four addresses at most, IPv4 first, each once", async () => {
    const { dialled, call } = recorded([
      ["2606:4700::1", "8.8.8.8", "8.8.8.8", "8.8.4.4", "1.1.1.1", "2606:4700::2"],
    ]);
    await expect(call()).rejects.toMatchObject({ reason: "connect" });
    expect(dialled).toEqual(["8.8.8.8", "8.8.4.4", "1.1.1.1", "2606:4700::1"]);
  });

  test("refuses the public addresses of this machine, unless this machine is a target", async () => {
    const { dialled, call } = recorded([["9.9.9.9"], ["9.9.9.9"]]);
    await expect(call()).rejects.toMatchObject({ reason: "own-address" });
    expect(dialled).toEqual([]);
    await expect(call(true)).rejects.toMatchObject({ reason: "connect" });
  });

  test("lets loopback allowance open loopback and nothing else", async () => {
    const { dialled, call } = recorded([["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1", "10.0.0.1"]]);
    await expect(call(true)).rejects.toMatchObject({ reason: "connect" });
    await expect(call(true)).rejects.toMatchObject({ name: "OutboundRefused" });
    await expect(call(true)).rejects.toMatchObject({ name: "OutboundRefused" });
    expect(dialled).toEqual(["127.0.0.1"]);
  });

  test("refuses a socket that ended up at another peer, before a byte is sent", async () => {
    let bytes = 0;
    const server = createServer((socket) =>
      socket.on("data", (chunk) => {
        bytes += chunk.length;
      }),
    );
    const elsewhere = await started(server);
    const client = outbound({
      resolve: async () => ["8.8.8.8"],
      dial: () => connect({ host: "127.0.0.1", port: elsewhere.port }),
    });
    const call = client.post(request("https://receiver.test/", { allowLoopback: false }));
    await expect(call).rejects.toMatchObject({ name: "OutboundRefused", reason: "peer" });
    await elsewhere.accepted[0];
    expect(bytes).toBe(0);
  });

  test("knows localhost without asking a resolver", async () => {
    const receiver = await httpReceiver((_, response) => response.end("here"));
    const client = outbound({ resolve: () => Promise.reject(new Error("not to be asked")) });
    const url = `http://localhost:${receiver.port}/`;
    expect((await client.post(request(url))).body).toBe("here");
    const strict = client.post(request(url, { allowLoopback: false }));
    await expect(strict).rejects.toMatchObject({ name: "OutboundRefused", reason: "address" });
  });
});

import { type AddressInfo, createServer, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import {
  endReceivers,
  httpReceiver,
  outbound,
  rawReceiver,
  request,
} from "../../../test/kit/receivers.ts";
import { soon } from "../../../test/kit/soon.ts";
import { systemClock } from "../../std/clock.ts";
import type { OutboundClient } from "./outbound-client.ts";

afterEach(async () => {
  vi.unstubAllEnvs();
  await endReceivers();
});

/** Repeats until the socket is gone. */
function drip(socket: Socket, text: string): void {
  if (socket.destroyed) return;
  socket.write(text);
  systemClock.after(10, () => drip(socket, text));
}

describe("an exchange", () => {
  test("sends the body and headers as given and brings back status, headers and body", async () => {
    const seen: unknown[] = [];
    const receiver = await httpReceiver((incoming, response) => {
      let body = "";
      incoming.on("data", (chunk) => {
        body += chunk;
      });
      incoming.on("end", () => {
        const { method, url, headers } = incoming;
        seen.push({ method, url, body, headers });
        response.writeHead(202, { "X-Answer": ["one", "two"], "Retry-After": "7" });
        response.end("réponse");
      });
    });
    const answer = await outbound().post(
      request(`${receiver.url}?q=%20`, { headers: { "X-A": "b" } }),
    );
    expect(answer).toMatchObject({ status: 202, body: "réponse", bodyComplete: true });
    expect(answer.headers).toMatchObject({ "x-answer": "one, two", "retry-after": "7" });
    expect(seen).toEqual([
      {
        method: "POST",
        url: "/hook?q=%20",
        body: '{"a":1}',
        headers: {
          host: `127.0.0.1:${receiver.port}`,
          connection: "keep-alive",
          "x-a": "b",
          "accept-encoding": "identity",
          "content-length": "7",
        },
      },
    ]);
  });

  test("tells how long its connection and the first byte took, also when it fails, and of a kept connection no time", async () => {
    const clock = createManualClock(0);
    const client = outbound({ clock });
    let isSilent = false;
    const receiver = await httpReceiver(async (_, response) => {
      if (isSilent) return;
      await clock.advance(7);
      response.end();
    });
    const noTimes = { connectMs: undefined, firstByteMs: undefined };
    const [first, second, third] = [{ ...noTimes }, { ...noTimes }, { ...noTimes }];
    await client.post(request(receiver.url, { times: first }));
    expect(first).toEqual({ connectMs: 0, firstByteMs: 7 });
    await client.post(request(receiver.url, { times: second }));
    expect(second).toEqual({ connectMs: undefined, firstByteMs: 7 });
    isSilent = true;
    const { owner = "", ...rest } = request(receiver.url, { times: third });
    const failed = client.post({ ...rest, owner: `${owner} another` }).catch(() => undefined);
    await expect.poll(() => third.connectMs).toBe(0);
    await client.close();
    await failed;
    expect(third).toEqual({ connectMs: 0, firstByteMs: undefined });
  });

  test("is forgotten once it has ended: a close aborts what is under way, and no more", async () => {
    const client = outbound();
    const receiver = await httpReceiver((_, response) => void response.end());
    await client.post(request(receiver.url));
    const abort = vi.spyOn(AbortController.prototype, "abort");
    await client.close();
    expect(abort).not.toHaveBeenCalled();
    abort.mockRestore();
  });

  test.each([301, 302, 303, 307, 308])(
    "takes a %i as the answer and does not follow it",
    async (status) => {
      const target = await httpReceiver((_, response) => response.end());
      const receiver = await httpReceiver((_, response) => {
        response.writeHead(status, { location: target.url, refresh: `0; url=${target.url}` });
        response.end();
      });
      expect((await outbound().post(request(receiver.url))).status).toBe(status);
      expect(target.accepted).toHaveLength(0);
    },
  );

  test("does not go through the proxies that the environment names", async () => {
    const proxy = await httpReceiver((_, response) => response.end("proxied"));
    const receiver = await httpReceiver((_, response) => response.end("direct"));
    const names = [
      "HTTP_PROXY",
      "HTTPS_PROXY",
      "ALL_PROXY",
      "http_proxy",
      "https_proxy",
      "all_proxy",
    ];
    for (const name of names) vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    vi.stubEnv("NO_PROXY", "");
    expect((await outbound().post(request(receiver.url))).body).toBe("direct");
    expect(proxy.accepted).toHaveLength(0);
  });

  test("throws a bug of ours unchanged", async () => {
    const receiver = await httpReceiver((_, response) => response.end());
    const call = outbound().post(request(receiver.url, { headers: { "x-bad": "a\r\nb: c" } }));
    await expect(call).rejects.toMatchObject({ code: "UND_ERR_INVALID_ARG" });
    expect(receiver.accepted).toHaveLength(0);
  });
});

describe("the body of an answer", () => {
  test("is not decompressed", async () => {
    const packed = gzipSync(Buffer.alloc(1_000_000));
    const receiver = await httpReceiver((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(packed);
    });
    const answer = await outbound().post(request(receiver.url));
    expect(answer.bodyComplete).toBe(true);
    expect(answer.body).toBe(packed.toString("utf8"));
  });

  test("without an end is cut at its limit and the socket closed", async () => {
    const receiver = await httpReceiver((_, response) => {
      const more = () => {
        while (response.write("x".repeat(10_000)));
      };
      response.on("drain", more);
      more();
    });
    const answer = await outbound().post(request(receiver.url, { maxAnswerBytes: 1_000 }));
    expect(answer).toMatchObject({ status: 200, body: "x".repeat(1_000), bodyComplete: false });
    await receiver.accepted[0];
  });

  test("that is exactly as long as its bound is complete, one byte more is not", async () => {
    const receiver = await httpReceiver((_, response) => response.end("12345678"));
    const client = outbound();
    const call = async (maxAnswerBytes: number) =>
      (await client.post(request(receiver.url, { maxAnswerBytes }))).bodyComplete;
    expect(await call(8)).toBe(true);
    expect(await call(7)).toBe(false);
  });

  test("that drips is left at the deadline, and the status counts", async () => {
    const clock = createManualClock(0);
    let wrote = () => {};
    const dripped = new Promise<void>((resolve) => {
      wrote = resolve;
    });
    const receiver = await rawReceiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nxx", () => wrote());
    });
    const posted = outbound({ clock }).post(request(receiver.url, { deadlineMs: 100 }));
    await dripped;
    await clock.advance(99);
    await clock.advance(1);
    const answer = await posted;
    expect(answer).toMatchObject({ status: 200, bodyComplete: false });
    expect(answer.body).toMatch(/^x+$/);
    await receiver.accepted[0];
  });

  test("reports its status before its body has arrived", async () => {
    let end = () => {};
    const receiver = await httpReceiver((_, response) => {
      response.writeHead(202).flushHeaders();
      end = () => response.end("late");
    });
    let heard = (_status: number) => {};
    const status = new Promise<number>((resolve) => {
      heard = resolve;
    });
    const answer = outbound().post(
      request(receiver.url, { onStatus: (reported) => heard(reported) }),
    );
    expect(await status).toBe(202);
    end();
    expect(await answer).toMatchObject({ status: 202, body: "late", bodyComplete: true });
  });

  test.each([200, 410, 503])("that breaks off leaves a %i standing", async (status) => {
    const receiver = await rawReceiver((socket) => {
      socket.write(`HTTP/1.1 ${status} X\r\ncontent-length: 100\r\n\r\nhalf`);
      systemClock.after(20, () => socket.resetAndDestroy());
    });
    expect(await outbound().post(request(receiver.url))).toMatchObject({
      status,
      body: "half",
      bodyComplete: false,
    });
  });
});

describe("a get", () => {
  const get = (client: OutboundClient, url: string, deadlineMs = 20_000) =>
    client.get({ url, headers: {}, deadlineMs, maxAnswerBytes: 10, allowLoopback: true });

  test("brings the whole body", async () => {
    const receiver = await httpReceiver((incoming, response) => response.end(incoming.method));
    expect(await get(outbound(), receiver.url)).toMatchObject({ body: "GET", bodyComplete: true });
  });

  test("fails when the body is too large, breaks off or drips", async () => {
    const large = await httpReceiver((_, response) => response.end("x".repeat(11)));
    const broken = await rawReceiver((socket) => {
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf");
    });
    const dripping = await rawReceiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf");
    });
    const client = outbound();
    await expect(get(client, large.url)).rejects.toMatchObject({ reason: "too-large" });
    await expect(get(client, broken.url)).rejects.toMatchObject({ reason: "reset" });
    await expect(get(client, dripping.url, 60)).rejects.toMatchObject({ reason: "timeout" });
    await Promise.all([...large.accepted, ...broken.accepted, ...dripping.accepted]);
  });
});

describe("the deadline ends", () => {
  const slow: Readonly<Record<string, (socket: Socket) => void>> = {
    "a receiver that says nothing": () => {},
    "a head that drips": (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nx: ");
      drip(socket, "y");
    },
  };
  test.each(Object.entries(slow))("%s", async (_, speak) => {
    const receiver = await rawReceiver(speak);
    const call = outbound().post(request(receiver.url, { deadlineMs: 100 }));
    await expect(call).rejects.toMatchObject({ name: "OutboundFailed", reason: "timeout" });
    await receiver.accepted[0];
  });

  test("a TLS greeting that is never answered", async () => {
    const receiver = await rawReceiver(() => {});
    const url = receiver.url.replace("http:", "https:");
    const call = outbound().post(request(url, { deadlineMs: 80 }));
    await expect(call).rejects.toMatchObject({ reason: "timeout" });
    await receiver.accepted[0];
  });

  test("a connection that is never made", async () => {
    const sockets: Socket[] = [];
    const client = outbound({
      dial: () => {
        const socket = new Socket();
        sockets.push(socket);
        return socket;
      },
    });
    const call = client.post(request("http://127.0.0.1:9999/", { deadlineMs: 50 }));
    await expect(call).rejects.toMatchObject({ reason: "timeout" });
    expect(sockets.map((socket) => socket.destroyed)).toEqual([true]);
  });

  test("a resolver that never answers", async () => {
    const client = outbound({ resolve: () => new Promise(() => {}) });
    const call = client.post(request("https://receiver.test/", { deadlineMs: 50 }));
    await expect(call).rejects.toMatchObject({ reason: "timeout" });
  });

  test("the wait for a free connection", async () => {
    const receiver = await rawReceiver(() => {});
    const clock = createManualClock(0);
    const client = outbound({ clock, connectionsPerOrigin: 1 });
    const first = client.post(request(receiver.url, { deadlineMs: 150 })).catch(() => {});
    const second = client.post(request(receiver.url, { deadlineMs: 50 }));
    const ended = expect(second).rejects.toMatchObject({ reason: "timeout" });
    await soon(() => expect(receiver.accepted).toHaveLength(1));
    await clock.advance(50);
    await ended;
    await clock.advance(100);
    await first;
    expect(receiver.accepted).toHaveLength(1);
    expect(client.openConnections).toBe(0);
  });
});

describe("a broken answer", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => `x${index}: y\r\n`).join("");
  const heads: readonly (readonly [what: string, head: string, reason: string])[] = [
    ["not HTTP", "SSH-2.0-OpenSSH_9.2\r\n", "protocol"],
    ["a header of 1 MB", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(1_000_000)}\r\n\r\n`, "protocol"],
    ["10,000 headers", `HTTP/1.1 200 OK\r\n${many(10_000)}\r\n`, "protocol"],
    ["a flood of early hints", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1_000), "protocol"],
    [
      "an unasked upgrade",
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
      "reset",
    ],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab", "reset"],
  ];
  test.each(heads)("of %s is a failure", async (_, head, reason) => {
    const receiver = await rawReceiver((socket) => socket.write(head));
    const call = outbound().post(request(receiver.url));
    await expect(call).rejects.toMatchObject({ name: "OutboundFailed", reason });
    await receiver.accepted[0];
  });

  test("that never begins, because the other side hangs up, is a reset", async () => {
    const closing = await rawReceiver((socket) => socket.end());
    const resetting = await rawReceiver((socket) => socket.resetAndDestroy());
    await expect(outbound().post(request(closing.url))).rejects.toMatchObject({ reason: "reset" });
    await expect(outbound().post(request(resetting.url))).rejects.toMatchObject({
      reason: "reset",
    });
  });

  test("is distinguished from a closed port and an unknown name", async () => {
    const server = createServer();
    const { port } = await new Promise<AddressInfo>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve(server.address() as AddressInfo));
    });
    await new Promise((resolve) => server.close(resolve));
    const client = outbound({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    await expect(client.post(request(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({
      reason: "connect",
    });
    await expect(client.post(request("https://a.test/"))).rejects.toMatchObject({ reason: "dns" });
    const empty = outbound({ resolve: async () => [] });
    await expect(empty.post(request("https://a.test/"))).rejects.toMatchObject({ reason: "dns" });
  });
});

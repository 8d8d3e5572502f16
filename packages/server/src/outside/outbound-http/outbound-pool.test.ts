import { createServer as createHttpServer } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import {
  endReceivers,
  httpReceiver,
  outbound,
  rawReceiver,
  request,
  started,
} from "../../../test/kit/receivers.ts";
import { soon } from "../../../test/kit/soon.ts";
import { systemClock } from "../../std/clock.ts";

afterEach(endReceivers);

describe("connections", () => {
  test("are kept for the next exchange of the same owner and policy, and for no other", async () => {
    const receiver = await httpReceiver((_, response) => response.end());
    const client = outbound();
    await client.post(request(receiver.url));
    await client.post(request(receiver.url));
    expect(receiver.accepted).toHaveLength(1);
    await client.post(request(receiver.url, { owner: "another" }));
    expect(receiver.accepted).toHaveLength(2);
    const strict = client.post(request(receiver.url, { allowLoopback: false }));
    await expect(strict).rejects.toMatchObject({ name: "OutboundRefused" });
  });

  test("are not kept after an answer that was cut or that closes", async () => {
    const receiver = await httpReceiver((_, response) => {
      response.setHeader("connection", "close");
      response.end("x");
    });
    const client = outbound();
    await client.post(request(receiver.url));
    await client.post(request(receiver.url));
    expect(receiver.accepted).toHaveLength(2);
    expect(client.openConnections).toBe(0);
  });

  test("are limited for an origin; waiting exchanges are served in order", async () => {
    let at = 0;
    let most = 0;
    const receiver = await httpReceiver((_, response) => {
      at += 1;
      most = Math.max(most, at);
      systemClock.after(5, () => {
        at -= 1;
        response.end();
      });
    });
    const client = outbound({ connectionsPerOrigin: 3 });
    const calls = Array.from({ length: 20 }, () => client.post(request(receiver.url)));
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(most).toBe(3);
    expect(receiver.accepted).toHaveLength(3);
  });

  test("are as many as an exchange asks for", async () => {
    const receiver = await rawReceiver(() => {});
    const client = outbound({ connectionsPerOrigin: 3 });
    const calls = Array.from({ length: 6 }, () =>
      client.post(request(receiver.url, { connections: 5 })),
    );
    await soon(() => expect(receiver.accepted).toHaveLength(5));
    expect(client.openConnections).toBe(5);
    await Promise.all([client.close(), Promise.allSettled(calls)]);
  });

  test("pass on their place when they break", async () => {
    let count = 0;
    const receiver = await rawReceiver((socket) => {
      count += 1;
      if (count % 2 === 1) socket.resetAndDestroy();
      else socket.end("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
    });
    const client = outbound({ connectionsPerOrigin: 1 });
    const calls = Array.from({ length: 6 }, () => client.post(request(receiver.url)));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(client.openConnections).toBe(0);
  });

  test("that are idle are bounded in all, the oldest goes first", async () => {
    const receivers = await Promise.all(
      [1, 2, 3].map(() => httpReceiver((_, response) => response.end())),
    );
    const client = outbound({ maxIdleConnections: 2 });
    for (const { url } of receivers) await client.post(request(url));
    expect(client.openConnections).toBe(2);
    await receivers[0]?.accepted[0];
    for (const { url } of receivers.slice(1)) await client.post(request(url));
    expect(receivers.map(({ accepted }) => accepted.length)).toEqual([1, 1, 1]);
  });

  test("that the other side closes while idle are made anew", async () => {
    const server = createHttpServer((_, response) => response.end());
    const receiver = await started(server);
    const client = outbound();
    await client.post(request(receiver.url));
    server.closeAllConnections();
    await receiver.accepted[0];
    while (client.openConnections > 0) await new Promise((resolve) => setImmediate(resolve));
    expect((await client.post(request(receiver.url))).status).toBe(200);
    expect(receiver.accepted).toHaveLength(2);
  });

  test("close with the client, which then accepts no exchange", async () => {
    const silent = await rawReceiver(() => {});
    const quick = await httpReceiver((_, response) => response.end());
    const client = outbound();
    await client.post(request(quick.url));
    const hanging = client.post(request(silent.url));
    const failed = expect(hanging).rejects.toMatchObject({ reason: "closed" });
    await client.close();
    await failed;
    expect(client.openConnections).toBe(0);
    await expect(client.post(request(quick.url))).rejects.toMatchObject({ reason: "closed" });
    await Promise.all([...quick.accepted, ...silent.accepted]);
  });
});

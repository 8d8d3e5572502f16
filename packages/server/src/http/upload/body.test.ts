import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { basic } from "../../../test/kit/basic.ts";
import { type Shell, sendRaw, startShell } from "../../../test/kit/http-shell.ts";
import { systemClock } from "../../std/clock.ts";
import { createBodyMemory, readBody } from "./body.ts";

let shell: Shell | undefined;
afterEach(async () => {
  await shell?.server.close(0);
  shell = undefined;
});

/** A body that comes in these pieces, and what is made of it. */
function read(
  pieces: readonly Buffer[],
  bytes: number,
  room = createBodyMemory(10_000),
): Buffer | string {
  const request = Object.assign(new EventEmitter(), { headers: {}, socket: { destroy() {} } });
  let outcome: Buffer | string = "nothing";
  readBody(
    request as unknown as IncomingMessage,
    { limits: { bytes, timeoutMs: 1_000, clock: systemClock, room }, platform: "p" },
    (thrown, body) => {
      outcome = thrown === undefined ? body : thrown.message;
    },
  );
  for (const piece of pieces) request.emit("data", piece);
  request.emit("end");
  return outcome;
}

const piece = fc.uint8Array({ minLength: 0, maxLength: 40 }).map((bytes) => Buffer.from(bytes));

it("is the same however it was cut, and is refused by its length alone", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.nat({ max: 600 }), (pieces, limit) => {
      const whole = Buffer.concat(pieces);
      const body = read(pieces, limit);
      if (whole.length <= limit) expect(body).toEqual(whole);
      else expect(body).toBe("The body is larger than is accepted.");
    }),
  );
});

it("reserves memory beside others, and releases it", () => {
  const room = createBodyMemory(100);
  const pieces = [Buffer.from("ab"), Buffer.from("cd")];
  expect(room.take("other", 43)).toBe(true);
  expect(room.take("more", 28)).toBe(true);
  expect(room.take("most", 14)).toBe(true);
  expect(read(pieces, 100, room)).toBe("too many bodies are on their way");
  expect(read(pieces.slice(0, 1), 100, room)).toEqual(pieces[0]);
  room.giveBack("most", 14);
  for (let n = 0; n < 3; n++) expect(read(pieces, 100, room)).toEqual(Buffer.from("abcd"));
});

it("gives room back when the bytes have been used, not when they have come", async () => {
  const room = createBodyMemory(100);
  const request = Object.assign(new EventEmitter(), { headers: {}, socket: { destroy() {} } });
  const limits = { bytes: 90, timeoutMs: 1_000, clock: systemClock, room };
  let use: () => void = () => undefined;
  const used = new Promise<void>((resolve) => {
    use = resolve;
  });
  readBody(request as unknown as IncomingMessage, { limits, platform: "p" }, () => used);
  for (const piece of ["a", "b"]) request.emit("data", Buffer.from(piece));
  request.emit("end");
  request.emit("close");
  expect(room.take("other", 49)).toBe(false);
  use();
  await used;
  await Promise.resolve();
  expect(room.take("other", 49)).toBe(true);
});

it("gives room back for a caller who goes away", () => {
  const room = createBodyMemory(100);
  const request = Object.assign(new EventEmitter(), { headers: {} });
  const limits = { bytes: 90, timeoutMs: 1_000, clock: systemClock, room };
  readBody(request as unknown as IncomingMessage, { limits, platform: "p" }, () => undefined);
  for (const piece of ["a", "b"]) request.emit("data", Buffer.from(piece));
  expect(room.take("other", 49)).toBe(false);
  request.emit("close");
  expect(room.take("other", 49)).toBe(true);
});

it("leaves as much room to others as its platform has", () => {
  const room = createBodyMemory(100);
  expect(room.take("greedy", 40)).toBe(true);
  expect(room.take("greedy", 11)).toBe(false);
  expect(room.take("greedy", 10)).toBe(true);
  expect(room.take("other", 25)).toBe(true);
  room.giveBack("greedy", 50);
  expect(room.take("other", 12)).toBe(true);
});

/** A body in pieces of one byte each. */
function inCrumbs(body: string): string {
  return `${[...body].map((byte) => `1\r\n${byte}\r\n`).join("")}0\r\n\r\n`;
}

it.each([
  ["some", 1_000, 201],
  ["too many", 1_100, 413],
])("in %s chunks of a byte each gets the answer for its size", async (_how, length, status) => {
  shell = await startShell();
  const body = `{"name":"Ada"${" ".repeat(length)}}`;
  const answer = await sendRaw(
    shell.port,
    "POST /2025-10-13/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" +
      `Authorization: ${basic("client", "secret")}\r\nContent-Type: application/json\r\n` +
      `Transfer-Encoding: chunked\r\n\r\n${inCrumbs(body)}`,
  );
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

it.each([
  ["unknown paths", "POST /2025-10-13/nowhere"],
  ["wrong credentials", "POST /2025-10-13/things"],
  ["pages", "GET /healthz"],
])("behind an answer is read on only so far: %s", async (_where, line) => {
  shell = await startShell();
  const endless = "1\r\n \r\n".repeat(20_000);
  const head = `${line} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const cut = sendRaw(shell.port, head + endless).catch((error: Error) => error.message);
  // The server would wait for the rest of it for minutes.
  expect(await cut).toMatch(/^HTTP\/1.1 (200|401|404) |ECONNRESET|EPIPE/);
});

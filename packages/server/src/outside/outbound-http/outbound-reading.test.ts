import { connect, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import {
  endReceivers,
  httpReceiver,
  outbound,
  rawReceiver,
  request,
  started,
} from "../../../test/kit/receivers.ts";
import { soon } from "../../../test/kit/soon.ts";
import { boundReading } from "./outbound-reading.ts";

afterEach(endReceivers);

/** Writes for as long as anybody reads. */
function flood(socket: Socket, first: string, piece: string): void {
  const more = () => {
    while (!socket.destroyed && !socket.writableNeedDrain) socket.write(piece);
  };
  socket.on("drain", more);
  socket.write(first);
  more();
}

describe("an answer without an end", () => {
  const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  test.each([
    ["in what a chunk says beside its length", `${chunked}1;`, "a".repeat(65_536)],
    ["in the length of a chunk", `${chunked}0`, "0".repeat(65_536)],
    ["in its trailer", `${chunked}0\r\n`, "X-A: b\r\n".repeat(8_192)],
    ["in chunks of a byte", chunked, "1\r\na\r\n".repeat(10_000)],
  ])("%s ends long before the deadline", async (_where, first, piece) => {
    const receiver = await rawReceiver((socket) => flood(socket, first, piece));
    // The deadline never comes.
    const client = outbound({ clock: createManualClock(0) });
    const answer = await client.post(request(receiver.url));
    expect(answer).toMatchObject({ status: 200, bodyComplete: false });
    expect(client.openConnections).toBe(0);
  });

  test("in its head is refused", async () => {
    const receiver = await rawReceiver((socket) =>
      flood(socket, "HTTP/1.1 200 OK\r\n", "X-A: b\r\n".repeat(8_192)),
    );
    const post = outbound({ clock: createManualClock(0) }).post(request(receiver.url));
    await expect(post).rejects.toMatchObject({ reason: "protocol" });
  });

  test("in heads before it is refused", async () => {
    const receiver = await rawReceiver((socket) =>
      flood(socket, "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(500)),
    );
    const post = outbound({ clock: createManualClock(0) }).post(request(receiver.url));
    await expect(post).rejects.toMatchObject({ reason: "protocol" });
  });
});

describe("reading with bounds", () => {
  const text = "0123456789".repeat(7_000);

  async function reading(maxBytes: number) {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.write(text);
    });
    const { port } = await started(server);
    const socket = connect(port, "127.0.0.1");
    const errors: unknown[] = [];
    socket.on("error", (error) => errors.push(error));
    const pieces: string[] = [];
    const again = boundReading(socket, () => maxBytes);
    socket.on("readable", () => {
      for (let piece = socket.read(); piece !== null; piece = socket.read())
        pieces.push(piece.toString());
    });
    return { socket, pieces, errors, again };
  }

  test("gives out all of it, in pieces of a kilobyte at most", async () => {
    const { socket, pieces } = await reading(70_000);
    await soon(() => expect(pieces.join("")).toBe(text));
    expect(Math.max(...pieces.map((piece) => piece.length))).toBe(1_024);
    socket.destroy();
  });

  test("ends the connection at the first byte too many", async () => {
    const { socket, pieces, errors } = await reading(69_999);
    await soon(() => expect(errors).toMatchObject([{ reason: "too-large" }]));
    expect(socket.destroyed).toBe(true);
    expect(text.startsWith(pieces.join(""))).toBe(true);
  });

  test("begins anew with the next request on the connection", async () => {
    const body = "x".repeat(1_000_000);
    const receiver = await httpReceiver((_, response) => void response.end(body));
    const client = outbound({ clock: createManualClock(0) });
    const wish = request(receiver.url, { maxAnswerBytes: body.length });
    // What all answers take together is more than one may take.
    for (let count = 0; count < 10; count++) {
      expect(await client.post(wish)).toMatchObject({ status: 200, bodyComplete: true });
    }
    expect(client.openConnections).toBe(1);
  });
});

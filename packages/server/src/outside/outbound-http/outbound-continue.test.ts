import { afterEach, describe, expect, test } from "vitest";
import { endReceivers, outbound, rawReceiver, request } from "../../../test/kit/receivers.ts";
import { systemClock } from "../../std/clock.ts";

afterEach(endReceivers);

const CONTINUE = "HTTP/1.1 100 Continue\r\nx-hint: a\r\n\r\n";
const ANSWER = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const TAKEN = { status: 200, body: "ok", bodyComplete: true };

/** Says the same to every request on a socket. */
const saying = (text: string) =>
  rawReceiver((socket) => {
    socket.write(text);
    socket.on("data", () => socket.write(text));
  });

describe("an answer after an unrequested 100 Continue", () => {
  test.each([
    ["one", CONTINUE + ANSWER],
    ["several", CONTINUE.repeat(16) + ANSWER],
    ["one without a reason", `HTTP/1.1 100\r\n\r\n${ANSWER}`],
    ["early hints and nothing else", `HTTP/1.1 103 Early Hints\r\n\r\n${ANSWER}`],
  ])("is the answer: %s", async (_, text) => {
    const receiver = await saying(text);
    const client = outbound();
    expect(await client.post(request(receiver.url))).toMatchObject(TAKEN);
    expect(await client.post(request(receiver.url))).toMatchObject(TAKEN);
    expect(receiver.accepted).toHaveLength(1);
  });

  test("is the answer when it comes byte by byte", async () => {
    const receiver = await rawReceiver((socket) => {
      const left = [...(CONTINUE + ANSWER)];
      const next = () => {
        const byte = left.shift();
        if (byte !== undefined) socket.write(byte, () => systemClock.after(0, next));
      };
      socket.setNoDelay(true);
      next();
    });
    expect(await outbound().post(request(receiver.url))).toMatchObject(TAKEN);
  });

  test.each([
    ["a flood of them", CONTINUE.repeat(1_000)],
    ["one without end", `HTTP/1.1 100 Continue\r\nx: ${"y".repeat(100_000)}`],
  ])("is refused: %s", async (_, text) => {
    const receiver = await saying(text);
    const call = outbound().post(request(receiver.url));
    await expect(call).rejects.toMatchObject({ name: "OutboundFailed" });
    await receiver.accepted[0];
  });

  test("is missing when the other side hangs up behind it", async () => {
    const receiver = await rawReceiver((socket) => socket.end(CONTINUE));
    const call = outbound().post(request(receiver.url));
    await expect(call).rejects.toMatchObject({ reason: "reset" });
  });
});

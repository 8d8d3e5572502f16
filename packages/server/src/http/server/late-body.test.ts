/** Credentials that are withdrawn while the body of their request is still on its way. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, it } from "vitest";
import { basic } from "../../../test/kit/basic.ts";
import { type Shell, startShell, tokenOf } from "../../../test/kit/http-shell.ts";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import { soon } from "../../../test/kit/soon.ts";

const BODY = '{"name":"late"}';

let shell: Shell | undefined;
afterEach(async () => {
  await shell?.server.close(0);
});

/** Sends a head and half of a body, the rest when something has happened. */
async function startLate(meanwhile: (rig: Rig) => void, lateMs: number) {
  const clock = createManualClock(1_760_000_000_000);
  const names: string[] = [];
  const seen = (request: unknown) => names.push((request as { body: { name: string } }).body.name);
  shell = await startShell({ clock, context: { seen } });
  const { port, tokens, reads } = shell;
  const socket = connect(port, "127.0.0.1");
  const received: Buffer[] = [];
  socket.on("data", (chunk) => received.push(chunk));
  socket.write(
    "POST /2025-10-13/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" +
      `Authorization: ${basic("client", "secret")}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, 5)}`,
  );
  await soon(() => expect(reads()).toBe(1));
  meanwhile({ tokens });
  await clock.advance(lateMs);
  socket.write(BODY.slice(5));
  await once(socket, "close");
  return { status: Number(Buffer.concat(received).toString().slice(9, 12)), names, reads: reads() };
}

type Rig = Pick<Shell, "tokens">;

it("are not good any more when it has come", async () => {
  const late = await startLate(({ tokens }) => tokens.delete("client"), 1_000);
  expect(late).toEqual({ status: 401, names: [], reads: 2 });
});

it("do only what they still may", async () => {
  const late = await startLate(({ tokens }) => {
    tokens.set(...tokenOf("client", "secret", { permissions: new Set(["VIEW"]) }));
  }, 1_000);
  expect(late).toEqual({ status: 403, names: [], reads: 2 });
});

it.each([
  ["a while", 1_000, 2],
  ["no time", 0, 1],
])("are read again when it took %s, and are as good as before", async (_how, lateMs, reads) => {
  expect(await startLate(() => undefined, lateMs)).toEqual({ status: 201, names: ["late"], reads });
});

/** Requests that come one behind the other on a connection, and callers that have said all they will say. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { basic } from "../../../test/kit/basic.ts";
import { type Shell, sendRaw, startShell } from "../../../test/kit/http-shell.ts";
import { soon } from "../../../test/kit/soon.ts";
import { MAX_WAITING } from "./pipelining.ts";

let shells: Shell[] = [];

afterEach(async () => {
  await Promise.all(shells.map((shell) => shell.server.close(0)));
  shells = [];
});

/** What reached the operation, by name; it answers when it is let go. */
async function startHeld() {
  const names: string[] = [];
  let letGo: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const seen = (request: unknown) => names.push((request as { body: { name: string } }).body.name);
  const shell = await startShell({ context: { seen, hold: () => held } });
  shells.push(shell);
  return { shell, names, letGo };
}

function post(name: string, headers = ""): string {
  const body = JSON.stringify({ name });
  return (
    "POST /2025-10-13/things HTTP/1.1\r\nHost: x\r\n" +
    `Authorization: ${basic("client", "secret")}\r\n${headers}` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** Status and `Connection` of each answer, in their order. */
function answersIn(text: string): readonly (readonly [number, string | undefined])[] {
  return text
    .split("HTTP/1.1 ")
    .slice(1)
    .map((answer) => [Number(answer.slice(0, 3)), /\r\nConnection: (\S+)/.exec(answer)?.[1]]);
}

describe("what comes behind the last answer of a connection", () => {
  it.each([
    ["no host", "GET /healthz HTTP/1.1\r\n\r\n", 400],
    ["an expectation that nobody meets", post("early", "Expect: more\r\n"), 417],
    [
      "too large a body",
      `${post("early").split("Content-Length")[0]}Transfer-Encoding: chunked\r\n\r\n` +
        `${(300_000).toString(16)}\r\n${"x".repeat(300_000)}\r\n0\r\n\r\n`,
      413,
    ],
  ])("is not begun, when it ended for %s", async (_why, first, status) => {
    const { shell, names, letGo } = await startHeld();
    letGo();
    expect(answersIn(await sendRaw(shell.port, first + post("late")))).toEqual([[status, "close"]]);
    // One that was begun would have come in before this one.
    expect((await shell.post("/things", { name: "other" })).status).toBe(201);
    expect(names).toEqual(["other"]);
  });

  it("is not there when the server stops: only the last of them ends the connection", async () => {
    const { shell, names, letGo } = await startHeld();
    const answers = sendRaw(shell.port, post("a") + post("b") + post("c"));
    await soon(() => expect(names).toEqual(["a"]));
    const stopped = shell.server.close(10_000);
    letGo();
    expect(answersIn(await answers)).toEqual([
      [201, "keep-alive"],
      [201, "keep-alive"],
      [201, "close"],
    ]);
    await stopped;
    expect(names).toEqual(["a", "b", "c"]);
  });
});

describe("requests that come behind each other on a connection", () => {
  it("are started one at a time, each once the answer before it has gone out", async () => {
    const { shell, names, letGo } = await startHeld();
    const answers = sendRaw(shell.port, post("a") + post("b") + post("c", "Connection: close\r\n"));
    await soon(() => expect(names).toEqual(["a"]));
    expect((await shell.call("/things/first")).status).toBe(200);
    expect(names).toEqual(["a"]);
    letGo();
    expect(answersIn(await answers).map(([status]) => status)).toEqual([201, 201, 201]);
    expect(names).toEqual(["a", "b", "c"]);
  });

  it("do not delay the requests of other connections", async () => {
    const order: string[] = [];
    const shell = await startShell({
      context: {
        seen: (request: unknown) => order.push((request as { body: { name: string } }).body.name),
      },
    });
    shells.push(shell);
    const many = Array.from({ length: 30 }, (_, index) => post(`a${index}`)).join("");
    const one = connect({ port: shell.port, host: "127.0.0.1" });
    const other = connect({ port: shell.port, host: "127.0.0.1" });
    await Promise.all([once(one, "connect"), once(other, "connect")]);
    one.write(many);
    other.write(post("b"));
    await soon(() => expect(order).toHaveLength(31));
    expect(order.indexOf("b")).toBeLessThan(15);
    one.destroy();
    other.destroy();
  });

  it("end their connection when more of them wait than may", async () => {
    const { shell, names, letGo } = await startHeld();
    const flood = post("a") + "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".repeat(MAX_WAITING + 1);
    expect(await sendRaw(shell.port, flood)).toBe("");
    letGo();
    expect((await fetch(`${shell.origin}/healthz`)).status).toBe(200);
    expect(names).toEqual(["a"]);
  });
});

it("a caller that has half-closed its connection still gets its answer", async () => {
  const { shell, names, letGo } = await startHeld();
  const socket = connect({ port: shell.port, host: "127.0.0.1", allowHalfOpen: true });
  let received = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text;
  });
  socket.end(post("a") + post("b"));
  await soon(() => expect(names).toEqual(["a"]));
  // By the second of these the server has seen the end of the other connection.
  await shell.call("/things/first");
  await shell.call("/things/first");
  letGo();
  await once(socket, "close");
  expect(answersIn(received).map(([status]) => status)).toEqual([201, 201]);
});

it("a header is read however many stand before it", async () => {
  const { shell, names, letGo } = await startHeld();
  letGo();
  const many = "a:\r\n".repeat(2_100);
  const typed = post("a", "Connection: close\r\n").replace("application/json", "text/plain");
  const [head = "", body = ""] = typed.split("Content-Type");
  expect(answersIn(await sendRaw(shell.port, `${head}${many}Content-Type${body}`))).toEqual([
    [415, "close"],
  ]);
  const keyed = post("a", `Connection: close\r\n${many}Idempotency-Key: a b\r\n`);
  expect(answersIn(await sendRaw(shell.port, keyed))).toEqual([[400, "close"]]);
  expect(names).toEqual([]);
});

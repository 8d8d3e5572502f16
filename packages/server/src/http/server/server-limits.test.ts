import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { basic } from "../../../test/kit/basic.ts";
import { newGate } from "../../../test/kit/gate.ts";
import { type Shell, sendRaw, startShell } from "../../../test/kit/http-shell.ts";

let shells: Shell[] = [];

afterEach(async () => {
  await Promise.all(shells.map((shell) => shell.server.close(0)));
  shells = [];
});

async function start(...options: Parameters<typeof startShell>): Promise<Shell> {
  const shell = await startShell(...options);
  shells.push(shell);
  return shell;
}

describe("health", () => {
  it("is healthy while the process answers and ready while its dependencies answer", async () => {
    let isReady = false;
    const shell = await start({
      checkReady: async () => {
        if (!isReady) throw new Error("no database");
      },
    });
    expect((await fetch(`${shell.origin}/healthz`)).status).toBe(200);
    const away = await fetch(`${shell.origin}/readyz`);
    expect([away.status, away.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await away.json()).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      details: { requestId: away.headers.get("x-request-id") },
    });
    expect(shell.log).toEqual([
      { level: "warn", message: "the readiness check failed", reason: "no database" },
    ]);
    isReady = true;
    expect((await fetch(`${shell.origin}/readyz`)).status).toBe(200);
  });
});

describe("a token", () => {
  it("that exceeds its rate gets a Retry-After", async () => {
    const shell = await start({ limits: { tokenRate: { perSecond: 0.01, burst: 2 } } });
    expect((await shell.call("/things/first")).status).toBe(200);
    expect((await shell.call("/things/first")).status).toBe(200);
    const refused = await shell.call("/things/first");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(50);
    expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED" });
  });

  it("that was deleted is refused as soon as the server knows it", async () => {
    const shell = await start();
    expect((await shell.call("/things/first")).status).toBe(200);
    shell.tokens.delete("client");
    shell.server.forgetCredentials();
    expect((await shell.call("/things/first")).status).toBe(401);
  });
});

describe("an address", () => {
  it("that fails too often gets a Retry-After", async () => {
    const shell = await start({ limits: { failedLoginRate: { perSecond: 0.01, burst: 2 } } });
    const fail = (secret: string) =>
      fetch(`${shell.url}/things`, { headers: { authorization: basic("client", secret) } });
    expect([(await fail("a")).status, (await fail("b")).status]).toEqual([401, 401]);
    const refused = await fail("c");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(50);
  });
});

describe("addresses behind a trusted proxy", () => {
  it("are counted separately, and failures of one do not block another", async () => {
    const shell = await start({
      limits: { failedLoginRate: { perSecond: 0.01, burst: 2 } },
      trustedProxies: ["127.0.0.1"],
    });
    const from = async (caller: string, secret: string) => {
      const headers = { authorization: basic("client", secret), "x-forwarded-for": caller };
      return (await fetch(`${shell.url}/things/first`, { headers })).status;
    };
    const attacker = ["a", "b", "c"].map((secret, n) => from(`10.9.9.${n}, 198.51.100.1`, secret));
    expect((await Promise.all(attacker)).toSorted()).toEqual([401, 401, 429]);
    expect(await from("198.51.100.1", "secret")).toBe(429);
    expect(await from("198.51.100.2", "secret")).toBe(200);
  });
});

describe("bytes that are not HTTP", () => {
  it.each([
    ["nonsense", "hello\r\n\r\n", 400],
    ["a bad header", "GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n", 400],
    ["an unknown method", "BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    [
      "two ways to end a body",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
      400,
    ],
    ["a long head", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(17_000)}\r\n\r\n`, 431],
    ["a long path", `GET /${"x".repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ])("%s is answered and closed", async (_name, bytes, status) => {
    const shell = await start();
    const answer = await sendRaw(shell.port, bytes);
    expect(answer.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(/X-Request-Id: [0-9a-z-]+/);
    expect(JSON.parse(body)).toMatchObject({ status, code: "INVALID_REQUEST_FORMAT" });
  });

  it("nor arrives in time is aborted", async () => {
    const shell = await start({
      limits: { requestTimeoutMs: 150, headTimeoutMs: 100, connectionsCheckMs: 20 },
    });
    const slowHead = await sendRaw(shell.port, "GET / HTTP/1.1\r\n");
    expect(slowHead).toMatch(/^HTTP\/1.1 408 /);
    const slowBody = await sendRaw(
      shell.port,
      "POST /2025-10-13/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" +
        `Authorization: ${basic("client", "secret")}\r\nContent-Length: 50\r\n\r\n{"name":`,
    );
    expect(slowBody).toMatch(/^HTTP\/1.1 408 /);
  });
});

describe("a request without a host", () => {
  const answered = async (line: string) => sendRaw((await start()).port, `${line}\r\n\r\n`);

  it.each([
    ["page", "GET /healthz HTTP/1.1"],
    ["operation", "POST /2025-10-13/things HTTP/1.1\r\nContent-Length: 5"],
    ["path that leads nowhere", "GET /nowhere HTTP/1.1"],
    ["path that cannot be read", "GET /2025-10-13/things/% HTTP/1.1"],
    ["path that is too long", `GET /2025-10-13/things/${"x".repeat(1_100)} HTTP/1.1`],
  ])("to a %s is refused like any other, and closed", async (_name, line) => {
    const answer = await answered(`${line}\r\nX-Request-Id: trace-1`);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toContain("X-Request-Id: trace-1\r\n");
    expect(head).toContain("X-Content-Type-Options: nosniff\r\n");
    expect(JSON.parse(body)).toEqual({
      status: 400,
      code: "INVALID_REQUEST_FORMAT",
      message: "The request must have exactly one Host header.",
    });
  });

  it("is also refused with two Host headers, because one may name another server", async () => {
    const twice = await answered("GET /healthz HTTP/1.1\r\nHost: a\r\nHOST: b");
    expect(twice).toMatch(/^HTTP\/1.1 400 /);
    expect(twice).toContain("Connection: close");
  });

  it("is accepted in HTTP/1.0, and an empty host in HTTP/1.1", async () => {
    expect(await answered("GET /healthz HTTP/1.0")).toMatch(/^HTTP\/1.1 200 /);
    const empty = await answered("GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close");
    expect(empty).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe("an expectation", () => {
  const expecting = (expectation: string) =>
    "POST /2025-10-13/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" +
    `Authorization: ${basic("client", "secret")}\r\nConnection: close\r\n` +
    `X-Request-Id: trace-2\r\nExpect: ${expectation}\r\nContent-Length: 14\r\n\r\n`;

  it("that is unknown is refused like any other request, and the connection is closed", async () => {
    const shell = await start();
    const answer = await sendRaw(shell.port, expecting("foo"));
    expect(answer).toMatch(/^HTTP\/1.1 417 /);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toContain("X-Request-Id: trace-2\r\n");
    expect(head).toContain("X-Content-Type-Options: nosniff\r\n");
    expect(JSON.parse(body)).toMatchObject({ status: 417, code: "INVALID_REQUEST_FORMAT" });
  });

  it("of 100-continue is met before the body comes", async () => {
    const shell = await start();
    const socket = connect(shell.port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(expecting("100-continue"));
    const [met] = await once(socket, "data");
    expect(String(met)).toMatch(/^HTTP\/1.1 100 /);
    socket.write('{"name":"Ada"}');
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1.1 201 /);
    await once(socket, "close");
  });
});

describe("CONNECT", () => {
  it("that is aborted at once does no harm", async () => {
    const shell = await start();
    for (let index = 0; index < 20; index += 1) {
      const socket = connect(shell.port, "127.0.0.1");
      socket.on("error", () => {});
      await once(socket, "connect");
      socket.write("CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n", () =>
        socket.resetAndDestroy(),
      );
      await once(socket, "close");
    }
    expect((await fetch(`${shell.origin}/healthz`)).status).toBe(200);
  });
});

describe("too many connections", () => {
  it("are not taken", async () => {
    const shell = await start({ limits: { connections: 2 } });
    const open = [connect(shell.port, "127.0.0.1"), connect(shell.port, "127.0.0.1")];
    await Promise.all(open.map((socket) => once(socket, "connect")));
    const third = connect(shell.port, "127.0.0.1");
    third.on("error", () => {});
    await once(third, "close");
    for (const socket of open) socket.destroy();
  });
});

describe("a stopping server", () => {
  it("answers what has arrived, then closes, and is not ready meanwhile", async () => {
    const held = newGate();
    const arrived = newGate();
    const shell = await start({
      context: { seen: () => arrived.open(), hold: () => held.passed },
    });
    const readySocket = connect(shell.port, "127.0.0.1");
    await once(readySocket, "connect");
    readySocket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(readySocket, "data");
    const pending = shell.post("/things", { name: "Ada" });
    await arrived.passed;
    const stopped = shell.server.close(10_000);
    await once(readySocket, "close");
    await expect(fetch(`${shell.origin}/healthz`)).rejects.toThrow();
    held.open();
    const answer = await pending;
    expect(answer.status).toBe(201);
    expect(answer.headers.get("connection")).toBe("close");
    await stopped;
  });

  it("does not wait for a connection on which nothing comes, and answers what comes late", async () => {
    const shell = await start({});
    const [silent, late] = [connect(shell.port, "127.0.0.1"), connect(shell.port, "127.0.0.1")];
    await Promise.all([once(silent, "connect"), once(late, "connect")]);
    // Whoever came before this one was let in.
    await fetch(`${shell.origin}/healthz`);
    const stopped = shell.server.close(60 * 60_000);
    let answer = "";
    late.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    late.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    await Promise.all([stopped, once(silent, "close"), once(late, "close")]);
    expect(answer).toContain("HTTP/1.1 200 OK");
  });

  it("aborts the remaining requests at the end of the grace period", async () => {
    const held = newGate();
    const arrived = newGate();
    const shell = await start({ context: { seen: () => arrived.open(), hold: () => held.passed } });
    const pending = shell.post("/things", { name: "Ada" });
    const failed = expect(pending).rejects.toThrow();
    await arrived.passed;
    await shell.server.close(20);
    await failed;
    held.open();
  });

  it("loses no request that it has started, however many arrive", async () => {
    let begun = 0;
    const busy = newGate();
    const shell = await start({
      context: {
        seen: () => {
          begun += 1;
          if (begun === 200) busy.open();
        },
        hold: () => new Promise((resolve) => setImmediate(resolve)),
      },
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 32 });
    let answered = 0;
    const body = JSON.stringify({ name: "Ada" });
    const post = () =>
      new Promise<boolean>((resolve) => {
        const call = request(
          {
            port: shell.port,
            path: "/2025-10-13/things",
            method: "POST",
            agent,
            headers: {
              authorization: basic("client", "secret"),
              "content-type": "application/json",
              "content-length": body.length,
            },
          },
          (answer) => {
            answer.resume();
            answer.on("end", () => {
              expect(answer.statusCode).toBe(201);
              answered += 1;
              resolve(true);
            });
            answer.on("error", () => resolve(false));
          },
        );
        call.on("error", () => resolve(false));
        call.end(body);
      });
    const worker = async () => {
      let isAnswered = true;
      while (isAnswered) isAnswered = await post();
    };
    const workers = Array.from({ length: 32 }, worker);
    await busy.passed;
    await shell.server.close(10_000);
    await Promise.all(workers);
    agent.destroy();
    expect(begun).toBeGreaterThanOrEqual(200);
    expect(answered).toBe(begun);
  });

  it("can be stopped twice", async () => {
    const shell = await start();
    await Promise.all([shell.server.close(10), shell.server.close(10)]);
    expect(shell.server.address()).toBeUndefined();
  });
});

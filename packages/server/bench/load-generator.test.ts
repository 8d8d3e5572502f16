import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type LoadOptions, runLoad } from "./load-generator.ts";
import { runJob } from "./load-job.ts";
import { createRequestSource } from "./request-source.ts";

const servers: Server[] = [];
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((one) => new Promise((done) => one.close(done))));
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

function listenHttp(listener: RequestListener): Promise<number> {
  return listen(createHttpServer(listener));
}

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** A server that calls `onPiece` for each chunk that it reads. */
function listenRaw(onPiece: (socket: Socket, nth: number) => void): Promise<number> {
  let pieces = 0;
  return listen(
    createServer({ noDelay: true }, (socket) => {
      socket.on("data", () => {
        pieces += 1;
        onPiece(socket, pieces);
      });
    }),
  );
}

function job(port: number, more: Partial<LoadOptions> = {}): LoadOptions {
  const host = "127.0.0.1";
  const requests = [{ method: "POST", path: "/x", body: { amount: 5 } }];
  const nextRequest = createRequestSource({ host, port, requests, keyPrefix: "t-" });
  return { host, port, connections: 4, nextRequest, ...more };
}

describe("a load run", () => {
  it("sends the requested count, each request complete and with its own key", async () => {
    const keys = new Set<unknown>();
    const bodies = new Set<string>();
    const port = await listenHttp((request, response) => {
      keys.add(request.headers["idempotency-key"]);
      let body = "";
      request.on("data", (piece) => {
        body += piece;
      });
      request.on("end", () => {
        bodies.add(body);
        response.statusCode = 201;
        response.end("{}");
      });
    });
    const result = await runLoad(job(port, { count: 500 }));
    expect(result).toMatchObject({ sent: 500, ok: 500, lost: 0, byStatus: { 201: 500 } });
    expect(keys.size).toBe(500);
    expect([...bodies]).toEqual(['{"amount":5}']);
    expect(result.perSecond).toBeCloseTo(500 / result.seconds, 3);
    expect(result.p50Ms).toBeGreaterThan(0);
    expect(result.p50Ms).toBeLessThanOrEqual(result.p90Ms);
    expect(result.p90Ms).toBeLessThanOrEqual(result.p99Ms);
    expect(result.p99Ms).toBeLessThanOrEqual(result.maxMs);
  });

  it("has at most one request in flight per connection", async () => {
    let underWay = 0;
    let most = 0;
    const port = await listenHttp((_, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setImmediate(() => {
        underWay -= 1;
        response.end("ok");
      });
    });
    const result = await runLoad(job(port, { count: 300, connections: 7 }));
    expect(result.ok).toBe(300);
    expect(most).toBeLessThanOrEqual(7);
    expect(most).toBeGreaterThan(1);
    expect(sockets.size).toBeLessThanOrEqual(7);
  });

  it("counts every answer by its status, and only 2xx as ok", async () => {
    const statuses = [200, 201, 400, 429, 500];
    let answered = 0;
    const port = await listenHttp((_, response) => {
      response.statusCode = statuses[answered % 5] ?? 0;
      response.end("{}");
      answered += 1;
    });
    const result = await runLoad(job(port, { count: 100 }));
    expect(result.byStatus).toEqual({ 200: 20, 201: 20, 400: 20, 429: 20, 500: 20 });
    expect(result).toMatchObject({ sent: 100, ok: 40, lost: 0 });
  });

  it("stops sending when its time is up", async () => {
    const port = await listenHttp((_, response) => response.end("ok"));
    const result = await runLoad(job(port, { durationMs: 100 }));
    expect(result.ok).toBe(result.sent);
    expect(result.ok).toBeGreaterThan(0);
    expect(result.seconds).toBeGreaterThan(0.05);
  });

  it("excludes the warm-up from its figures and checks its answers", async () => {
    let seen = 0;
    const port = await listenHttp((_, response) => {
      seen += 1;
      response.statusCode = seen <= 3 ? 503 : 200;
      response.end("{}");
    });
    const result = await runLoad(job(port, { count: 50, warmupMs: 500 }));
    expect(result).toMatchObject({ sent: 50, ok: 50, byStatus: { 200: 50 }, warmupNotOk: 3 });
    expect(seen).toBeGreaterThan(53);
  });

  it("passes bodies with the number of their request", async () => {
    const port = await listenHttp((request, response) => {
      response.end(String(request.headers["idempotency-key"]));
    });
    const bodies = new Map<number, string>();
    const onBody: LoadOptions["onBody"] = ({ n, body }) => bodies.set(n, body.toString());
    await runLoad(job(port, { count: 20, onBody }));
    expect(bodies.size).toBe(20);
    for (const [n, body] of bodies) expect(body).toBe(`t-${String(n).padStart(12, "0")}`);
  });

  it("reads answers that arrive in several chunks", async () => {
    const port = await listenRaw((socket) => {
      socket.write(OK.slice(0, 20));
      setImmediate(() => {
        socket.write(OK.slice(20, -1));
        setImmediate(() => socket.write(OK.slice(-1)));
      });
    });
    expect(await runLoad(job(port, { count: 40 }))).toMatchObject({ ok: 40, lost: 0 });
  });

  it("opens a new connection after an answer that closes one", async () => {
    const port = await listenHttp((_, response) => {
      response.setHeader("connection", "close");
      response.end("ok");
    });
    expect(await runLoad(job(port, { count: 30 }))).toMatchObject({ sent: 30, ok: 30, lost: 0 });
  });

  it("counts requests whose connection breaks as lost and goes on", async () => {
    const port = await listenRaw((socket, nth) => {
      if (nth % 10 === 0) socket.destroy();
      else socket.write(OK);
    });
    const result = await runLoad(job(port, { count: 95, connections: 1 }));
    expect(result).toMatchObject({ sent: 95, ok: 86, lost: 9 });
  });

  it("ends when the server has stopped, without endless retries", async () => {
    const port = await listenRaw((socket, nth) => {
      if (nth < 20) {
        socket.write(OK);
        return;
      }
      servers[0]?.close();
      for (const one of sockets) one.destroy();
    });
    const result = await runLoad(job(port, { count: 1_000_000 }));
    expect(result.ok).toBeLessThanOrEqual(19);
    expect(result.lost).toBeGreaterThan(0);
  });

  it("closes a connection without an answer", async () => {
    const port = await listenRaw(() => {});
    const result = await runLoad(job(port, { count: 4, idleLimitMs: 50 }));
    expect(result).toMatchObject({ sent: 4, ok: 0, lost: 4, perSecond: 0, maxMs: 0 });
  });

  it("closes a connection whose answer arrives byte by byte and never ends", async () => {
    const port = await listenRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
      const drip = () => {
        if (!socket.destroyed) socket.write("x", () => setImmediate(drip));
      };
      drip();
    });
    const result = await runLoad(job(port, { durationMs: 20, idleLimitMs: 40 }));
    expect(result).toMatchObject({ sent: 4, ok: 0, lost: 4 });
  });

  it("rejects when no server listens", async () => {
    const port = await listenHttp(() => {});
    await new Promise((done) => servers.pop()?.close(done));
    await expect(runLoad(job(port, { count: 1 }))).rejects.toThrow("ECONNREFUSED");
  });

  it("ends when the server closes or speaks before it is asked", async () => {
    const closing = await listen(createServer((socket) => socket.end()));
    const greeting = await listen(createServer((socket) => socket.write("hello\r\n")));
    for (const port of [closing, greeting]) {
      const outcome = runLoad(job(port, { durationMs: 50, idleLimitMs: 50 }));
      expect(await outcome.catch(() => ({ ok: 0 }))).toMatchObject({ ok: 0 });
    }
  });

  it.each([
    ["an answer without a request", OK + OK],
    ["something that is not HTTP", "hello\r\n\r\n"],
    ["an answer without length", "HTTP/1.1 200 OK\r\n\r\n"],
  ])("rejects at %s", async (_, text) => {
    const port = await listenRaw((socket) => socket.write(text));
    await expect(runLoad(job(port, { count: 10, connections: 1 }))).rejects.toThrow();
  });

  it("rejects when the caller's own functions throw", async () => {
    const port = await listenHttp((_, response) => response.end("ok"));
    const failing = () => {
      throw new Error("mine");
    };
    await expect(runLoad(job(port, { count: 5, nextRequest: failing }))).rejects.toThrow("mine");
    await expect(runLoad(job(port, { count: 5, onBody: failing }))).rejects.toThrow("mine");
  });

  it.each([
    [{ host: "10.0.0.1" }, "not this machine"],
    [{ host: "example.com" }, "not this machine"],
    [{ host: "0.0.0.0" }, "not this machine"],
    [{ connections: 0 }, "connections"],
    [{ connections: 5000 }, "connections"],
    [{ port: 0 }, "port"],
    [{ count: 1.5 }, "count"],
    [{ count: 1, durationMs: 1 }, "not both"],
    [{}, "not both"],
    [{ durationMs: Number.POSITIVE_INFINITY }, "durationMs"],
    [{ count: 1, warmupMs: -1 }, "warmupMs"],
    [{ count: 1, idleLimitMs: 0 }, "idleLimitMs"],
  ])("refuses %j", async (wrong, message) => {
    const base = "count" in wrong || Object.keys(wrong).length === 0 ? {} : { count: 1 };
    const counted = "durationMs" in wrong ? {} : base;
    await expect(runLoad(job(1, { ...counted, ...wrong }))).rejects.toThrow(message);
  });
});

describe("a load job", () => {
  const requests = [{ method: "POST", path: "/", headers: { A: "b" }, body: { c: 1 } }];

  it("runs with the values of its JSON", async () => {
    const keys = new Set<unknown>();
    const port = await listenHttp((request, response) => {
      keys.add(request.headers["idempotency-key"]);
      response.end("ok");
    });
    const text = JSON.stringify({ host: "localhost", port, connections: 2, count: 20, requests });
    expect(await runJob(text)).toMatchObject({ sent: 20, ok: 20 });
    expect(keys.size).toBe(20);
  });

  it.each([
    ["not json", "JSON"],
    ["[]", "host is missing"],
    ["null", "JSON object"],
    [{ port: "1" }, "port must be a number"],
    [{ keyPrefix: 1 }, "keyPrefix must be a string"],
    [{ requests: {} }, "requests must be a list"],
    [{ requests: [{ method: "GET" }] }, "requests must be a list"],
    [{ requests: [{ method: "GET", path: "/", headers: { a: 1 } }] }, "requests must be a list"],
    [{ requests: [] }, "no request"],
    [{ onBody: 1 }, "onBody is not known"],
    [{ host: "example.com" }, "not this machine"],
  ])("is refused when it is %j", async (wrong, message) => {
    const right = { host: "127.0.0.1", port: 1, connections: 1, count: 1, requests };
    const text = typeof wrong === "string" ? wrong : JSON.stringify({ ...right, ...wrong });
    await expect(runJob(text)).rejects.toThrow(message);
  });
});

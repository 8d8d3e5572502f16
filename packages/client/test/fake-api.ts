import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the fake saw of one request. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/**
 * `reset` drops the connection, `silence` never answers, `cut` drops it in the middle of the body.
 */
export type Reply =
  | "reset"
  | "silence"
  | "cut"
  | {
      readonly status: number;
      readonly json?: unknown;
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

export interface FakeApi {
  readonly baseUrl: string;
  readonly seen: readonly Seen[];
  close(): Promise<void>;
}

/**
 * The edge of the API, on a real socket. `answer` is given each request and how many came before
 * it.
 */
export async function startFakeApi(
  answer: (request: Seen, index: number) => Reply,
): Promise<FakeApi> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const one: Seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
      seen.push(one);
      give(answer(one, seen.length - 1), response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/2025-10-13`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function give(reply: Reply, response: ServerResponse): void {
  if (reply === "silence") return;
  if (reply === "reset") {
    response.socket?.destroy();
    return;
  }
  if (reply === "cut") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"id":"', () => response.socket?.destroy());
    return;
  }
  const { status, json, text = json === undefined ? "" : JSON.stringify(json) } = reply;
  response.writeHead(status, { "content-type": "application/json", ...reply.headers });
  response.end(text);
}

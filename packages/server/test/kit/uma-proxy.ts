/** A proxy in front of a test server, as an operator sets it up for a UMA domain, rightly or wrongly; and requests to a host. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { present } from "../../src/std/assert.ts";

/** What a proxy sends on in place of what came. `false`: it answers by itself, as `answer` does. */
export interface ProxyRules {
  readonly host?: string;
  readonly target?: (target: string) => string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer's headers after a change. */
  readonly answered?: (headers: Record<string, string>) => Record<string, string>;
  /** Answers without passing on; undefined passes on. */
  readonly answer?:
    | ((request: IncomingMessage, response: ServerResponse) => true | undefined)
    | undefined;
}

export interface UmaProxy {
  readonly port: number;
  /** The server behind it. */
  upstream: number;
  rules: ProxyRules;
  /** The targets that came, oldest first. */
  readonly seen: string[];
  close(): Promise<void>;
}

export async function startUmaProxy(): Promise<UmaProxy> {
  const seen: string[] = [];
  const server = createServer((incoming, response) => {
    const { rules, upstream } = proxy;
    seen.push(incoming.url ?? "");
    if (rules.answer?.(incoming, response) === true) return;
    const { target = (same: string) => same, answered = (same) => same } = rules;
    const host = rules.host ?? incoming.headers.host ?? "";
    const forwarded = { ...incoming.headers, host, ...rules.headers };
    const path = target(incoming.url ?? "");
    request({ host: "127.0.0.1", port: upstream, path, headers: forwarded }, (answer) => {
      const { "transfer-encoding": _, ...headers } = answer.headers as Record<string, string>;
      response.writeHead(answer.statusCode ?? 502, answered(headers));
      answer.pipe(response);
    }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: UmaProxy = {
    port: (server.address() as AddressInfo).port,
    upstream: 0,
    rules: {},
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return proxy;
}

export interface HostAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** A request to a server on this machine that names a host, which `fetch` cannot. */
export function askHost(
  port: number,
  {
    host,
    path,
    method = "GET",
    headers = {},
  }: {
    readonly host: string;
    readonly path: string;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<HostAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers: { ...headers, host } });
    sent.on("error", reject);
    sent.on("response", (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        const status = present(answer.statusCode, "the status of an answer");
        resolve({ status, headers: answer.headers, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.end();
  });
}

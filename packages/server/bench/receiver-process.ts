/**
 * A webhook receiver as a process of its own. By its kind it answers at once, never, or with 500 to one event in ten. Prints its port
 * and, for each line of its input, the number of events that it answered with 200, the 99th percentile of their lag, and its CPU
 * time.
 *
 * A sandbox's clock is ahead of the host's by an unknown offset, which is constant during a load. So each lag is relative to that of
 * the fastest event.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";

const [kind] = process.argv.slice(2);
/** Of the event of a body, or of each event of a batch. */
const TIMESTAMPS = /"type":"[A-Z_.]+","timestamp":"([^"]+)"/g;
const lags: number[] = [];
let answered = 0;

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (kind === "hanging") {
    request.resume();
    return;
  }
  let text = "";
  request.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  request.on("end", () => {
    const fails = kind === "failing" && Number(request.headers["x-event-sequence"]) % 10 === 0;
    if (!fails) {
      answered += Number(request.headers["x-event-count"] ?? 1);
      const now = Date.now();
      for (const [, timestamp = ""] of text.matchAll(TIMESTAMPS)) {
        lags.push(now - Date.parse(timestamp));
      }
    }
    response.writeHead(fails ? 500 : 200).end();
  });
}

function figures(): string {
  const sorted = Float64Array.from(lags).sort();
  const place = Math.floor(0.99 * (sorted.length - 1));
  const lag = sorted.length === 0 ? {} : { lagP99Ms: (sorted[place] ?? 0) - (sorted[0] ?? 0) };
  const { user, system } = process.cpuUsage();
  return JSON.stringify({ events: answered, processorUs: user + system, ...lag });
}

const server = createServer(answer);
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
const lines = createInterface({ input: process.stdin });
lines.on("line", () => console.log(figures()));
lines.on("close", () => process.exit(0));

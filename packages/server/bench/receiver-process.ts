/**
 * A webhook receiver in a process of its own: answers at once, never, or 500 to one event in ten. Prints its port, and the
 * number of events that it has answered with 200 for each line that it reads.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";

const [kind] = process.argv.slice(2);
let answered = 0;

function answer(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  if (kind === "hanging") return;
  request.on("end", () => {
    const fails = kind === "failing" && Number(request.headers["x-event-sequence"]) % 10 === 0;
    if (!fails) answered += 1;
    response.writeHead(fails ? 500 : 200).end();
  });
}

const server = createServer(answer);
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
const lines = createInterface({ input: process.stdin });
lines.on("line", () => console.log(answered));
lines.on("close", () => process.exit(0));

/** Servers are killed while the receiver of their events goes down and comes back: no event is lost or out of order. */

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { pause, systemClock } from "../../src/std/clock.ts";
import { eventually } from "./eventually.ts";
import { startQuestionRig } from "./questions.ts";
import { expectReply, fund } from "./rig.ts";
import { limitMs, rounds } from "./rounds.ts";
import type { ServerProcess } from "./server-process.ts";

const LIMIT_MS = limitMs(40);

/** A receiver that takes no connection while it is down, and listens on the same port again. */
class FlappingReceiver {
  /** Sequences in the order of their first arrival, by resource. */
  readonly arrived = new Map<string, number[]>();
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`;
  }

  get count(): number {
    return [...this.arrived.values()].reduce((sum, { length }) => sum + length, 0);
  }

  async up(): Promise<void> {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { data } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
        this.#take(data.id ?? "TEST", Number(request.headers["x-event-sequence"]));
        response.writeHead(200).end();
      });
    }).listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async down(): Promise<void> {
    const server = present(this.#server, "a receiver that is up");
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }

  #take(resource: string, sequence: number): void {
    const known = this.arrived.get(resource) ?? [];
    if (!known.includes(sequence)) known.push(sequence);
    this.arrived.set(resource, known);
  }
}

interface Listed {
  readonly state: string;
  readonly stats: { readonly waiting: number; readonly retrying: number };
}

async function endpointOf(server: ServerProcess): Promise<Listed> {
  const { data } = await expectReply(server, 200, { method: "GET", path: "/webhook-endpoints" });
  return present((data as readonly Listed[])[0], "the endpoint");
}

/** Makes every probe and retry that is due within the hour happen now. Seven days of this give events up. */
function anHourLater(server: ServerProcess): Promise<unknown> {
  const path = "/sandbox/clock/advance";
  return expectReply(server, 200, { method: "POST", path, body: { seconds: 3_600 } });
}

it("delivers everything, in order per resource, once the receiver stays", {
  timeout: 2 * LIMIT_MS,
}, async () => {
  const rig = await startQuestionRig(2);
  const receiver = new FlappingReceiver();
  try {
    const servers = rig.servers;
    const [first] = servers;
    await receiver.up();
    await expectReply(present(first, "a server"), 200, {
      method: "PATCH",
      path: "/config",
      body: { webhookEndpoint: receiver.url },
    });
    // A TEST is sent once, and must not meet the first outage.
    await eventually("the TEST", () => (receiver.count === 1 ? true : undefined));
    let funded = 0;
    for (let round = 0; round < rounds(2); round += 1) {
      const [victim, other] = [servers[round % 2], servers[(round + 1) % 2]].map((server) =>
        present(server, "a server"),
      ) as [ServerProcess, ServerProcess];
      await receiver.down();
      for (let n = 0; n < 8; n += 1) await fund(other, rig.customer.accountId, 1);
      funded += 8;
      await eventually(
        "an outage",
        async () => ((await endpointOf(other)).state === "FAILING" ? true : undefined),
        LIMIT_MS,
      );
      await victim.kill();
      await anHourLater(other);
      await receiver.up();
      await anHourLater(other);
      await victim.start();
    }
    const events = 1 + 2 * funded;
    const survivor = present(servers[0], "a server");
    await eventually(
      "every event",
      async () => {
        if (receiver.count >= events) return true;
        await pause(systemClock, 2_000);
        await anHourLater(survivor);
        return undefined;
      },
      LIMIT_MS,
    );
    const settled = await eventually("a stream that stands at its end", async () => {
      const endpoint = await endpointOf(survivor);
      const { waiting, retrying } = endpoint.stats;
      return waiting === 0 && retrying === 0 ? endpoint : undefined;
    });
    expect(settled.state).toBe("ACTIVE");
    expect(receiver.count).toBe(events);
    for (const sequences of receiver.arrived.values()) {
      expect(sequences).toEqual(sequences.toSorted((left, right) => left - right));
    }
  } finally {
    await receiver.down().catch(() => undefined);
    await rig.close();
  }
});

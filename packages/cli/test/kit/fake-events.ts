/** The edge of a server that has events: its list and its stream, which a test cuts and ends. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeEvent {
  readonly sequence: number;
  readonly type: string;
  readonly body: string;
}

export interface FakeEvents {
  readonly baseUrl: string;
  /** `Last-Event-ID` of each connection. */
  readonly starts: readonly number[];
  add(event: {
    readonly resource: string;
    readonly type?: string;
    readonly text?: string;
  }): FakeEvent;
  /** Ends the connections of now, in the middle of a frame or after one. */
  drop(how: "cut" | "end"): void;
  /** Answers new connections with this status. */
  refuse(status: number | undefined): void;
  close(): Promise<void>;
}

export function frameOf({ sequence, type, body }: FakeEvent): string {
  return `: sig {"v":"1","s":"sig-${sequence}"}\nid: ${sequence}\nevent: ${type}\ndata: ${body}\n\n`;
}

export async function startFakeEvents(): Promise<FakeEvents> {
  const events: FakeEvent[] = [];
  const open = new Set<ServerResponse>();
  const starts: number[] = [];
  let refusal: number | undefined;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    if (refusal !== undefined) {
      response.writeHead(refusal).end(`{"status":${refusal},"code":"REFUSED","message":"No."}`);
    } else if (url.pathname.endsWith("/events/stream")) {
      const after = Number(request.headers["last-event-id"]);
      starts.push(after);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": florin events\n\n");
      for (const event of events.slice(after)) response.write(frameOf(event));
      open.add(response);
      response.on("close", () => open.delete(response));
    } else {
      const data = events
        .slice(-1)
        .map(({ sequence, body }) => ({ ...JSON.parse(body), sequence }));
      response.writeHead(200).end(JSON.stringify({ data, hasMore: false }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/2025-10-13`,
    starts,
    add({ resource, type = "OUTGOING_PAYMENT.PENDING", text = "" }) {
      const sequence = events.length + 1;
      const members = { id: `Webhook:${sequence}`, type, timestamp: "2026-11-21T10:00:00.000Z" };
      const event = {
        sequence,
        type,
        body: JSON.stringify({ ...members, data: { id: resource, text } }),
      };
      events.push(event);
      for (const response of open) response.write(frameOf(event));
      return event;
    },
    drop(how) {
      for (const response of open) {
        if (how === "cut")
          response.write('id: 9999\nevent: CUT\ndata: {"id"', () => response.destroy());
        else response.end("retry: 1000\n\n");
      }
      open.clear();
    },
    refuse: (status) => {
      refusal = status;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

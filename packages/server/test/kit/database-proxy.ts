/** A TCP proxy to the database that a test can cut, which simulates a dead or partitioned server process. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";

export interface DatabaseProxy {
  readonly address: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  /** Closes all connections and accepts no new ones. */
  cut(): void;
  /** Closes all connections and accepts new ones. */
  drop(): void;
  /** Stops forwarding on existing connections in both directions, without closing them. */
  mute(): void;
  /** Mutes the next connection that sends these bytes; resolves when it did. */
  muteAt(words: string): Promise<void>;
}

export async function proxyTo(target: DatabaseProxy["address"]): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  const muted = new Set<Socket>();
  let trap: { readonly words: string; readonly spring: () => void } | undefined;
  const pass = (from: Socket, to: Socket) =>
    from.on("data", (piece: Buffer) => {
      if (trap !== undefined && piece.includes(trap.words)) {
        for (const socket of [from, to]) muted.add(socket);
        trap.spring();
        trap = undefined;
      }
      if (!muted.has(from)) to.write(piece);
    });
  const server = createServer((near) => {
    const { host, port: at } = target;
    const far = host.startsWith("/") ? connect(join(host, `.s.PGSQL.${at}`)) : connect(at, host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        for (const other of [near, far]) other.destroy();
      });
    }
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: { ...target, host: "127.0.0.1", port },
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    mute() {
      for (const socket of sockets) muted.add(socket);
    },
    muteAt(words) {
      return new Promise((spring) => {
        trap = { words, spring };
      });
    },
    drop() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

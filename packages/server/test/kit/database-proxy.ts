/** A way to the database that a test can cut: what then goes on in the process no longer reaches the database. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";

export interface DatabaseProxy {
  readonly address: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  /** Ends every connection and takes no new one. */
  cut(): void;
  /** Ends every connection; new ones are welcome. */
  drop(): void;
  /** Lets nothing more through on the connections there are, both ways, and tells nobody. */
  mute(): void;
  /** The same for the next connection on which this is said. It is over when that has happened. */
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
    const far = connect(join(target.host, `.s.PGSQL.${target.port}`));
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

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
}

export async function proxyTo(target: DatabaseProxy["address"]): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(join(target.host, `.s.PGSQL.${target.port}`));
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: { ...target, host: "127.0.0.1", port },
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    drop() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

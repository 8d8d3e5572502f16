/**
 * Connections on which nothing has come in yet: browsers, pools and balancers open some in advance. Node takes them for
 * requests that have begun, and so would a stop, which waits for those.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";

export interface SilentConnections {
  /** Ends those there are now. */
  end(): void;
}

export function watchSilentConnections(server: Server): SilentConnections {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return {
    end() {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

/**
 * Connections on which no byte has arrived: browsers, pools and load balancers open some in advance. Node counts them
 * as active requests, so a shutdown would wait for them.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";

export interface SilentConnections {
  /** Destroys the connections that are silent now. */
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

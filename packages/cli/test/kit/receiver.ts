/** A receiver of posts on this machine. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedPost {
  readonly url: string;
  readonly sequence: number;
  readonly signature: string;
  readonly body: string;
}

export interface Receiver {
  readonly port: number;
  readonly posts: readonly ReceivedPost[];
  close(): Promise<void>;
}

export async function startReceiver(
  answer: (post: ReceivedPost) => number | Promise<number> = () => 200,
  port = 0,
): Promise<Receiver> {
  const posts: ReceivedPost[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const post = {
        url: request.url ?? "",
        sequence: Number(request.headers["x-event-sequence"]),
        signature: String(request.headers["x-service-signature"]),
        body: Buffer.concat(chunks).toString("utf8"),
      };
      posts.push(post);
      response.writeHead(await answer(post)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    posts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

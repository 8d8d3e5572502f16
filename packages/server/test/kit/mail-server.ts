/** A real SMTP server on this machine that records received mails. */
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | undefined;
  readonly raw: string;
  /** By lower-case name, with unfolded lines. */
  readonly headers: ReadonlyMap<string, string>;
}

export interface MailServer {
  readonly port: number;
  readonly received: ReceivedMail[];
}

const cleanups: (() => Promise<void>)[] = [];

/** For `afterEach`. */
export async function endMailServers(): Promise<void> {
  for (const cleanup of cleanups.splice(0)) await cleanup();
}

export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks).toString("utf8");
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? "" : (mailFrom?.address ?? ""),
          to: rcptTo.map(({ address }) => address),
          user: typeof session.user === "string" ? session.user : undefined,
          raw,
          headers: headersOf(raw),
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve());
  });
  cleanups.push(() => new Promise((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, received };
}

function headersOf(raw: string): ReadonlyMap<string, string> {
  const [head = ""] = raw.split("\r\n\r\n");
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

/** Parses the address of the operator's mail server: `smtp://` or `smtps://`, with an optional user and password. */
import { StartRefused } from "../../std/errors.ts";
import { isLoopbackHost } from "../../std/loopback.ts";
import { parseUrl } from "../../std/url.ts";

export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly secure: boolean;
  /** No mail goes to a server that does not offer TLS. */
  readonly requireTLS: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

const PORTS = { "smtp:": 587, "smtps:": 465 } as const;
const FORM = "SMTP_URL must look like smtps://user:password@host:465 or smtp://host:587";

/** The URL holds a password and is never repeated. */
export function parseSmtpUrl(text: string): SmtpAddress {
  const url = parseUrl(text);
  const { protocol = "", hostname: host = "" } = url ?? {};
  if (url === undefined || (protocol !== "smtp:" && protocol !== "smtps:") || host === "") {
    throw new StartRefused(FORM);
  }
  const tls = url.searchParams.get("tls") ?? (isLoopbackHost(host) ? "optional" : "required");
  if (tls !== "required" && tls !== "optional") {
    throw new StartRefused("SMTP_URL: tls must be required or optional");
  }
  const auth = { user: decoded(url.username), pass: decoded(url.password) };
  return {
    host: host.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? PORTS[protocol] : Number(url.port),
    secure: protocol === "smtps:",
    requireTLS: tls === "required",
    ...(auth.user === "" ? {} : { auth }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StartRefused(FORM);
  }
}

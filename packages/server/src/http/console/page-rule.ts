/**
 * Decides at which addresses the console is served. A request to an IP address of this machine is redirected to the same path at
 * `localhost`. Where browsers create no passkeys, the answer explains what to do.
 */
import type { IncomingMessage } from "node:http";
import { escapeHtml } from "../../std/html.ts";
import { CONSOLE_DOCUMENT } from "../reference/pages.ts";
import type { SentPage } from "../server/send.ts";
import { askedAt, type ConsolePlace } from "./place.ts";

const PAGES = "/console";
const API = "/console/api";

/** Whether this path is a page of the console. The API document of the console is not a page. */
export function isConsolePage(url: string): boolean {
  return isBelow(url, PAGES) && !isBelow(url, API) && !isBelow(url, CONSOLE_DOCUMENT);
}

function isBelow(url: string, path: string): boolean {
  if (!url.startsWith(path)) return false;
  const next = url.charAt(path.length);
  return next === "" || next === "/" || next === "?";
}

/** The answer in place of the page; undefined when the page may be shown. */
export function pageElsewhere(
  { url = "", headers }: IncomingMessage,
  place: ConsolePlace,
): SentPage | undefined {
  const asked = askedAt(place, headers.host ?? "");
  switch (asked.kind) {
    case "here":
      return undefined;
    case "elsewhere":
      return {
        status: 302,
        headers: ["Location", asked.origin + url],
        contentType: "text/plain; charset=utf-8",
        contentPolicy: POLICY,
        body: "The console is at localhost: passkeys need a host name.\n",
      };
    case "insecure":
      return {
        status: 421,
        headers: ["X-Frame-Options", "DENY"],
        contentType: "text/html; charset=utf-8",
        contentPolicy: POLICY,
        body: adviceAt(place),
      };
  }
}

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function adviceAt({ origin }: ConsolePlace): string {
  const port = new URL(origin).port || "8080";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Florin</title>
<h1>The console is not at this address</h1>
<p>Passkeys need https, or this machine. The console of this server is at <a href="${escapeHtml(origin)}/console">${escapeHtml(origin)}/console</a>.</p>
<p>To reach a server without https from elsewhere, open an SSH tunnel to it: <code>ssh -L ${port}:localhost:${port} server</code>, and go to <code>http://localhost:${port}/console</code>. To serve it under a name, put a proxy with TLS in front and set <code>PUBLIC_URL</code>.</p>
</html>
`;
}

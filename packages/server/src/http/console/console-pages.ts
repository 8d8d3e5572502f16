/**
 * The files of the console. The page is the same at every path, because its script reads the path. The names of files below
 * `/console/assets/` are derived from their content. All data come from `/console/api`.
 */
import type { IncomingMessage } from "node:http";
import type { BuiltSite, SiteRules } from "../reference/built-site.ts";
import type { PageRoute } from "../reference/pages.ts";
import { answerFile } from "../reference/stored-file.ts";
import { type ErrorAnswer, toErrorBody } from "../server/errors.ts";
import { pathOf } from "../server/paths.ts";
import type { SentPage } from "../server/send.ts";

const PAGE = "/console";
const ASSETS = "/console/assets/";
const API = "/console/api";

/** Hashes of two styles that the widget library adds: for elements that can be pressed, and for the page behind a dialog on a phone. */
const WIDGET_STYLES = [
  "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='",
  "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='",
].join(" ");

/** Allows only resources of this server, and neither script nor markup from strings. */
export const consoleRules: SiteRules = {
  what: "the console",
  contentPolicy: [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${WIDGET_STYLES}`,
    "img-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  headers: [
    "X-Frame-Options",
    "DENY",
    "Cross-Origin-Opener-Policy",
    "same-origin",
    "Cross-Origin-Resource-Policy",
    "same-origin",
    "Referrer-Policy",
    "same-origin",
    "Permissions-Policy",
    "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), fullscreen=(), geolocation=(), gyroscope=(), " +
      "magnetometer=(), microphone=(), midi=(), payment=(), usb=(), xr-spatial-tracking=(), " +
      "publickey-credentials-create=(self), publickey-credentials-get=(self), clipboard-write=(self)",
  ],
};

/** The pages, to the depth of the deepest one: `/console/p/{slug}/{list}/{id}`. */
export function consolePages(site: BuiltSite | null): readonly PageRoute[] {
  const segments = ["{a}", "{b}", "{c}", "{d}", "{e}"];
  const paths = segments.map((_, index) => [PAGE, ...segments.slice(0, index + 1)].join("/"));
  return [PAGE, `${PAGE}/`, ...paths].map((path) => ({
    path,
    bytes: (raw) => Buffer.byteLength(show(site, raw).body),
    show: async (raw) => show(site, raw),
  }));
}

const notBuilt: ErrorAnswer = {
  status: 503,
  body: toErrorBody(
    "SERVICE_UNAVAILABLE",
    "This server has no console: run `npm run build` and start it again.",
  ),
};

function show(site: BuiltSite | null, raw: IncomingMessage): SentPage | ErrorAnswer {
  const path = pathOf(raw.url ?? "");
  if (path === API || path.startsWith(`${API}/`))
    return missing("The console has no operation at this path.");
  if (site === null) return notBuilt;
  const file = site.find(path.startsWith(ASSETS) ? path : PAGE);
  return file === undefined ? missing("The console has no such file.") : answerFile(file, raw);
}

function missing(message: string): ErrorAnswer {
  return { status: 404, body: toErrorBody("NOT_FOUND", message) };
}

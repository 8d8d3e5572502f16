/** Where a passkey may be made: a page over https, a page of this machine, or an app that its system vouches for. */
import { isLoopbackHost } from "../../std/loopback.ts";
import { parseUrl } from "../../std/url.ts";

const APP_ORIGIN = /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/;
const LONGEST_ORIGIN = 512;

export function isUsableOrigin(origin: string): boolean {
  if (origin.length > LONGEST_ORIGIN) return false;
  if (APP_ORIGIN.test(origin)) return true;
  const url = parseUrl(origin);
  // An origin is written in one way; anything else in it, such as a path, shows here.
  if (url?.origin !== origin) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isThisMachine(url.hostname));
}

/** To a browser the names below `localhost` are this machine too. */
function isThisMachine(host: string): boolean {
  return isLoopbackHost(host) || host.endsWith(".localhost");
}

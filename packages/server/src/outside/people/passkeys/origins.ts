/** The allowed origins of a passkey: a page over https, a page of this machine, or an Android app identified by its key. */
import { isLoopbackHost } from "../../../std/loopback.ts";
import { parseUrl } from "../../../std/url.ts";

const APP_ORIGIN = /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/;
const LONGEST_ORIGIN = 512;

export function isUsableOrigin(origin: string): boolean {
  if (origin.length > LONGEST_ORIGIN) return false;
  if (APP_ORIGIN.test(origin)) return true;
  const url = parseUrl(origin);
  // An origin has one canonical form, so a path or anything else in it makes it differ.
  if (url?.origin !== origin) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isThisMachine(url.hostname));
}

/** To a browser the names below `localhost` are this machine too. */
function isThisMachine(host: string): boolean {
  return isLoopbackHost(host) || host.endsWith(".localhost");
}

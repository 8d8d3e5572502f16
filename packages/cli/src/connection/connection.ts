/** Which server a command talks to, and with which credentials. */
import { NotSignedIn, UsageError } from "../failures.ts";
import type { Host } from "../host.ts";
import { type Environment, readProfiles } from "./profiles.ts";

export interface Connection {
  /** The base URL with the version segment. */
  readonly url: string;
  readonly authorization: string | undefined;
  readonly clientId: string;
  /** Undefined when the credentials come from environment variables. */
  readonly profile: string | undefined;
  readonly environment: Environment;
}

export const DEFAULT_URL = "http://127.0.0.1:8080/2025-10-13";
const VERSION_SEGMENT = "/2025-10-13";

/** A named profile takes precedence over the environment variables, and these over the current profile. */
export function connectionOf(host: Host, named: string | undefined): Connection {
  const { FLORIN_CLIENT_ID, FLORIN_CLIENT_SECRET, FLORIN_URL } = host.env;
  const hasVariables = isSet(FLORIN_CLIENT_ID) && isSet(FLORIN_CLIENT_SECRET);
  if (named === undefined && hasVariables) {
    return {
      url: toBaseUrl(isSet(FLORIN_URL) ? FLORIN_URL : DEFAULT_URL),
      authorization: basicAuthorization(FLORIN_CLIENT_ID, FLORIN_CLIENT_SECRET),
      clientId: FLORIN_CLIENT_ID,
      profile: undefined,
      environment: "UNKNOWN",
    };
  }
  const { current, byName } = readProfiles(host);
  const name = named ?? (isSet(host.env.FLORIN_PROFILE) ? host.env.FLORIN_PROFILE : current);
  if (name === undefined) {
    throw new NotSignedIn(
      "not signed in; run: florin login, or set FLORIN_CLIENT_ID and FLORIN_CLIENT_SECRET",
    );
  }
  const profile = byName.get(name);
  if (profile === undefined)
    throw new NotSignedIn(`there is no profile ${name}; run: florin login --profile ${name}`);
  const { url, clientId, clientSecret, environment } = profile;
  return {
    // FLORIN_URL is ignored: the saved secret is sent only to the server that it was saved for.
    url: toBaseUrl(url),
    authorization: basicAuthorization(clientId, clientSecret),
    clientId,
    profile: name,
    environment,
  };
}

/** The URL of the server, for calls that carry other credentials or none. */
export function urlOf(host: Host, named: string | undefined): string {
  const { FLORIN_URL } = host.env;
  if (named === undefined && isSet(FLORIN_URL)) return toBaseUrl(FLORIN_URL);
  const { current, byName } = readProfiles(host);
  const name = named ?? current;
  const profile = name === undefined ? undefined : byName.get(name);
  return toBaseUrl(profile?.url ?? DEFAULT_URL);
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}

/** Without a path, the version segment is added. */
export function toBaseUrl(text: string): string {
  const url = parseUrl(text);
  const isPlain =
    url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new UsageError("the URL must be http or https, without user, query and fragment");
  }
  const path = url.pathname.replace(/\/+$/, "");
  return url.origin + (path === "" ? VERSION_SEGMENT : path);
}

/** `URL.canParse` is wrong for Latin-1 text in Node 20 and 22 once it is compiled. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Errors do not repeat the values. The usual cause is a secret from a file that ends with a line end. */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  if (clientId === "" || clientId.includes(":") || /\p{Cc}/u.test(clientId)) {
    throw new UsageError(
      "the client id must not be empty and holds no colon and no control characters",
    );
  }
  if (clientSecret === "" || /\p{Cc}/u.test(clientSecret)) {
    throw new UsageError("the client secret must be a text without control characters");
  }
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`, "utf8").toString("base64")}`;
}

export function bearerAuthorization(host: Host): string {
  const token = host.env.FLORIN_ACCESS_TOKEN;
  if (!isSet(token)) throw new NotSignedIn("an agent's command needs FLORIN_ACCESS_TOKEN");
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError("FLORIN_ACCESS_TOKEN must be visible ASCII characters without a space");
  }
  return `Bearer ${token}`;
}

export interface BasicCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const MAX_PART_LENGTH = 200;
const SCHEME = "basic ";
// Matches groups of four characters, so that the expression never backtracks.
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const PRINTABLE = /^[\x20-\x7e]+$/;

/** Parses the client id and secret from an `Authorization: Basic` header; undefined for any other header. */
export function parseBasic(header: string): BasicCredentials | undefined {
  if (header.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined;
  const encoded = header.slice(SCHEME.length).trim();
  if (!BASE64.test(encoded)) return undefined;
  const decoded = Buffer.from(encoded, "base64").toString("latin1");
  if (!PRINTABLE.test(decoded)) return undefined;
  const colon = decoded.indexOf(":");
  if (colon < 1 || colon > MAX_PART_LENGTH) return undefined;
  const secretLength = decoded.length - colon - 1;
  if (secretLength < 1 || secretLength > MAX_PART_LENGTH) return undefined;
  return { clientId: decoded.slice(0, colon), clientSecret: decoded.slice(colon + 1) };
}

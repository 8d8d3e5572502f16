/** What is kept of the headers and the body of an exchange, as text that PostgreSQL can store. */

const MAX_BODY_BYTES = 1_024;
const MAX_HEADERS_CHARS = 4_096;
/** A receiver may answer with credentials of its own. */
const HIDDEN = new Set(["set-cookie", "set-cookie2", "authorization", "proxy-authenticate"]);
const LAST_CUT_CHARACTER = /\uFFFD$/;

/** The JSON of headers; those beyond a bound are left out. */
export function headersText(headers: Readonly<Record<string, string>>): string {
  const kept: Record<string, string> = {};
  let chars = 0;
  for (const [name, value] of Object.entries(headers)) {
    chars += name.length + value.length;
    if (chars > MAX_HEADERS_CHARS) break;
    kept[name] = HIDDEN.has(name) ? "[hidden]" : value;
  }
  return JSON.stringify(kept);
}

/** The first bytes of a body. PostgreSQL stores no NUL. */
export function bodyText(body: string): string {
  const bytes = Buffer.from(body.slice(0, MAX_BODY_BYTES));
  const isCut = bytes.length > MAX_BODY_BYTES;
  const text = bytes.subarray(0, MAX_BODY_BYTES).toString("utf8").replaceAll("\0", "\uFFFD");
  return isCut ? text.replace(LAST_CUT_CHARACTER, "") : text;
}

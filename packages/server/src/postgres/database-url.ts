/**
 * The value of DATABASE_URL: an address of PostgreSQL with one host, or with several with commas between them, of which the primary is
 * used (primary.ts). As in libpq each host has its own port, 5432 unless it says another one, and `target_session_attrs` is known.
 */

/** Scheme, user with password, hosts, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/)((?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]*)(?::(\d{1,5}))?$/;
const ATTRIBUTES = "target_session_attrs";
/** The accepted values of `target_session_attrs`: the server needs a host that takes writes. */
const WRITABLE: readonly string[] = ["read-write", "primary"];
const MOST_HOSTS = 16;

/** One address for each host. Throws an `Error` that says what is wrong and repeats nothing of the value: it may hold a password. */
export function databaseHosts(url: string): readonly string[] {
  const [, scheme, user = "", hosts = "", rest = ""] = PARTS.exec(url) ?? [];
  if (scheme === undefined) throw new Error("must begin with postgres:// or postgresql://");
  const path = withoutAttributes(rest);
  const places = hosts.split(",").map(placeOf);
  if (places.length === 1) return [`${scheme}${user}${hosts}${path}`];
  if (places.length > MOST_HOSTS) throw new Error(`must name at most ${MOST_HOSTS} hosts`);
  if (places.some(({ host }) => host === "")) throw new Error("names a host that is empty");
  return places.map(
    ({ host, port }) => `${scheme}${user}${host}${port === undefined ? "" : `:${port}`}${path}`,
  );
}

function placeOf(text: string): { readonly host: string; readonly port: string | undefined } {
  const [, host, port] = HOST.exec(text) ?? [];
  if (host === undefined || (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))) {
    throw new Error("names a host that is not HOST or HOST:PORT, such as db1:5432");
  }
  return { host, port };
}

function withoutAttributes(rest: string): string {
  const [path = "", query] = rest.split("?", 2);
  if (query === undefined) return rest;
  const kept = query.split("&").filter((pair) => {
    const [name, value = ""] = pair.split("=", 2);
    if (name !== ATTRIBUTES) return true;
    if (!WRITABLE.includes(value)) {
      throw new Error(`has a ${ATTRIBUTES} other than ${WRITABLE.join(" or ")}`);
    }
    return false;
  });
  return kept.length === 0 ? path : `${path}?${kept.join("&")}`;
}

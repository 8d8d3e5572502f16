/** Mail addresses without names, comments, quotes or non-ASCII letters, which allow look-alikes. */
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const ADDRESS = new RegExp(
  `^(?<local>${ATOM}(?:\\.${ATOM})*)@(?<domain>${LABEL}(?:\\.${LABEL})+)$`,
);
const LONGEST_ADDRESS = 254;
const LONGEST_LOCAL_PART = 64;

export function isMailAddress(text: string): boolean {
  if (text.length > LONGEST_ADDRESS) return false;
  const local = ADDRESS.exec(text)?.groups?.local;
  return local !== undefined && local.length <= LONGEST_LOCAL_PART;
}

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** `a@example.com` or `Name <a@example.com>`. */
export function parseMailbox(text: string): Mailbox | undefined {
  if (isMailAddress(text)) return { name: "", address: text };
  const at = text.indexOf("<");
  const address = text.slice(at + 1, -1);
  if (at === -1 || !text.endsWith(">") || !isMailAddress(address)) return undefined;
  const given = text.slice(0, at).trim();
  const name = (/^"[^"]*"$/.test(given) ? given.slice(1, -1) : given).trim();
  return /["<>\p{Cc}]/u.test(name) ? undefined : { name, address };
}

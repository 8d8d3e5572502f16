/** Checks a signature of a body. When it does not match, finds out whether the body or the key differs. */
import { isSignedBy, signatureIn } from "@florin/cli/signature";

export type Verdict =
  | "valid"
  /** Valid by the next key of a key rotation. */
  | "validByNext"
  | "noSignature"
  /** The same JSON in other bytes: it was parsed and serialised again, or a line break was added. */
  | "reserialised"
  | "altered"
  | "otherKey"
  /** The original event is not known, so either the body or the key may differ. */
  | "alteredOrOtherKey";

export interface Delivered {
  /** The value of `X-Service-Signature`. */
  readonly header: string;
  readonly body: string;
}

export interface Known {
  /** Public keys in PEM. */
  readonly key: string;
  readonly nextKey: string | undefined;
  /** The original text of the event whose id is in the body; undefined when it is not known. */
  readonly original: string | undefined;
}

export async function judge({ header, body }: Delivered, known: Known): Promise<Verdict> {
  const signature = signatureIn(header);
  if (signature === undefined) return "noSignature";
  const isOf = (text: string, key: string) => isSignedBy(signature, { text, key });
  const { key, nextKey, original } = known;
  if (await isOf(body, key)) return "valid";
  if (nextKey !== undefined && (await isOf(body, nextKey))) return "validByNext";
  const rewritten = original ?? writtenAgain(body);
  if (rewritten !== undefined && (await isOf(rewritten, key)))
    return isSameJson(rewritten, body) ? "reserialised" : "altered";
  return original === undefined ? "alteredOrOtherKey" : "otherKey";
}

/** The event id in a body. */
export function eventIdIn(body: string): string | undefined {
  const parsed = parse(body);
  const id =
    typeof parsed === "object" && parsed !== null && "id" in parsed ? parsed.id : undefined;
  return typeof id === "string" && id.startsWith("Webhook:") ? id : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Serialises the body again in the server's form. */
function writtenAgain(body: string): string | undefined {
  const parsed = parse(body);
  return parsed === undefined ? undefined : JSON.stringify(parsed);
}

function isSameJson(one: string, other: string): boolean {
  return sortedText(parse(one)) === sortedText(parse(other));
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { WebhookData } from "./api-types.ts";
import type { Unlisted } from "./open-types.ts";
import { asObject, parseJson } from "./wallet/outside-json.ts";

/** One delivery as your endpoint received it. */
export interface WebhookDelivery {
  /** The raw body, before any JSON parser. */
  readonly body: string | Uint8Array;
  /** The header `X-Service-Signature`, as Node or a framework returns it. A repeated header never verifies. */
  readonly header: string | readonly string[] | null | undefined;
  /**
   * The platform's webhook key, as PEM (`BEGIN PUBLIC KEY`). During a key rotation give two keys, the current one and its `next`; a
   * delivery that either key signed is valid.
   */
  readonly publicKey: string | readonly string[];
}

interface Event<Type extends string, Data> {
  /** The id of the event, the same on every delivery: store it, and answer 409 or 200 to a repeated one. */
  readonly id: string;
  readonly type: Type;
  readonly timestamp: string;
  readonly data: Data;
}

export type WebhookEventType = keyof WebhookData;

/** An event that this version of the client has no type for. */
export type UnlistedEvent = Event<Unlisted, unknown>;

/** `type` determines the type of `data`. */
export type WebhookEvent =
  | { [Type in WebhookEventType]: Event<Type, WebhookData[Type]> }[WebhookEventType]
  | UnlistedEvent;

/** The delivery is not signed by the platform or is malformed: answer 401 and ignore it. */
export class WebhookSignatureError extends Error {
  override readonly name = "WebhookSignatureError";
}

/**
 * Verifies the signature of the body: ECDSA on P-256 with SHA-256 over the raw bytes. Throws a `TypeError` for an invalid key,
 * because no delivery would ever verify.
 */
export function verifyWebhook({ body, header, publicKey }: WebhookDelivery): boolean {
  const keys = (typeof publicKey === "string" ? [publicKey] : publicKey).map(toPublicKey);
  if (keys.length === 0) throw new TypeError("a webhook key must be given");
  const signature = signatureIn(header);
  if (signature === undefined) return false;
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
  return keys.some((key) => isSigned(bytes, key, signature));
}

function isSigned(bytes: Uint8Array, key: KeyObject, signature: Buffer): boolean {
  try {
    return verify("sha256", bytes, { key, dsaEncoding: "der" }, signature);
  } catch {
    return false;
  }
}

/**
 * Parses the event of a delivery that passes `verifyWebhook`. `data` is not validated. For an endpoint with a `delivery` setting, see
 * `readWebhooks`.
 */
export function readWebhook(delivery: WebhookDelivery): WebhookEvent {
  const event = eventOf(readSigned(delivery));
  if (event === undefined) {
    throw new WebhookSignatureError("the body is signed but is not an event");
  }
  return event;
}

/**
 * Parses the events of a delivery that passes `verifyWebhook`, in order: those of a batch, or the one event of any other delivery. An
 * endpoint with a `delivery` setting gets batches, and its TEST alone. `data` is not validated.
 */
export function readWebhooks(delivery: WebhookDelivery): readonly WebhookEvent[] {
  const signed = readSigned(delivery);
  const { events } = asObject(signed) ?? {};
  const read = (Array.isArray(events) ? events : [signed]).map(eventOf);
  const known = read.filter((event) => event !== undefined);
  if (known.length < read.length) {
    throw new WebhookSignatureError("the body is signed but is neither an event nor a batch");
  }
  return known;
}

/** The JSON of a delivery whose signature is verified. */
function readSigned(delivery: WebhookDelivery): unknown {
  const { body } = delivery;
  if (typeof body !== "string" && !(body instanceof Uint8Array)) {
    throw new WebhookSignatureError("the body must be the bytes as they came in, not parsed JSON");
  }
  if (!verifyWebhook(delivery)) throw new WebhookSignatureError("the signature does not fit");
  return parseJson(typeof body === "string" ? body : Buffer.from(body).toString("utf8"));
}

function eventOf(json: unknown): WebhookEvent | undefined {
  const { id, type, timestamp, data } = asObject(json) ?? {};
  if (typeof id !== "string" || typeof type !== "string" || typeof timestamp !== "string") {
    return undefined;
  }
  return { id, type, timestamp, data } as WebhookEvent;
}

/** The header is JSON with the signature in `s`, or else the signature itself. */
function signatureIn(given: WebhookDelivery["header"]): Buffer | undefined {
  const header = Array.isArray(given) && given.length === 1 ? given[0] : given;
  if (typeof header !== "string" || header === "") return undefined;
  const parsed = asObject(parseJson(header));
  if (parsed === undefined) return fromBase64(header.trim());
  const { v: version, s: signature } = parsed;
  if (version !== undefined && version !== "1") return undefined;
  return typeof signature === "string" ? fromBase64(signature) : undefined;
}

/** Standard base64 with padding, in canonical form; Node's decoder ignores invalid characters. */
function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : undefined;
}

function toPublicKey(pem: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    if (pem.includes("BEGIN PUBLIC KEY")) key = createPublicKey(pem);
  } catch (error) {
    throw new TypeError("the webhook key cannot be read", { cause: error });
  }
  if (key?.asymmetricKeyDetails?.namedCurve !== "prime256v1") {
    throw new TypeError("the webhook key must be a P-256 public key in PEM form");
  }
  return key;
}

/** Builds the bytes of requests in advance; only the idempotency key is written per request. */

export interface RequestShape {
  readonly method: string;
  /** With the version segment and the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged, any other value as JSON. */
  readonly body?: unknown;
}

export interface RequestSourceOptions {
  readonly host: string;
  readonly port: number;
  readonly requests: readonly RequestShape[];
  /** Prefix of all keys, followed by the number of the request. Must be unique among the runs on one database. */
  readonly keyPrefix: string;
}

const KEY_DIGITS = 12;
const KEY_PLACE = "0".repeat(KEY_DIGITS);

interface Prepared {
  readonly bytes: Buffer;
  /** Offset of the last digit of the idempotency key; -1 without a key. */
  readonly lastDigitAt: number;
}

/** Returns the `n`-th request, from 0. The key of a POST is unique within the source. */
export function createRequestSource(options: RequestSourceOptions): (n: number) => Buffer {
  if (!/^[\x21-\x7e]{1,200}$/.test(options.keyPrefix)) throw new Error("keyPrefix is not valid");
  const prepared = options.requests.map((shape) => prepare(shape, options));
  const [first] = prepared;
  if (first === undefined) throw new Error("there is no request to send");
  return (n) => {
    const { bytes, lastDigitAt } = prepared[n % prepared.length] ?? first;
    const copy = Buffer.allocUnsafe(bytes.length);
    bytes.copy(copy);
    let rest = n;
    for (let at = lastDigitAt; rest > 0 && at >= 0; at -= 1) {
      copy[at] = 48 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    return copy;
  };
}

function prepare(shape: RequestShape, options: RequestSourceOptions): Prepared {
  const body = bodyText(shape.body);
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  const lines = [`${shape.method} ${shape.path} HTTP/1.1`, `Host: ${host}:${options.port}`];
  for (const [name, value] of Object.entries(shape.headers ?? {})) lines.push(`${name}: ${value}`);
  if (body !== "") lines.push("Content-Type: application/json");
  if (body !== "" || shape.method === "POST") {
    lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  }
  const hasKey = shape.method === "POST";
  if (hasKey) lines.push(`Idempotency-Key: ${options.keyPrefix}${KEY_PLACE}`);
  if (lines.some((line) => /[\r\n]/.test(line))) throw new Error("a line break in a request head");
  const head = lines.join("\r\n");
  return {
    bytes: Buffer.from(`${head}\r\n\r\n${body}`),
    lastDigitAt: hasKey ? Buffer.byteLength(head) - 1 : -1,
  };
}

function bodyText(body: unknown): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}

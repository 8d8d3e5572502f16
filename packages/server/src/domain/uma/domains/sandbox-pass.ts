/**
 * The header of requests that sandboxes of this deployment send each other over its own port. It names the namespace of sandboxes and the time,
 * and has a MAC over both and over the request, under a key that is derived from the master key. So no other party makes one, one request's header
 * is of no use for another, and one that was seen is of no use after half a minute.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { umaNamespace } from "../../platform.ts";

export const PASS_HEADER = "florin-sandbox";

const LIVES_MS = 30_000;
const NAMESPACE = umaNamespace("SANDBOX");
/** namespace.milliseconds.MAC */
const FORM = /^([a-z_]+)\.(\d{1,15})\.([\w-]{43})$/;

export interface PassedRequest {
  readonly method: string;
  readonly host: string;
  /** Path and query, as sent. */
  readonly target: string;
}

export interface SandboxPasses {
  /** `now` is host time. */
  make(request: PassedRequest, now: number): string;
  isGood(header: unknown, request: PassedRequest, now: number): boolean;
}

export function createSandboxPasses(key: Buffer): SandboxPasses {
  const macOf = ({ method, host, target }: PassedRequest, at: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([NAMESPACE, at, method, host, target]))
      .digest("base64url");
  return {
    make: (request, now) => [NAMESPACE, now, macOf(request, String(now))].join("."),
    isGood(header, request, now) {
      const [, namespace, at = "", mac = ""] =
        FORM.exec(typeof header === "string" ? header : "") ?? [];
      const isSame = timingSafeEqual(
        Buffer.from(macOf(request, at)),
        Buffer.from(mac.padEnd(43, "-")),
      );
      return isSame && namespace === NAMESPACE && Math.abs(now - Number(at)) <= LIVES_MS;
    },
  };
}

/** The accepted issuers of ID tokens. An issuer is compared as exact text: one more slash makes another issuer. */
import { isLoopbackHost } from "../../../std/loopback.ts";
import { parseUrl } from "../../../std/url.ts";

export type KnownIssuers = ReadonlySet<string>;

export const DEFAULT_ISSUERS = [
  "https://accounts.google.com",
  "https://appleid.apple.com",
] as const;

/** An issuer as the operator writes it: its URL, exactly as it stands in `iss`. Plain http is accepted only for this machine. */
export function toIssuer(text: string): string {
  const url = parseUrl(text);
  const isPlain = url !== undefined && url.username === "" && !/[?#]/.test(text);
  const isSafe = url?.protocol === "https:" || isLoopbackHost(url?.hostname ?? "");
  if (!isPlain || !isSafe || !/^https?:\/\//.test(text)) {
    throw new Error("every issuer must be an https URL; http is for this machine");
  }
  return text;
}

/** Google writes its own name in two ways. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["accounts.google.com", "https://accounts.google.com"],
]);

const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ["https://accounts.google.com", "Google"],
  ["https://appleid.apple.com", "Apple"],
]);

export function canonicalIssuer(value: unknown): string | undefined {
  return typeof value === "string" ? (ALIASES.get(value) ?? value) : undefined;
}

export function providerNameOf(issuer: string): string {
  return PROVIDERS.get(issuer) ?? new URL(issuer).host;
}

/** Whether the issuer uses plain http, so that it must be on this machine. */
export function isPlainHttp(issuer: string): boolean {
  return issuer.startsWith("http:");
}

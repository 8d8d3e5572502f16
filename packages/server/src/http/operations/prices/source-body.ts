/** What the operations on rate sources share: rules of their bodies, headers, and the source that a path names. */
import { createHash } from "node:crypto";
import type { SealedHeaders } from "../../../domain/prices/rate-sources/create-rate-source.ts";
import { findSource } from "../../../domain/prices/rate-sources/rate-source.sql.ts";
import {
  headersIdentity,
  type RateSource,
} from "../../../domain/prices/rate-sources/rate-source.ts";
import { type FieldError, Refusal } from "../../../engine/refusal.ts";
import { isCurrencyCode } from "../../../money/currency.ts";
import type { Sealer } from "../../../secrets/sealing.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../std/json.ts";
import type { Judgement } from "../../../validation/validation.ts";
import { requireId } from "../../../wire/ids.ts";
import type { JudgeSurroundings, Principal } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

/** Checks that the currencies exist, and that this server may call the address and send the headers. */
export function judgeSource(
  { pivots, settings, headers }: JsonObject,
  { context }: JudgeSurroundings<Services, Principal>,
): Judgement<undefined> {
  const { url, pairs } = isJsonObject(settings) ? settings : {};
  const errors: FieldError[] = [
    ...currencyFaults("pivots", pivots),
    ...pairCurrencyFaults("settings.pairs", pairs),
    ...headerFaults(headers),
  ];
  const reason = typeof url === "string" ? context.judgeConnectorUrl(url) : undefined;
  if (reason !== undefined) errors.push({ field: "settings.url", message: reason });
  return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
}

/** Unknown currencies of a list; values of another type are left to the schema. */
function currencyFaults(field: string, codes: Json | undefined): readonly FieldError[] {
  return (Array.isArray(codes) ? codes : []).flatMap((code: Json, index) =>
    typeof code !== "string" || isCurrencyCode(code)
      ? []
      : [{ field: `${field}.${index}`, message: `is no currency: ${code}` }],
  );
}

/** Unknown currencies of pairs. */
export function pairCurrencyFaults(field: string, pairs: Json | undefined): readonly FieldError[] {
  return (Array.isArray(pairs) ? pairs : []).flatMap((pair: Json, index) => {
    const { base, quote } = isJsonObject(pair) ? pair : {};
    return Object.entries({ base, quote }).flatMap(([member, code]) =>
      typeof code !== "string" || isCurrencyCode(code)
        ? []
        : [{ field: `${field}.${index}.${member}`, message: `is no currency: ${code}` }],
    );
  });
}

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
const HEADER_VALUE = /^[\x20-\x7e]*$/;
/** Headers that the HTTP client of this server sets, or that concern only the connection. */
const NOT_OURS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function headerFaults(headers: Json | undefined): readonly FieldError[] {
  if (!isJsonObject(headers)) return [];
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return Object.entries(headers).flatMap(([name, value], index) => {
    const field = `headers.${name.slice(0, 64)}`;
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(name)) return [{ field, message: "is no name of a header" }];
    if (NOT_OURS.has(lower)) return [{ field, message: "is set by the server itself" }];
    if (names.indexOf(lower) !== index) return [{ field, message: "is there already" }];
    const isText = typeof value !== "string" || HEADER_VALUE.test(value);
    return isText ? [] : [{ field, message: "must have printable ASCII characters alone" }];
  });
}

/** The headers of a body, sealed as one; null for none. */
export function sealHeaders(
  sealer: Sealer,
  { platformId, sealId }: { readonly platformId: string; readonly sealId: string },
  headers: Readonly<Record<string, string>>,
): SealedHeaders | null {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  if (entries.length === 0) return null;
  const text = JSON.stringify(Object.fromEntries(entries));
  const sealed = sealer.seal(text, headersIdentity(platformId, sealId));
  const fingerprints = entries.map(([name, value]) => [name, fingerprintOf(value)] as const);
  return { sealed, fingerprints: Object.fromEntries(fingerprints) };
}

function fingerprintOf(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("hex").slice(0, 8);
}

export function requireSourceId(raw: string): string {
  return requireId("RateSource", raw, "REFERENCE_NOT_FOUND");
}

export async function findRequiredSource(
  { reads }: Pick<Services, "reads">,
  { platformId }: Pick<Principal, "platformId">,
  rawId: string,
): Promise<RateSource> {
  const source = await findSource(reads, platformId, requireSourceId(rawId));
  if (source === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  return source;
}

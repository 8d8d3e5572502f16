/** What the operations on rail connections share: rules of their bodies, secrets, and the connection that a path names. */
import { createHash } from "node:crypto";
import { accountNumberFault } from "../../../domain/accounts/external/check-digits.ts";
import type { RailCalendar } from "../../../domain/rails/connections/calendar.ts";
import type { SentSecrets } from "../../../domain/rails/connections/connection-secrets.ts";
import {
  type FoundConnection,
  findConnection,
} from "../../../domain/rails/connections/rail-connection.sql.ts";
import {
  type SecretName,
  secretIdentity,
} from "../../../domain/rails/connections/rail-connection.ts";
import { type FieldError, Refusal } from "../../../engine/refusal.ts";
import { isCurrencyCode } from "../../../money/currency.ts";
import type { Sealer } from "../../../secrets/sealing.ts";
import { isTimeZoneName } from "../../../std/calendar/time-zone.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import type { Judgement } from "../../../validation/validation.ts";
import { requireId } from "../../../wire/ids.ts";
import type { JudgeSurroundings, Principal } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

/**
 * Currencies and a time zone that exist, an account number whose check digits fit, because payers are told of it, and an address that
 * this server may call. Fields of the wrong type are left to the schema.
 */
export function judgeConnection(
  { currencies, account, settings, calendar }: JsonObject,
  { context }: JudgeSurroundings<Services, Principal>,
): Judgement<undefined> {
  const errors: FieldError[] = [];
  for (const [index, code] of (Array.isArray(currencies) ? currencies : []).entries()) {
    if (typeof code !== "string" || isCurrencyCode(code)) continue;
    errors.push({ field: `currencies[${index}]`, message: `is no currency: ${code}` });
  }
  for (const name of ["iban", "routingNumber"] as const) {
    const number = isJsonObject(account) ? account[name] : undefined;
    const message = typeof number === "string" ? accountNumberFault(name, number) : undefined;
    if (message !== undefined) errors.push({ field: `account.${name}`, message });
  }
  const timeZone = isJsonObject(calendar) ? calendar.timeZone : undefined;
  if (typeof timeZone === "string" && !isTimeZoneName(timeZone)) {
    errors.push({ field: "calendar.timeZone", message: `is no IANA time zone: ${timeZone}` });
  }
  const baseUrl = isJsonObject(settings) ? settings.baseUrl : undefined;
  const reason = typeof baseUrl === "string" ? context.judgeConnectorUrl(baseUrl) : undefined;
  if (reason !== undefined) errors.push({ field: "settings.baseUrl", message: reason });
  return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
}

/** The members of a calendar that this version knows. */
export function calendarIn(sent: Partial<RailCalendar> | undefined) {
  const { timeZone, holidays } = sent ?? {};
  if (sent === undefined) return undefined;
  return {
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(holidays === undefined ? {} : { holidays }),
  };
}

/** The secrets of a body, sealed; null takes one away. */
export function sealSecrets(
  sealer: Sealer,
  { platformId, sealId }: { readonly platformId: string; readonly sealId: string },
  sent: Readonly<Record<string, unknown>> | undefined,
): SentSecrets {
  const entries = Object.entries(sent ?? {}).map(([name, value]) => {
    if (typeof value !== "string") return [name, null] as const;
    const sealed = sealer.seal(value, secretIdentity(platformId, sealId, name as SecretName));
    return [name, { sealed, fingerprint: fingerprintOf(value) }] as const;
  });
  return Object.fromEntries(entries);
}

function fingerprintOf(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("hex").slice(0, 8);
}

/** The members that this version knows; others are not stored. */
export function knownMembers(
  names: readonly string[],
  sent: Readonly<Record<string, unknown>> | undefined,
): JsonObject | undefined {
  if (sent === undefined) return undefined;
  const entries = names.map((name) => [name, sent[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonObject;
}

export function requireConnectionId(raw: string): string {
  return requireId("RailConnection", raw, "REFERENCE_NOT_FOUND");
}

export async function requireConnection(
  { reads }: Pick<Services, "reads">,
  { platformId }: Pick<Principal, "platformId">,
  rawId: string,
): Promise<FoundConnection> {
  const found = await findConnection(reads, platformId, requireConnectionId(rawId));
  if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  return found;
}

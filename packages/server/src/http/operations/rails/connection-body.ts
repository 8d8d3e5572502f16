/**
 * What the operations on rail connections, and the orders of such operations that wait for another owner, share: rules of their bodies,
 * secrets, and the connection that a path names. Secrets are sealed in the content of an order, as in the rows of connections.
 */
import { createHash } from "node:crypto";
import Type, { type Static } from "typebox";
import { accountNumberFault } from "../../../domain/accounts/external/check-digits.ts";
import {
  type ApprovalPlace,
  hasTwoDeciders,
} from "../../../domain/people/approvals/eligible-people.ts";
import { shownConnection } from "../../../domain/people/approvals/held-control.ts";
import type {
  ActivateRailConnectionInput,
  Described,
} from "../../../domain/rails/connections/activate-rail-connection.ts";
import type { RailCalendar } from "../../../domain/rails/connections/calendar.ts";
import type { SentSecrets } from "../../../domain/rails/connections/connection-secrets.ts";
import { missingIn } from "../../../domain/rails/connections/connection-settings.ts";
import type { CreateRailConnectionInput } from "../../../domain/rails/connections/create-rail-connection.ts";
import {
  type FundingSettings,
  NO_FUNDING,
} from "../../../domain/rails/connections/funding-settings.ts";
import {
  type FoundConnection,
  findConnection,
} from "../../../domain/rails/connections/rail-connection.sql.ts";
import {
  type ConnectionControl,
  type ConnectionSettings,
  GUARDED_CONTROL,
  NO_CONTROL,
  type SecretName,
  secretIdentity,
  secretNames,
} from "../../../domain/rails/connections/rail-connection.ts";
import type { UpdateRailConnectionInput } from "../../../domain/rails/connections/update-rail-connection.ts";
import { type FieldError, Refusal } from "../../../engine/refusal.ts";
import { isConnectionCurrency } from "../../../money/currency.ts";
import type { Sealer } from "../../../secrets/sealing.ts";
import { isTimeZoneName } from "../../../std/calendar/time-zone.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import type { Judgement } from "../../../validation/validation.ts";
import { requireId } from "../../../wire/ids.ts";
import {
  accountNames,
  controlIn,
  fundingNames,
  settingNames,
} from "../../../wire/rails/rail-connection.ts";
import type { JudgeSurroundings, Principal } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import type { CreateConnectionBody, UpdateConnectionBody } from "./connections.ts";

/** The default control of a connection. */
function usualControl(place: ApprovalPlace): ConnectionControl {
  const isGuarded = place.platform?.environment === "PRODUCTION" && hasTwoDeciders(place);
  return isGuarded ? GUARDED_CONTROL : NO_CONTROL;
}

const sealedSecret = Type.Union([
  Type.Object({ sealed: Type.String(), fingerprint: Type.String() }),
  Type.Null(),
]);
export const sealedSecrets = Type.Unsafe<SentSecrets>(
  Type.Object(Object.fromEntries(secretNames.map((name) => [name, Type.Optional(sealedSecret)]))),
);

type CreateConnectionContent = Omit<Static<typeof CreateConnectionBody>, "secrets"> & {
  readonly sealId: string;
  readonly secrets: SentSecrets;
};

export function createConnectionInput(
  content: CreateConnectionContent,
  place: ApprovalPlace,
): CreateRailConnectionInput {
  return {
    name: content.name,
    kind: content.kind,
    currencies: content.currencies,
    account: knownMembers(accountNames, content.account) ?? {},
    settings: (knownMembers(settingNames, content.settings) ?? {}) as ConnectionSettings,
    calendar: calendarIn(content.calendar) ?? {},
    control: controlIn(content.control) ?? {},
    usual: usualControl(place),
    sealId: content.sealId,
    secrets: content.secrets,
    funding: (knownMembers(fundingNames, content.funding) ?? NO_FUNDING) as FundingSettings,
  };
}

type UpdateConnectionContent = Omit<Static<typeof UpdateConnectionBody>, "secrets"> & {
  readonly connectionId: string;
  readonly secrets: SentSecrets;
  /** The connection at the time of the request. */
  readonly before: JsonObject;
};

export function updateConnectionInput(
  content: UpdateConnectionContent,
): UpdateRailConnectionInput & { readonly shown: JsonObject } {
  return {
    connectionId: requireId("RailConnection", content.connectionId, "REFERENCE_NOT_FOUND"),
    name: content.name,
    currencies: content.currencies,
    account: knownMembers(accountNames, content.account),
    settings: knownMembers(settingNames, content.settings),
    calendar: calendarIn(content.calendar),
    control: controlIn(content.control),
    secrets: content.secrets,
    funding: knownMembers(fundingNames, content.funding),
    shown: content.before,
  };
}

/** The connection as it is shown to the people who decide; undefined for an unknown one, which the command refuses. */
export async function shownConnectionOf(
  { reads }: Pick<Services, "reads">,
  platformId: string,
  connectionId: string,
): Promise<JsonObject | undefined> {
  const found = await findConnection(reads, platformId, connectionId);
  return found && shownConnection(found.connection);
}

export async function activationInput(
  services: Services,
  { found, shown }: { readonly found: FoundConnection; readonly shown?: JsonObject | undefined },
): Promise<ActivateRailConnectionInput & { readonly shown: JsonObject | undefined }> {
  const described = await describe(found, services);
  return { connectionId: found.connection.id, described, shown };
}

/** Calls the connector only when no other setting is missing. */
async function describe(
  found: FoundConnection,
  { connectors }: Services,
): Promise<Described | undefined> {
  const { connection } = found;
  const others = missingIn(connection).filter((field) => field !== "capabilities");
  const isAsked =
    connection.kind === "HTTP" && connection.status === "SETUP" && others.length === 0;
  return isAsked ? connectors.describe(found) : undefined;
}

/**
 * Checks that the currencies and the time zone exist, that this server may call the address, and that the account number has valid check
 * digits, because payers see it. Fields of the wrong type are left to the schema.
 */
export function judgeConnection(
  { currencies, account, settings, calendar }: JsonObject,
  { context }: JudgeSurroundings<Services, Principal>,
): Judgement<undefined> {
  const errors: FieldError[] = [];
  for (const [index, code] of (Array.isArray(currencies) ? currencies : []).entries()) {
    if (typeof code !== "string" || isConnectionCurrency(code)) continue;
    errors.push({ field: `currencies[${index}]`, message: `is no currency: ${code}` });
  }
  const ceilings = isJsonObject(settings) ? settings.feeCeilingMinor : undefined;
  for (const code of Object.keys(isJsonObject(ceilings) ? ceilings : {})) {
    if (isConnectionCurrency(code)) continue;
    errors.push({
      field: "settings.feeCeilingMinor",
      message: `has ${code}, which is no currency`,
    });
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
  const { timeZone, holidays, cutOffs } = sent ?? {};
  if (sent === undefined) return undefined;
  return {
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(holidays === undefined ? {} : { holidays }),
    ...(cutOffs === undefined ? {} : { cutOffs: [...cutOffs].sort() }),
  };
}

/** The secrets of a body, sealed; null removes a secret. */
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

import Type from "typebox";
import { inLowerCase, isDomainName } from "../../../domain/customers/uma-address.ts";
import { findPlatform } from "../../../domain/platform.sql.ts";
import type { EmbeddedWalletConfig } from "../../../domain/platform.ts";
import {
  configurePlatform,
  findMetadataSettings,
} from "../../../domain/platforms/searchable-metadata.ts";
import { hostOf, umaDomainFault } from "../../../domain/uma/domains/uma-domain.ts";
import { type FieldError, Refusal } from "../../../engine/refusal.ts";
import { isCurrencyCode } from "../../../money/currency.ts";
import { isTimeZoneName } from "../../../std/calendar/time-zone.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../std/json.ts";
import { parseUrl } from "../../../std/url.ts";
import type { Judgement } from "../../../validation/validation.ts";
import {
  configJson,
  EmbeddedWalletConfigSchema,
  NewBrandingSchema,
  NewSupportedCurrencySchema,
  searchableMetadataField,
  unknownFieldsField,
  webhookEventsField,
  wirePlatformConfig,
} from "../../../wire/platforms/platform-config.ts";
import { shown } from "../../request/noun.ts";
import {
  defineOperation,
  type JudgeSurroundings,
  type Principal,
  route,
} from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { brandingOf, brandNameFaults, logoFaults } from "./branding-body.ts";

const getConfig = defineOperation({
  id: "getConfig",
  ...route("GET /config", "VIEW", "settings.read"),
  tag: "Platform",
  summary: "Get the platform configuration",
  answers: {
    200: shown(wirePlatformConfig, "The configuration."),
  },
  refusals: [],
  async handle({ principal }, { reads }: Services) {
    const { platformId } = principal;
    const [platform, metadata] = await Promise.all([
      findPlatform(reads, platformId),
      findMetadataSettings(reads, platformId),
    ]);
    if (platform === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: configJson(platform, metadata) };
  },
});

const MAX_CURRENCIES = 100;

const Body = Type.Object({
  umaDomain: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
  webhookEndpoint: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      minLength: 1,
      maxLength: 2048,
      description: "Null takes the endpoint away.",
    }),
  ),
  webhookEvents: Type.Optional(webhookEventsField),
  supportedCurrencies: Type.Optional(
    Type.Array(NewSupportedCurrencySchema, { minItems: 1, maxItems: MAX_CURRENCIES }),
  ),
  embeddedWalletConfig: Type.Optional(EmbeddedWalletConfigSchema),
  branding: Type.Optional(NewBrandingSchema),
  statementTimeZone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "The IANA name of a time zone. Statements that are ordered already keep theirs.",
      examples: ["Europe/Berlin"],
    }),
  ),
  unknownFields: Type.Optional(unknownFieldsField),
  searchableMetadata: Type.Optional(searchableMetadataField),
});

const updateConfig = defineOperation({
  id: "updateConfig",
  ...route("PATCH /config", "MANAGE", "settings.write"),
  opensPersonalData: true,
  tag: "Platform",
  summary: "Update the platform configuration",
  description:
    "Absent fields stay as they are. `supportedCurrencies` replaces the whole list; `embeddedWalletConfig` is merged " +
    "field by field, `branding` is replaced as a whole. A new `umaDomain` is refused when another platform of the environment has it or one above or below it, " +
    "and when it is an IP address or the host of this deployment. In production only the operator changes it. A currency that is new is opened for the platform and, soon after, for each customer who was created " +
    "without a choice of `currencies`. The first `webhookEndpoint` gets the events from then on; another one goes on " +
    "where the one before it stopped. With `null` nothing is delivered any more, and an endpoint that is set later is a first " +
    "one again. A new one gets a TEST event; one that answered 410 is called again once it is set " +
    "again. For a logo, upload a document of the type `PLATFORM_LOGO` whose holder is the platform's configuration, and name " +
    "it in `branding.logoDocument`.",
  body: Body,
  requestExample: { webhookEndpoint: "https://platform.example/webhooks" },
  answers: {
    200: shown(wirePlatformConfig, "The configuration as it is now."),
  },
  events: ["TEST"],
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "INVALID_CURRENCY",
    "UMA_ADDRESS_EXISTS",
    "CONFLICT",
    "REFERENCE_NOT_FOUND",
  ],
  judge: judgeConfig,
  async handle({ principal, body }, services: Services) {
    const { umaDomain, webhookEndpoint, webhookEvents, supportedCurrencies } = body;
    const { embeddedWalletConfig, statementTimeZone, unknownFields, searchableMetadata } = body;
    const branding = await brandingOf(body.branding, principal.platformId, services);
    const answer = await submitForCaller(services.engine, principal, {
      command: configurePlatform,
      input: {
        umaDomain: umaDomain === undefined ? undefined : inLowerCase(umaDomain),
        webhookEndpoint,
        webhookEvents,
        supportedCurrencies: supportedCurrencies?.map(knownCurrencyFields),
        embeddedWalletConfig: embeddedWalletConfig && knownWalletFields(embeddedWalletConfig),
        branding,
        statementTimeZone,
        unknownFields,
        searchableMetadata,
        ownHost: hostOf(services.publicUrl()),
      },
      toAnswer: ({ platform, metadata }) => ({
        status: 200,
        body: configJson(platform, metadata),
      }),
    });
    // The setting is kept beside the credentials of each caller.
    if (unknownFields !== undefined) services.forgetCredentials();
    return answer;
  },
});

/** Faults that need the database. */
async function furtherFaults(
  body: JsonObject,
  surroundings: JudgeSurroundings<Services, Principal>,
): Promise<readonly FieldError[]> {
  const { principal, context } = surroundings;
  return [
    ...(await newDomainFaults(body, surroundings)),
    ...(await logoFaults(body.branding, principal.platformId, context)),
  ];
}

/** The command's faults for a new UMA domain. */
async function newDomainFaults(
  { umaDomain }: JsonObject,
  { principal, context }: JudgeSurroundings<Services, Principal>,
): Promise<readonly FieldError[]> {
  const domain = typeof umaDomain === "string" ? inLowerCase(umaDomain) : "";
  // `judgeFields` and the schema report an invalid domain.
  if (!isDomainName(domain)) return [];
  const platform = await findPlatform(context.reads, principal.platformId);
  if (platform?.umaDomains.includes(domain) === true) return [];
  const message = umaDomainFault(domain, hostOf(context.publicUrl()));
  return message === undefined ? [] : [{ field: "umaDomain", message }];
}

function judgeConfig(
  body: JsonObject,
  surroundings: JudgeSurroundings<Services, Principal>,
): Judgement<undefined> {
  return {
    ...judgeFields(body, surroundings),
    furtherFaults: () => furtherFaults(body, surroundings),
  };
}

/** Rules between fields, and rules that need our own tables. Fields of the wrong type are left to the schema. */
function judgeFields(
  { umaDomain, webhookEndpoint, supportedCurrencies, ...body }: JsonObject,
  { principal, context }: JudgeSurroundings<Services, Principal>,
): Judgement<undefined> {
  const errors: FieldError[] = [...brandNameFaults(body.branding)];
  if (typeof umaDomain === "string" && !isDomainName(inLowerCase(umaDomain))) {
    errors.push({ field: "umaDomain", message: "must be a domain name" });
  }
  if (typeof webhookEndpoint === "string") {
    const reason = context.judgeWebhookEndpoint(webhookEndpoint, principal.environment);
    if (reason !== undefined) errors.push({ field: "webhookEndpoint", message: reason });
  }
  if (!isLogoUrlOrAbsent(body.embeddedWalletConfig)) {
    errors.push({ field: "embeddedWalletConfig.logoUrl", message: "must be an https address" });
  }
  const { statementTimeZone: zone } = body;
  if (typeof zone === "string" && !isTimeZoneName(zone)) {
    const message = "must be the IANA name of a time zone, such as Europe/Berlin";
    errors.push({ field: "statementTimeZone", message });
  }
  let unknownCount = 0;
  const seen = new Set<Json>();
  const listed = Array.isArray(supportedCurrencies) ? supportedCurrencies : [];
  for (const [index, currency] of listed.slice(0, MAX_CURRENCIES).entries()) {
    if (!isJsonObject(currency)) continue;
    const { currencyCode: code, minAmount, maxAmount } = currency;
    const field = `supportedCurrencies.${index}`;
    if (typeof code === "string" && seen.has(code)) {
      errors.push({ field: `${field}.currencyCode`, message: "is listed twice" });
    } else if (typeof code === "string" && !isCurrencyCode(code)) {
      unknownCount += 1;
      errors.push({ field: `${field}.currencyCode`, message: `${code} is not a known currency` });
    }
    if (typeof minAmount === "number" && isLimit(maxAmount) && minAmount > maxAmount) {
      errors.push({ field: `${field}.minAmount`, message: "must not be above maxAmount" });
    }
    if (hasDuplicateNames(currency.requiredCounterpartyFields)) {
      const message = "must name each field once";
      errors.push({ field: `${field}.requiredCounterpartyFields`, message });
    }
    if (code !== undefined) seen.add(code);
  }
  if (errors.length === 0) return { ok: true, value: undefined };
  const code = errors.length === unknownCount ? "INVALID_CURRENCY" : "INVALID_INPUT";
  return { ok: false, errors, code };
}

/** False for a limit that the schema refuses, because it cannot be compared. */
function isLimit(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function hasDuplicateNames(fields: Json | undefined): boolean {
  if (!Array.isArray(fields)) return false;
  const names = fields.map((field) => (isJsonObject(field) ? field.name : undefined));
  const known = names.filter((name) => name !== undefined);
  return new Set(known).size < known.length;
}

/** The logo URL is printed into mail and never fetched by us. A value that is not text is left to the schema. */
function isLogoUrlOrAbsent(config: Json | undefined): boolean {
  const text = isJsonObject(config) ? config.logoUrl : undefined;
  if (typeof text !== "string") return true;
  const url = parseUrl(text);
  return url?.protocol === "https:" && url.username + url.password === "";
}

type CurrencyBody = Type.Static<typeof NewSupportedCurrencySchema>;

function knownCurrencyFields(currency: CurrencyBody): CurrencyBody {
  return {
    currencyCode: currency.currencyCode,
    minAmount: currency.minAmount,
    maxAmount: currency.maxAmount,
    requiredCounterpartyFields: currency.requiredCounterpartyFields.map(({ name, mandatory }) => ({
      name,
      mandatory,
    })),
    enabledTransactionTypes: currency.enabledTransactionTypes,
  };
}

const WALLET_FIELDS = Object.keys(EmbeddedWalletConfigSchema.properties);

function knownWalletFields(config: EmbeddedWalletConfig): EmbeddedWalletConfig {
  return Object.fromEntries(Object.entries(config).filter(([key]) => WALLET_FIELDS.includes(key)));
}

export const configOperations = [getConfig, updateConfig];

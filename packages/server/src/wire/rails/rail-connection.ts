import Type from "typebox";
import { accountTypes, railsOfType } from "../../domain/accounts/external/account-types.ts";
import { capabilitiesBySettings } from "../../domain/rails/connections/connection-settings.ts";
import {
  fundingModes,
  lateModes,
  MOST_GRACE_MINUTES,
  MOST_WINDOW_MINUTES,
} from "../../domain/rails/connections/funding-settings.ts";
import type { ConnectionHealth } from "../../domain/rails/connections/rail-connection.sql.ts";
import {
  approvals,
  type ConnectionControl,
  connectionStatuses,
  everyConnectionKind,
  orderDirections,
  pauseModes,
  type RailConnection,
  secretNames,
  toConnectionId,
  USUAL_RETURN_DAYS,
} from "../../domain/rails/connections/rail-connection.ts";
import { USUAL_FEE_CEILING_BPS } from "../../domain/rails/entries/book-fee.ts";
import { MAX_AMOUNT_MINOR } from "../../money/money.ts";
import { holidayCalendars } from "../../std/calendar/banking-days.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { formedText, sensitive, sensitiveKeyword } from "../../validation/schema.ts";
import { CountrySchema, currencyField, DateTimeSchema, filledText } from "../fields.ts";
import { idField } from "../id-fields.ts";
import { soundId } from "../ids.ts";
import { listedText } from "../value-lists.ts";
import {
  FeaturesSchema,
  featuresExample,
  HealthSchema,
  healthExample,
  healthJson,
} from "./connection-health.ts";
import { SettlementLayerSchema } from "./settlement-layer.ts";

export const connectionName = filledText(80);

/** Names of account types, at least one. */
export const accountTypesField = Type.Array(Type.Enum([...accountTypes]), {
  minItems: 1,
  maxItems: 60,
  uniqueItems: true,
});

const railNames = [...new Set(accountTypes.flatMap(railsOfType))].sort();

export const paymentRailsField = Type.Array(Type.Enum(railNames), {
  minItems: 1,
  maxItems: 60,
  uniqueItems: true,
  description: "Rails of the account types, such as `ACH`; of a wallet, its network.",
});

export const currenciesField = Type.Array(currencyField(), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
});

const text = (maxLength: number) => filledText(maxLength);

const accountMembers = {
  holderName: text(140),
  iban: formedText("^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$", "must be an IBAN without spaces"),
  bic: formedText("^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$", "must be a BIC of 8 or 11 characters"),
  otherId: text(34),
  routingNumber: formedText("^\\d{9}$", "must have nine digits"),
  accountNumber: formedText("^[0-9A-Za-z-]{1,34}$", "must be an account number without spaces"),
  bankName: text(140),
  label: text(140),
  townName: text(35),
  country: CountrySchema,
  streetName: text(70),
  buildingNumber: text(16),
  postCode: text(16),
};

type Members = Readonly<Record<string, Type.TSchema>>;

interface Options {
  readonly mayBeNull?: boolean;
  readonly $id?: string;
}

/** All members are optional; with `mayBeNull`, as in a change, null removes one. */
function optionalMembers(members: Members, { mayBeNull = false, ...options }: Options = {}) {
  // The request log looks only at the union, not at its variants, so the mark of a secret is repeated there.
  const orNull = (schema: Type.TSchema) =>
    Type.Union([schema, Type.Null()], sensitiveKeyword in schema ? sensitive : {});
  const entries = Object.entries(members).map(([name, schema]) => [
    name,
    Type.Optional(mayBeNull ? orNull(schema) : schema),
  ]);
  return Type.Object(Object.fromEntries(entries) as Record<string, Type.TSchema>, options);
}

const settingMembers = {
  baseUrl: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: "HTTP. Where the connector is; a path in it is a prefix of every call.",
  }),
  timeoutMs: Type.Integer({
    minimum: 1_000,
    maximum: 60_000,
    description: "HTTP, 20000. For a whole exchange.",
  }),
  concurrency: Type.Integer({
    minimum: 1,
    maximum: 64,
    description: "HTTP, 8. Exchanges with the connector at a time, for each server.",
  }),
  feed: Type.Boolean({
    description:
      "HTTP, false. Whether the connector's entries are read (`GET /entries`) and booked.",
  }),
  pollSeconds: Type.Integer({
    minimum: 10,
    maximum: 86_400,
    description: "HTTP, 300. How often they are read.",
  }),
  accountTypes: accountTypesField,
  paymentRails: paymentRailsField,
  holdDays: Type.Integer({
    minimum: 0,
    maximum: 60,
    description:
      "0. For how many banking days a collection is held after it has settled, before its account is credited.",
  }),
  feeCeilingBps: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: `HTTP, ${USUAL_FEE_CEILING_BPS}. Up to this share of its order, in basis points, a charge that the connector names (\`feeOf\`) is booked to own funds; a higher one is an item.`,
  }),
  feeCeilingMinor: Type.Record(
    Type.String(),
    Type.Integer({ minimum: 0, maximum: Number(MAX_AMOUNT_MINOR) }),
    {
      maxProperties: 20,
      description:
        "HTTP. By currency, in the smallest unit: a charge up to it is booked to own funds whatever its share. 0, and 10000 of `MSAT`, unless set.",
    },
  ),
  instructionsNote: Type.String({
    maxLength: 500,
    description: "MANUAL. For the people who work off the queue.",
  }),
};

const secretMember = Type.String({ minLength: 32, maxLength: 512, ...sensitive });
const secretMembers = Object.fromEntries(secretNames.map((name) => [name, secretMember]));

export const accountNames = Object.keys(accountMembers);
export const settingNames = Object.keys(settingMembers);

export const accountField = optionalMembers(accountMembers, { $id: "RailConnectionAccount" });
export const settingsField = optionalMembers(settingMembers, { $id: "RailConnectionSettings" });
export const secretsField = optionalMembers(secretMembers);
export const accountChange = optionalMembers(accountMembers, { mayBeNull: true });
export const settingsChange = optionalMembers(settingMembers, { mayBeNull: true });
export const secretsChange = optionalMembers(secretMembers, { mayBeNull: true });

const fundingMembers = {
  collectParts: Type.Boolean({
    description: "false. Whether several credits may add up to the amount of a quote.",
  }),
  onLate: Type.Enum([...lateModes], {
    description:
      "SUSPENSE. `RETURN`: money that comes too late for its quote goes back to the payer, where the entry tells the payer's account.",
  }),
  windowMinutes: Type.Integer({
    minimum: 1,
    maximum: MOST_WINDOW_MINUTES,
    description:
      "How long a quote waits for its money: 15, of a `MANUAL` connection 1440; never longer than its rate source permits.",
  }),
  graceMinutes: Type.Integer({
    minimum: 0,
    maximum: MOST_GRACE_MINUTES,
    description:
      "How long after that an entry may tell of money that was booked in time: 0, of a `MANUAL` connection 2880.",
  }),
};

const modeMember = Type.Enum([...fundingModes], {
  description:
    "By what a credit is recognised. `REFERENCE`: payers quote a reference. `VIRTUAL_ACCOUNTS`: each account has a number of its own, from a " +
    "pool. `CONNECTOR`: the connector tells where to pay to. `NONE`: payers are not told of the connection.",
});

export const fundingNames = ["mode", ...Object.keys(fundingMembers)];
/** A description belongs to the shared schema, not to the places that name it. */
export const fundingField = Type.Object(
  { mode: modeMember, ...optionalOf(fundingMembers) },
  { $id: "RailConnectionFunding" },
);
export const fundingChange = Type.Object({
  mode: Type.Optional(modeMember),
  ...optionalOf(
    Object.fromEntries(
      Object.entries(fundingMembers).map(([name, schema]) => [
        name,
        Type.Union([schema, Type.Null()]),
      ]),
    ) as unknown as typeof fundingMembers,
  ),
});

function optionalOf<Of extends Members>(members: Of) {
  const entries = Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)]);
  return Object.fromEntries(entries) as { [Name in keyof Of]: Type.TOptional<Of[Name]> };
}

/** Bounds the holidays of a connection's own calendar: enough for some decades. */
const MOST_HOLIDAYS = 1_000;
const MOST_CUT_OFFS = 20;

export const calendarField = Type.Object(
  {
    timeZone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "An IANA name; UTC unless set.",
        examples: ["Europe/Berlin"],
      }),
    ),
    holidays: Type.Optional(
      Type.Union(
        [
          Type.Enum([...holidayCalendars]),
          Type.Array(Type.String({ format: "date" }), { maxItems: MOST_HOLIDAYS }),
        ],
        {
          description:
            "Saturdays and Sundays are no banking days, nor those of `TARGET` or `FEDERAL_RESERVE`, or the days that are listed; " +
            "with `NONE` every day is one. Empty unless set.",
        },
      ),
    ),
    cutOffs: Type.Optional(
      Type.Array(formedText("^([01]\\d|2[0-3]):[0-5]\\d$", "must be a time such as 15:30"), {
        maxItems: MOST_CUT_OFFS,
        uniqueItems: true,
        description:
          "Times of a banking day, in the zone, until which the bank takes orders. The console shows by when a queued order must be made. Empty unless set.",
        examples: [["15:30"]],
      }),
    ),
  },
  { $id: "RailCalendar" },
);

const MOST_IMPORTERS = 100;
const MOST_RETURN_DAYS = 60;

export const controlField = Type.Object(
  {
    approval: Type.Optional(
      Type.Enum([...approvals], {
        description:
          "`FOUR_EYES`: every mark, resolution and entry that is typed in waits for another token (`GET /rails/marks`).",
      }),
    ),
    payoutCeiling: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: Number(MAX_AMOUNT_MINOR) }), Type.Null()], {
        description:
          "A payout above it, in the smallest unit of its currency, is `HELD` until another token confirms it.",
      }),
    ),
    creditCeiling: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: Number(MAX_AMOUNT_MINOR) }), Type.Null()], {
        description:
          "A credit to an account above it waits, `HELD`, until a person resolves its item.",
      }),
    ),
    returnDays: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_RETURN_DAYS,
        description: `How many banking days of the connection after its settlement a payout may come back by itself; ${USUAL_RETURN_DAYS} unless set. The money of a later return is an item.`,
      }),
    ),
    importers: Type.Optional(
      Type.Union(
        [
          Type.Array(idField("Token"), { maxItems: MOST_IMPORTERS, uniqueItems: true }),
          Type.Null(),
        ],
        {
          description:
            "The only tokens that may type entries and balances in; null: every one that may move money.",
        },
      ),
    ),
  },
  { $id: "RailControl" },
);

export function controlIn(
  sent:
    | {
        readonly approval?: ConnectionControl["approval"];
        readonly payoutCeiling?: number | null;
        readonly creditCeiling?: number | null;
        readonly importers?: readonly string[] | null;
        readonly returnDays?: number;
      }
    | undefined,
): Partial<ConnectionControl> | undefined {
  if (sent === undefined) return undefined;
  const { approval, payoutCeiling, creditCeiling, importers, returnDays } = sent;
  return {
    ...(approval === undefined ? {} : { approval }),
    ...(payoutCeiling === undefined ? {} : { payoutCeiling: payoutCeiling?.toString() ?? null }),
    ...(creditCeiling === undefined ? {} : { creditCeiling: creditCeiling?.toString() ?? null }),
    ...(importers === undefined
      ? {}
      : { importers: importers?.map((id) => soundId("Token", id)) ?? null }),
    ...(returnDays === undefined ? {} : { returnDays }),
  };
}

const SecretFactsSchema = Type.Object(
  { setAt: DateTimeSchema, fingerprint: Type.String() },
  {
    description:
      "When it was set, and the first eight hexadecimal digits of its SHA-256. A secret is never shown.",
  },
);
const secretFactMembers = Object.fromEntries(secretNames.map((name) => [name, SecretFactsSchema]));

const CapabilitySchema = Type.Object(
  {
    direction: Type.Enum([...orderDirections]),
    currency: listedText("CurrencyCode"),
    accountTypes: Type.Array(Type.String()),
    paymentRails: Type.Array(Type.String()),
    minAmount: Type.Optional(Type.Integer()),
    maxAmount: Type.Optional(Type.Integer()),
  },
  { $id: "RailCapability" },
);

export const RailConnectionSchema = Type.Object(
  {
    id: Type.String({ description: "`RailConnection:<uuid>`" }),
    name: Type.String(),
    kind: Type.Enum([...everyConnectionKind], {
      description:
        "`HTTP`: a connector. `MANUAL`: people. `SANDBOX`: the layer `florin-sandbox`, which is built in; `PUT /uma/policy` with the network `PROTOCOL` adds it.",
    }),
    status: Type.Enum([...connectionStatuses], {
      description:
        "`DEGRADED` is set by the server when exchanges fail, and ends by itself; nothing is sent meanwhile.",
    }),
    newPayments: Type.Optional(Type.Enum([...pauseModes], { description: "While it is paused." })),
    currencies: Type.Array(listedText("CurrencyCode")),
    account: accountField,
    capabilities: Type.Array(CapabilitySchema, {
      description: "What it carries: as its settings say, or as the connector told last.",
    }),
    features: Type.Optional(FeaturesSchema),
    settlement: Type.Optional(
      Type.Array(SettlementLayerSchema, {
        description:
          "The layers on which it settles invoices, as the connector told last. Absent for none.",
      }),
    ),
    missing: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "What the connector told last and this version cannot take, such as an unknown direction, type of account or rail: each is left out.",
      }),
    ),
    settings: settingsField,
    calendar: calendarField,
    control: controlField,
    secrets: optionalMembers(secretFactMembers),
    funding: fundingField,
    health: Type.Optional(HealthSchema),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "RailConnection" },
);

export function connectionJson(connection: RailConnection, health?: ConnectionHealth): string {
  const { id, name, kind, status, newPayments, currencies, account, settings, control } =
    connection;
  return JSON.stringify({
    id: toConnectionId(id),
    name,
    kind,
    status,
    ...(status === "PAUSED" ? { newPayments } : {}),
    currencies,
    account,
    capabilities: capabilitiesBySettings(connection),
    ...(connection.features === null ? {} : { features: connection.features }),
    ...(connection.settlement.length === 0 ? {} : { settlement: connection.settlement }),
    ...(connection.descriptionFaults === null ? {} : { missing: connection.descriptionFaults }),
    settings,
    calendar: connection.calendar,
    control: {
      approval: control.approval,
      payoutCeiling: control.payoutCeiling === null ? null : Number(control.payoutCeiling),
      creditCeiling: control.creditCeiling === null ? null : Number(control.creditCeiling),
      importers: control.importers?.map((token) => toWireId("Token", token)) ?? null,
      returnDays: control.returnDays ?? USUAL_RETURN_DAYS,
    },
    secrets: connection.secretFacts,
    funding: connection.funding,
    ...(health === undefined ? {} : { health: healthJson(connection, health) }),
    createdAt: toIso(connection.createdAt),
    updatedAt: toIso(connection.updatedAt),
  });
}

export const railConnectionExample = {
  id: "RailConnection:019a4f00-0000-7000-8000-000000000021",
  name: "House bank",
  kind: "HTTP",
  status: "ACTIVE",
  currencies: ["USD"],
  account: { holderName: "Acme Payments Inc", label: "Operating account" },
  capabilities: [
    { direction: "OUT", currency: "USD", accountTypes: ["USD_ACCOUNT"], paymentRails: ["ACH"] },
  ],
  settings: { baseUrl: "https://connector.example/bank" },
  calendar: { timeZone: "America/New_York", holidays: "FEDERAL_RESERVE" },
  secrets: {
    signingSecret: { setAt: "2026-11-21T10:00:00.000Z", fingerprint: "5f0c4b8f" },
    callbackSecret: { setAt: "2026-11-21T10:00:00.000Z", fingerprint: "9a1d0c77" },
  },
  funding: { mode: "NONE" },
  control: {
    approval: "NONE",
    payoutCeiling: null,
    creditCeiling: null,
    importers: null,
    returnDays: USUAL_RETURN_DAYS,
  },
  features: featuresExample,
  health: healthExample,
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const createConnectionExample = {
  name: "House bank",
  kind: "HTTP",
  currencies: ["USD"],
  account: { holderName: "Acme Payments Inc", label: "Operating account" },
  settings: { baseUrl: "https://connector.example/bank" },
  secrets: {
    signingSecret: "a secret that this server signs with",
    callbackSecret: "a secret that the connector signs with",
  },
};

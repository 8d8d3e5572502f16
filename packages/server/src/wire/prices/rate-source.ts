/** Rate sources and their observations on the wire. */
import Type from "typebox";
import {
  MOST_RATES,
  observationOrigins,
  type RateObservation,
  type RateSource,
  refusedReasons,
  type SourceRate,
  shownRate,
  sourceKinds,
  toSourceId,
} from "../../domain/prices/rate-sources/rate-source.ts";
import { ECB_URL, MAX_AGE_MINUTES } from "../../domain/prices/rate-sources/source-settings.ts";
import { POINTER } from "../../formats/json-rates.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { formedText, sensitive } from "../../validation/schema.ts";
import { currencyField, DateTimeSchema, filledText, optional } from "../fields.ts";
import { listedText } from "../value-lists.ts";

const pointerField = (description: string) =>
  formedText(POINTER, "must be a JSON pointer such as /data/0/rate", {
    maxLength: 256,
    description,
  });

const pairFields = { base: currencyField(), quote: currencyField() };

/** The settings of every kind; those of another kind are refused. */
export const sourceSettings = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_048,
        description: `ECB, HTTP. Where the document is; of ECB ${ECB_URL} without it.`,
      }),
    ),
    acknowledged: Type.Optional(
      Type.Boolean({
        description:
          "ECB, required. The bank publishes its rates for information and discourages their use for transactions; true says that the platform knows.",
      }),
    ),
    everySeconds: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: 86_400,
        description: "HTTP, 60. How often it is read.",
      }),
    ),
    pairs: Type.Optional(
      Type.Array(
        Type.Object({
          ...pairFields,
          pointer: pointerField(
            "Where the value is in the document: a number or a decimal text of at most 30 significant digits.",
          ),
          invert: Type.Optional(
            Type.Boolean({
              description: "The value is the number of units of `base` for one unit of `quote`.",
            }),
          ),
        }),
        { minItems: 1, maxItems: MOST_RATES, description: "HTTP, required." },
      ),
    ),
    asOfPointer: Type.Optional(
      pointerField(
        "HTTP. Where the time of the values is: a date-time, or seconds or milliseconds since 1970. Without it they are of the moment of reading.",
      ),
    ),
  },
  { $id: "RateSourceSettings" },
);

export const headersField = Type.Record(
  Type.String(),
  Type.String({ maxLength: 2_048, ...sensitive }),
  {
    maxProperties: 10,
    description:
      "HTTP. Headers of the calls, such as an API key. Kept sealed; answers show when each was set and a fingerprint.",
    ...sensitive,
  },
);

const minutes = (maximum: number, description: string) =>
  Type.Integer({ minimum: 1, maximum, description });

/** The members that every kind has. */
export const sourceMembers = {
  name: filledText(80),
  priority: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description:
      "100. The first source, by priority and age, that has a pair young enough gives its rate.",
  }),
  pivots: Type.Array(currencyField(), {
    maxItems: 5,
    uniqueItems: true,
    description:
      "EUR and USD. Currencies through which a pair is found that the source does not have.",
  }),
  maxAgeMinutes: minutes(
    43_200,
    `A rate that is older gives no quote: ${sourceKinds.map((kind) => `${kind} ${MAX_AGE_MINUTES[kind]}`).join(", ")} without it.`,
  ),
  lockMinutes: minutes(4_320, "5. How long a quote at these rates may hold."),
  maxMovePercent: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000 }), Type.Null()], {
    description:
      "20. A value is not taken that is further from the last one, or from the rate at the beginning of this day or of the day before (UTC); null takes any, and a change counts anew from the last rate.",
  }),
};

export const rateField = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "Units of `quote` for one unit of `base`, as a decimal.",
  examples: ["1.0850"],
});

const RateSchema = Type.Object(
  {
    base: listedText("CurrencyCode"),
    quote: listedText("CurrencyCode"),
    rate: rateField,
    asOf: DateTimeSchema,
  },
  { $id: "SourceRate" },
);

const RefusedSchema = Type.Object(
  {
    base: listedText("CurrencyCode"),
    quote: listedText("CurrencyCode"),
    value: Type.Optional(Type.String({ description: "As it was read." })),
    reason: Type.Enum([...refusedReasons]),
  },
  { $id: "RefusedRate" },
);

export const RateSourceSchema = Type.Object(
  {
    id: Type.String({ description: "`RateSource:<uuid>`" }),
    name: Type.String(),
    kind: Type.Enum([...sourceKinds]),
    priority: Type.Integer(),
    pivots: Type.Array(Type.String()),
    maxAgeMinutes: Type.Integer(),
    lockMinutes: Type.Integer(),
    maxMovePercent: Type.Optional(Type.Integer()),
    settings: sourceSettings,
    headers: Type.Record(
      Type.String(),
      Type.Object({ setAt: DateTimeSchema, fingerprint: Type.String() }),
      {
        description: "When each was set, and the first eight hexadecimal digits of its SHA-256.",
        ...sensitive,
      },
    ),
    rates: Type.Array(RateSchema, { description: "Those in use." }),
    refused: Type.Array(RefusedSchema, {
      description:
        "Values of the last document that were not taken; the rate before each stays in use.",
    }),
    asOf: Type.Optional(DateTimeSchema),
    readAt: Type.Optional(DateTimeSchema),
    lastError: Type.Optional(
      Type.Object({ code: Type.String(), message: Type.String(), at: DateTimeSchema }),
    ),
    staleSince: Type.Optional(DateTimeSchema),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "RateSource" },
);

const timed = <Key extends string>(key: Key, at: number | null) =>
  optional(key, at === null ? null : toIso(at));

export function sourceJson(source: RateSource): string {
  const { id, name, kind, priority, pivots, maxAgeMinutes, lockMinutes, settings } = source;
  return JSON.stringify({
    id: toSourceId(id),
    name,
    kind,
    priority,
    pivots,
    maxAgeMinutes,
    lockMinutes,
    ...optional("maxMovePercent", source.maxMovePercent),
    settings,
    headers: source.headerFacts,
    rates: source.rates.map(shownRate),
    refused: source.refused,
    ...timed("asOf", source.asOf),
    ...timed("readAt", source.readAt),
    ...optional("lastError", source.lastError),
    ...timed("staleSince", source.staleSince),
    createdAt: toIso(source.createdAt),
    updatedAt: toIso(source.updatedAt),
  });
}

export const ObservationSchema = Type.Object(
  {
    id: Type.String({ description: "`RateObservation:<uuid>`" }),
    origin: Type.Enum([...observationOrigins]),
    asOf: DateTimeSchema,
    digest: Type.String({ description: "The SHA-256 of the document, in hexadecimal digits." }),
    rates: Type.Array(RateSchema),
    refused: Type.Array(RefusedSchema),
    createdAt: DateTimeSchema,
  },
  { $id: "RateObservation" },
);

export function observationJson(observation: RateObservation): string {
  const { id, origin, asOf, digest, rates, refused, createdAt } = observation;
  return JSON.stringify({
    id: toWireId("RateObservation", id),
    origin,
    asOf: toIso(asOf),
    digest,
    rates,
    refused,
    createdAt: toIso(createdAt),
  });
}

const rateExample: SourceRate = {
  base: "EUR",
  quote: "USD",
  rate: "1.0850",
  asOf: "2026-11-21T10:00:00.000Z",
};

export const createSourceExample = { name: "Treasury desk", kind: "FIXED", maxAgeMinutes: 1_440 };

export const rateSourceExample = {
  id: "RateSource:019a4f00-0000-7000-8000-000000000031",
  name: "Treasury desk",
  kind: "FIXED",
  priority: 100,
  pivots: ["EUR", "USD"],
  maxAgeMinutes: 1_440,
  lockMinutes: 5,
  maxMovePercent: 20,
  settings: {},
  headers: {},
  rates: [rateExample],
  refused: [],
  asOf: "2026-11-21T10:00:00.000Z",
  readAt: "2026-11-21T10:00:00.000Z",
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const observationExample = {
  id: "RateObservation:019a4f00-0000-7000-8000-000000000032",
  origin: "PUT",
  asOf: "2026-11-21T10:00:00.000Z",
  digest: "9f".repeat(32),
  rates: [rateExample],
  refused: [],
  createdAt: "2026-11-21T10:00:00.000Z",
};

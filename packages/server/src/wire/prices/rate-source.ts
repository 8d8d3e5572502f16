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
} from "../../domain/prices/rate-sources/rate-source.ts";
import { ECB_URL, MAX_AGE_MINUTES } from "../../domain/prices/rate-sources/source-settings.ts";
import { POINTER } from "../../formats/json-rates.ts";
import { formedText, sensitive } from "../../validation/schema.ts";
import { currencyField, DateTimeSchema, filledText } from "../fields.ts";
import { listedText } from "../value-lists.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const pointerField = (description: string) =>
  formedText(POINTER, "must be a JSON pointer such as /data/0/rate", {
    maxLength: 256,
    description,
  });

const pairFields = { base: currencyField(), quote: currencyField() };

/** The settings of all kinds; a setting of another kind than the source's is refused. */
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

const rateExample: SourceRate = {
  base: "EUR",
  quote: "USD",
  rate: "1.0850",
  asOf: "2026-11-21T10:00:00.000Z",
};

export const createSourceExample = { name: "Treasury desk", kind: "FIXED", maxAgeMinutes: 1_440 };

const HeadersSchema = Type.Record(
  Type.String(),
  Type.Object({ setAt: DateTimeSchema, fingerprint: Type.String() }),
  {
    description: "When each was set, and the first eight hexadecimal digits of its SHA-256.",
    ...sensitive,
  },
);

const ErrorSchema = Type.Object({
  code: Type.String(),
  message: Type.String(),
  at: DateTimeSchema,
});

export const {
  schema: RateSourceSchema,
  json: sourceJson,
  example: rateSourceExample,
} = wireObject("RateSource", ({ of, maybe }: Kit<RateSource>) => ({
  id: of.id("RateSource", { description: "`RateSource:<uuid>`", example: 31 }),
  name: of.text({ example: "Treasury desk" }),
  kind: of.enum(sourceKinds, { example: "FIXED" }),
  priority: of.integer({ example: 100 }),
  pivots: of.json(Type.Array(Type.String()), { example: ["EUR", "USD"] }),
  maxAgeMinutes: of.integer({ example: 1_440 }),
  lockMinutes: of.integer({ example: 5 }),
  maxMovePercent: maybe.integer({ example: 20 }),
  settings: of.json(sourceSettings, { example: {} }),
  headers: of.json(HeadersSchema, { from: "headerFacts", example: {} }),
  rates: of.json(Type.Array(RateSchema, { description: "Those in use." }), {
    from: ({ rates }) => rates.map(shownRate),
    example: [rateExample],
  }),
  refused: of.json(
    Type.Array(RefusedSchema, {
      description:
        "Values of the last document that were not taken; the rate before each stays in use.",
    }),
    { example: [] },
  ),
  asOf: maybe.time({ example: "2026-11-21T10:00:00.000Z" }),
  readAt: maybe.time({ example: "2026-11-21T10:00:00.000Z" }),
  lastError: maybe.json(ErrorSchema),
  staleSince: maybe.time(),
  createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  updatedAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
}));

export const wireObservation = wireObject("RateObservation", ({ of }: Kit<RateObservation>) => ({
  id: of.id("RateObservation", { description: "`RateObservation:<uuid>`", example: 32 }),
  origin: of.enum(observationOrigins, { example: "PUT" }),
  asOf: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  digest: of.text({
    description: "The SHA-256 of the document, in hexadecimal digits.",
    example: "9f".repeat(32),
  }),
  rates: of.json(Type.Array(RateSchema), { example: [rateExample] }),
  refused: of.json(Type.Array(RefusedSchema), { example: [] }),
  createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
}));

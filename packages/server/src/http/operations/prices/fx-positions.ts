import Type, { type Static } from "typebox";
import { setLimitsOrder } from "../../../domain/people/approvals/held-control.ts";
import { listPositions } from "../../../domain/prices/fx-positions/fx-position.sql.ts";
import type { SetFxLimitsInput } from "../../../domain/prices/fx-positions/set-fx-limits.ts";
import { listLiveSources } from "../../../domain/prices/rate-sources/rate-source.sql.ts";
import { marketRate, openSources } from "../../../domain/prices/rates/market-rate.ts";
import {
  adjustFxPositions as adjustFxPositionsCommand,
  MOST_LEGS,
} from "../../../domain/rails/marks/adjust-fx-positions.ts";
import { type FieldError, invalidField } from "../../../engine/refusal.ts";
import { isConnectionCurrency, isCurrencyCode } from "../../../money/currency.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import { ratio } from "../../../money/ratio.ts";
import { isJsonObject, type Json } from "../../../std/json.ts";
import {
  currencyCodeParameter,
  currencyField,
  filledText,
  optionalMinor,
} from "../../../wire/fields.ts";
import { requireIdField } from "../../../wire/ids.ts";
import { waitingForPeople } from "../../../wire/people/approval.ts";
import {
  LimitsSchema,
  limitsBody,
  limitsExample,
  limitsJson,
  PositionsSchema,
  positionsExample,
  positionsJson,
  type Valuation,
} from "../../../wire/prices/fx-position.ts";
import { waitingAnswer, wireRailMark } from "../../../wire/rails/rail-mark.ts";
import { submitHeld } from "../../approvals/submit-held.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { approvalEvents } from "../event-lists.ts";

export function limitsInput({ limits }: Static<typeof limitsBody>): SetFxLimitsInput {
  return {
    limits: limits.map(({ currency, maxLong, maxShort }) => ({
      currency,
      maxLong: optionalMinor(maxLong),
      maxShort: optionalMinor(maxShort),
    })),
  };
}

const listFxPositions = defineOperation({
  id: "listFxPositions",
  ...route("GET /fx/positions", "VIEW", "rates.read"),
  tag: "Rates",
  summary: "List the positions",
  description:
    "What the platform holds of each currency because it exchanged for its customers, and what quotes under way will add. Valued at the rates of the " +
    "platform's sources, without a spread.",
  query: Type.Object({
    valueIn: currencyCodeParameter("The currency that positions are valued in; USD without it."),
  }),
  answers: {
    200: {
      description: "By currency: those that were exchanged or have a limit.",
      schema: PositionsSchema,
      example: positionsExample,
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal: { platformId }, query }, services: Services) {
    const { reads } = services;
    const { valueIn = "USD" } = query;
    if (!isCurrencyCode(valueIn)) throw invalidField("valueIn", `is no currency: ${valueIn}`);
    const [standings, sources, at] = await Promise.all([
      listPositions(reads, platformId),
      listLiveSources(reads, platformId),
      platformTime(services, platformId),
    ]);
    const facts = { sources: openSources(sources), spreads: [ANY_SPREAD], at };
    const valuationOf = (currency: string): Valuation | undefined => {
      if (currency === valueIn) return { currency: valueIn, mid: ratio(1n, 1n), asOf: at };
      // Units of `valueIn` for one unit of the currency.
      const found = marketRate({ from: valueIn, to: currency }, facts);
      return found.kind === "found"
        ? { currency: valueIn, mid: found.mid, asOf: found.asOf }
        : undefined;
    };
    return { status: 200, body: positionsJson(standings, valuationOf) };
  },
});

/** A rule without a spread for every pair: a valuation is not a price. */
const ANY_SPREAD = { from: "*", to: "*", bps: 0 } as const;

const setFxLimits = defineOperation({
  id: "setFxLimits",
  ...route("PUT /fx/limits", "MANAGE", "settings.write"),
  tag: "Rates",
  summary: "Set the limits of positions",
  description:
    "Replaces all limits. `maxLong` is how much of a currency the platform may hold, `maxShort` how much it may owe. The quote that would take a position past its limit is refused " +
    "when it is executed (409 FX_LIMIT); one that brings it back is not. " +
    "In production a wider limit waits for another owner where the workspace has two.",
  body: limitsBody,
  requestExample: { limits: limitsExample.limits },
  answers: {
    200: { description: "The limits.", schema: LimitsSchema, example: limitsExample },
    202: waitingForPeople,
  },
  events: approvalEvents,
  refusals: ["INVALID_INPUT", "INVALID_AMOUNT"],
  judge({ limits }) {
    const errors = (Array.isArray(limits) ? limits : []).flatMap((limit: Json, index) => {
      const currency = isJsonObject(limit) ? limit.currency : undefined;
      return typeof currency !== "string" || isConnectionCurrency(currency)
        ? []
        : [{ field: `limits.${index}.currency`, message: `is no currency: ${currency}` }];
    });
    return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
  },
  handle: async ({ principal, body }, services: Services) =>
    submitHeld(services, principal, {
      order: setLimitsOrder,
      content: body,
      input: limitsInput(body),
      toAnswer: ({ after }) => ({ status: 200, body: limitsJson(after) }),
      idempotency: undefined,
    }),
});

const LARGEST = Number(MAX_AMOUNT_MINOR);

const adjustFxPositions = defineOperation({
  id: "adjustFxPositions",
  ...route("POST /fx/adjustments", "TRANSACT", "adjustments.create"),
  needsProof: true,
  tag: "Rates",
  summary: "Adjust positions",
  description:
    "Books exchanges that no entry tells of, such as those that a treasury made elsewhere: each leg moves the position of its currency, against the " +
    "platform's own funds at the connection. It always waits for another token (`POST /rails/marks/{markId}/confirm`). An exchange that the " +
    "bank of a connection tells of is an `FX` part of its items.",
  body: Type.Object({
    connectionId: Type.String({ description: "`RailConnection:<uuid>`" }),
    legs: Type.Array(
      Type.Object({
        currency: currencyField(),
        amount: Type.Integer({
          minimum: -LARGEST,
          maximum: LARGEST,
          description: "What the position gains, in the smallest unit; negative for what it loses.",
        }),
      }),
      { minItems: 1, maxItems: MOST_LEGS },
    ),
    note: filledText(500),
  }),
  requestExample: {
    connectionId: "RailConnection:019a4f00-0000-7000-8000-000000000021",
    legs: [
      { currency: "EUR", amount: -100000 },
      { currency: "USD", amount: 108500 },
    ],
    note: "Sold at the treasury desk, ticket 4711",
  },
  answers: { 202: waitingAnswer },
  refusals: ["INVALID_INPUT", "AMOUNT_OUT_OF_RANGE", "REFERENCE_NOT_FOUND", "CONFLICT"],
  judge({ legs }) {
    const errors: FieldError[] = (Array.isArray(legs) ? legs : []).flatMap((leg, index) =>
      isJsonObject(leg) && leg.amount === 0
        ? [{ field: `legs[${index}].amount`, message: "must not be 0" }]
        : [],
    );
    return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
  },
  handle: async ({ principal, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: adjustFxPositionsCommand,
      input: {
        connectionId: requireIdField(
          "RailConnection",
          { field: "connectionId", raw: body.connectionId },
          "REFERENCE_NOT_FOUND",
        ),
        legs: body.legs.map(({ currency, amount }) => ({ currency, minor: BigInt(amount) })),
        note: body.note,
      },
      toAnswer: (mark) => ({ status: 202, body: wireRailMark.json(mark) }),
      idempotency,
    }),
});

export const fxPositionOperations = [listFxPositions, setFxLimits, adjustFxPositions];

/** Spreads and fees on the wire. */
import Type, { type Static } from "typebox";
import { accountTypes } from "../../domain/accounts/external/account-types.ts";
import {
  type FeeRule,
  MOST_RULES,
  type PriceRules,
  type PriceRuleVersion,
} from "../../domain/prices/price-rules/price-rules.ts";
import { MAX_AMOUNT } from "../../money/money.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema, optional } from "../fields.ts";
import { listedText } from "../value-lists.ts";

const anyCurrency = Type.String({
  minLength: 1,
  maxLength: 16,
  description: "The code of a currency, or `*` for any.",
  examples: ["USD"],
});

const SpreadSchema = Type.Object(
  {
    from: anyCurrency,
    to: anyCurrency,
    bps: Type.Integer({
      minimum: 0,
      maximum: 5_000,
      description:
        "Hundredths of a percent by which the customer's rate is worse than the source's.",
    }),
  },
  { $id: "Spread" },
);

export const spreadsBody = Type.Object({
  spreads: Type.Array(SpreadSchema, { maxItems: MOST_RULES }),
});

export const SpreadsSchema = Type.Object(
  {
    version: Type.Integer({ description: "0 before the first was set." }),
    spreads: Type.Array(SpreadSchema),
    updatedAt: Type.Optional(DateTimeSchema),
  },
  { $id: "Spreads" },
);

const minor = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_AMOUNT, description });

export const FeeRuleSchema = Type.Object(
  {
    from: anyCurrency,
    to: anyCurrency,
    accountType: Type.Optional(
      Type.Enum([...accountTypes], { description: "Of the destination; any without it." }),
    ),
    paymentRail: Type.Optional(
      listedText("PaymentRail", { minLength: 1, maxLength: 64, description: "Any without it." }),
    ),
    fixedMinor: minor("In the smallest unit of the sending currency."),
    bps: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: "Hundredths of a percent of what is sent beyond the fixed fee, rounded half up.",
    }),
    minMinor: Type.Optional(minor("The least that `bps` comes to.")),
    maxMinor: Type.Optional(minor("The most that `bps` comes to.")),
  },
  { $id: "FeeRule" },
);

export const feesBody = Type.Object({
  rules: Type.Array(FeeRuleSchema, { maxItems: MOST_RULES }),
});

export const FeesSchema = Type.Object(
  {
    version: Type.Integer({ description: "0 before the first was set." }),
    rules: Type.Array(FeeRuleSchema),
    updatedAt: Type.Optional(DateTimeSchema),
  },
  { $id: "Fees" },
);

export const FeeVersionSchema = Type.Object(
  { version: Type.Integer(), rules: Type.Array(FeeRuleSchema), createdAt: DateTimeSchema },
  { $id: "FeesVersion" },
);

export type FeeRuleBody = Static<typeof FeeRuleSchema>;

export function toFeeRule(body: FeeRuleBody): FeeRule {
  const { from, to, accountType, paymentRail, fixedMinor, bps, minMinor, maxMinor } = body;
  return {
    from,
    to,
    accountType: accountType ?? null,
    paymentRail: paymentRail ?? null,
    fixed: String(fixedMinor),
    bps,
    least: minMinor === undefined ? null : String(minMinor),
    most: maxMinor === undefined ? null : String(maxMinor),
  };
}

export function feeRuleJson({ fixed, least, most, ...rule }: FeeRule) {
  return {
    from: rule.from,
    to: rule.to,
    ...optional("accountType", rule.accountType),
    ...optional("paymentRail", rule.paymentRail),
    fixedMinor: Number(fixed),
    bps: rule.bps,
    ...optional("minMinor", least === null ? null : Number(least)),
    ...optional("maxMinor", most === null ? null : Number(most)),
  };
}

export function spreadsJson(rules: PriceRules | undefined): string {
  const { spreads = [], spreadsVersion: version = 0 } = rules ?? {};
  return JSON.stringify({ version, spreads, ...changedAt(rules) });
}

export function feesJson(rules: PriceRules | undefined): string {
  const { fees = [], feesVersion: version = 0 } = rules ?? {};
  return JSON.stringify({ version, rules: fees.map(feeRuleJson), ...changedAt(rules) });
}

function changedAt(rules: PriceRules | undefined) {
  return rules === undefined ? {} : { updatedAt: toIso(rules.updatedAt) };
}

export function feeVersionJson({ version, rules, createdAt }: PriceRuleVersion): string {
  const fees = rules as readonly FeeRule[];
  return JSON.stringify({ version, rules: fees.map(feeRuleJson), createdAt: toIso(createdAt) });
}

export const spreadsExample = {
  version: 3,
  spreads: [
    { from: "*", to: "*", bps: 50 },
    { from: "USD", to: "EUR", bps: 20 },
  ],
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const feesExample = {
  version: 2,
  rules: [
    { from: "USD", to: "*", fixedMinor: 50, bps: 25, maxMinor: 5_000 },
    { from: "USD", to: "EUR", paymentRail: "SEPA", fixedMinor: 0, bps: 10 },
  ],
  updatedAt: "2026-11-21T10:00:00.000Z",
};

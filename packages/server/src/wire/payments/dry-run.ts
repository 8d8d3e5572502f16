/** The answer of a dry run: the object as the call would make it, and what the call would do. */
import Type, { type TObject, type TSchema } from "typebox";
import { toInternalAccountId } from "../../domain/accounts/internal/internal-account.ts";
import { toConnectionId } from "../../domain/rails/connections/rail-connection.ts";
import { railPayments } from "../../domain/rails/orders/rail-payment.ts";
import type { Rehearsed } from "../../engine/command.ts";
import { changedRows } from "../../engine/dry-run.ts";
import { ledgerAccounts } from "../../ledger/chart.ts";
import type { JsonObject } from "../../std/json.ts";
import { propertiesOf } from "../../validation/schema.ts";
import { CurrencyAmountSchema, wireAmount } from "../fields.ts";
import { listedText } from "../value-lists.ts";
import { QuoteSchema, quoteExample } from "./quote.ts";
import {
  bookTransactionExample,
  TransactionSchema,
  TransferSchema,
  transactionExample,
} from "./transaction.ts";

const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const EffectsSchema = Type.Object(
  {
    balances: Type.Array(
      Type.Object({
        accountId: Type.String({ description: "`InternalAccount:<uuid>`" }),
        before: CurrencyAmountSchema,
        after: CurrencyAmountSchema,
      }),
      { description: "The available balances that change, in the order of their first change." },
    ),
    events: Type.Array(Type.String(), {
      description: "The types of the events that the call itself would emit, in order.",
    }),
    route: orNull(
      Type.Object({ connectionId: Type.String(), paymentRail: listedText("PaymentRail") }),
      "The rail connection that would carry the payment; null where none does.",
    ),
    approval: orNull(
      Type.Object({
        needed: Type.Integer({ minimum: 1, description: "How many have to agree." }),
        kind: Type.String(),
      }),
      "Set where the call would wait for an approval. The other effects are then those of the request and of carrying it out.",
    ),
  },
  { $id: "DryRunEffects" },
);

/** How many have to agree to a call before it is carried out, and the kind of order that it is. */
export interface NeededApproval {
  readonly needed: number;
  readonly kind: string;
}

export interface Effects {
  readonly balances: readonly {
    readonly accountId: string;
    readonly before: ReturnType<typeof wireAmount>;
    readonly after: ReturnType<typeof wireAmount>;
  }[];
  readonly events: readonly string[];
  readonly route: { readonly connectionId: string; readonly paymentRail: string } | null;
  readonly approval?: NeededApproval | undefined;
}

/** What a command has changed. The balances are those of internal accounts; the books of the platform have no place in it. */
export function effectsOf(changed: Rehearsed): Effects {
  const accounts = changedRows(changed, ledgerAccounts).filter(
    ({ before, after }) => after.kind === "internal" && before?.balanceMinor !== after.balanceMinor,
  );
  const order = changedRows(changed, railPayments).find(({ before }) => before === undefined);
  return {
    balances: accounts.map(({ before, after }) => ({
      accountId: toInternalAccountId(after.id),
      before: wireAmount(before?.balanceMinor ?? 0n, after.currency),
      after: wireAmount(after.balanceMinor, after.currency),
    })),
    events: changed.events,
    route:
      order === undefined
        ? null
        : {
            connectionId: toConnectionId(order.after.connectionId),
            paymentRail: order.after.paymentRail,
          },
  };
}

/** Members that follow from ids that are made anew, so a dry run cannot tell them: the call would give others. */
const MADE: ReadonlySet<string> = new Set([
  "id",
  "transactionId",
  "counterpartTransactionId",
  "groupId",
  "approvalId",
  "reference",
  "reconciliationInstructions",
]);
/** Members that have an object of their own. */
const INNER: ReadonlySet<string> = new Set(["transaction", "quote"]);
/** Members that have a list of objects. */
const LISTED: ReadonlySet<string> = new Set(["legs"]);
/** Where payers pay to: the texts that follow from the id of a quote are left out. */
const MADE_TEXTS: ReadonlySet<string> = new Set(["reference", "payloadToSign"]);

/** `body`: the JSON of the object that the call would answer. */
export function dryRunJson(body: string, { approval, ...effects }: Effects): string {
  const result = withoutMade(JSON.parse(body) as JsonObject);
  return JSON.stringify({
    dryRun: true,
    result,
    effects: { ...effects, approval: approval ?? null },
  });
}

function withoutMade(object: JsonObject): JsonObject {
  const kept = Object.entries(object).filter(([name]) => !MADE.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (INNER.has(name)) return [name, withoutMade(value as JsonObject)];
      if (LISTED.has(name)) return [name, (value as JsonObject[]).map(withoutMade)];
      return [name, name === "paymentInstructions" ? withoutTexts(value) : value];
    }),
  );
}

function withoutTexts(value: unknown): JsonObject[string] {
  return JSON.parse(
    JSON.stringify(value, (name, member) => (MADE_TEXTS.has(name) ? undefined : member)),
  );
}

/** The schema of an object without the members that `withoutMade` leaves out. */
function schemaWithoutIds(schema: TSchema): TObject {
  const members = Object.entries(propertiesOf(schema))
    .filter(([name]) => !MADE.has(name))
    .map(([name, member]) => [name, memberWithoutIds(name, member)]);
  return Type.Object(Object.fromEntries(members), { $id: `${nameOf(schema)}WithoutIds` });
}

function memberWithoutIds(name: string, member: TSchema): TSchema {
  if (INNER.has(name)) return Type.Optional(schemaWithoutIds(member));
  if (!LISTED.has(name)) return member;
  const { items } = member as unknown as { readonly items: TSchema };
  return Type.Optional(Type.Array(schemaWithoutIds(items)));
}

const nameOf = (schema: TSchema) => String((schema as { readonly $id?: string }).$id);

const effectsExample: Effects = {
  balances: [
    {
      accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
      before: wireAmount(20_000n, "USD"),
      after: wireAmount(7_500n, "USD"),
    },
  ],
  events: ["OUTGOING_PAYMENT.PENDING", "INTERNAL_ACCOUNT.BALANCE_UPDATED"],
  route: null,
};

interface Shown {
  readonly schema: TSchema;
  readonly example: unknown;
}

/** The documented answer of a dry run of an operation that answers this object. */
export function dryRunNote({ schema, example }: Shown) {
  const name = nameOf(schema);
  return {
    description: `What the call would do. \`result\` is the ${name} that it would answer, without ids and references.`,
    schema: Type.Object(
      { dryRun: Type.Literal(true), result: schemaWithoutIds(schema), effects: EffectsSchema },
      { $id: `${name}DryRun` },
    ),
    example: {
      dryRun: true,
      result: withoutMade(example as JsonObject),
      effects: { ...effectsExample, approval: null },
    },
  };
}

export const transactionDryRun = dryRunNote({
  schema: TransactionSchema,
  example: transactionExample,
});
export const transferDryRun = dryRunNote({
  schema: TransferSchema,
  example: bookTransactionExample,
});
export const quoteDryRun = dryRunNote({ schema: QuoteSchema, example: quoteExample });

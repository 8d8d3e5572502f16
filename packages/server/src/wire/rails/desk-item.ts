/** An item in suspense as the desk sees it: with its line of the bank, what it may be for, and who resolved it. */
import Type from "typebox";
import { toInternalAccountId } from "../../domain/accounts/internal/internal-account.ts";
import { toQuoteId } from "../../domain/payments/quotes/quote.ts";
import type { RailEntry } from "../../domain/rails/entries/rail-entry.ts";
import type { RailItem } from "../../domain/rails/entries/rail-item.ts";
import { partOutcomes } from "../../domain/rails/entries/rail-item.ts";
import { toRailPaymentId } from "../../domain/rails/orders/rail-payment.ts";
import {
  type Reason,
  type SuggestedPart,
  type Suggestion,
  suggestionReasons,
} from "../../domain/reading/suspense/suggestions.ts";
import { type NamedParties, withParties } from "../reading/party.ts";
import { type Kit, wireObject } from "../wire-object.ts";
import { wireRailEntry } from "./rail-entry.ts";
import { RailItemSchema, railItemExample, railItemJson } from "./rail-item.ts";

export interface DeskItem {
  readonly item: RailItem;
  readonly parties: NamedParties;
  readonly entry: RailEntry | undefined;
  readonly suggestions: readonly Suggestion[];
  /** The name of the person or token. */
  readonly resolvedBy: string | undefined;
}

const reason = wireObject({}, ({ of, maybe }: Kit<Reason>) => ({
  reason: of.enum(suggestionReasons, { example: "NEAR_REFERENCE" }),
  reference: maybe.text({
    description: "The reference as it should have been written.",
    example: "FL7Q2K9DXM4T8A53",
  }),
  count: maybe.integer({ description: "How often money of this payer was credited there." }),
}));

const idOf = (kind: SuggestedPart["kind"], toId: (id: string) => string) => ({
  from: ({ part }: Suggestion) => (part.kind === kind ? toId(part.id) : undefined),
});

const suggestion = wireObject(
  {
    description: "A part that the item may be resolved with as a whole. It decides nothing.",
  },
  ({ of, maybe }: Kit<Suggestion>) => ({
    kind: of.enum(["ACCOUNT", "QUOTE", "PAYMENT"], {
      from: ({ part }) => part.kind,
      example: "ACCOUNT",
    }),
    accountId: maybe.text({
      ...idOf("ACCOUNT", toInternalAccountId),
      example: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
    }),
    quoteId: maybe.text(idOf("QUOTE", toQuoteId)),
    paymentId: maybe.text(idOf("PAYMENT", toRailPaymentId)),
    outcome: maybe.enum(partOutcomes, {
      from: ({ part }) => (part.kind === "PAYMENT" ? part.outcome : undefined),
    }),
    customerName: maybe.text({
      from: "name",
      description: "The holder of the account, the payer of the quote or the payee of the order.",
      example: "Ana Ruiz",
    }),
    platformCustomerId: maybe.text({
      from: ({ part, detail }) => (part.kind === "PAYMENT" ? undefined : detail),
    }),
    reference: maybe.text({
      from: ({ part, detail }) => (part.kind === "PAYMENT" ? detail : undefined),
      description: "Of an order.",
    }),
    reasons: of.list(reason, { example: [reason.example] }),
  }),
);

export const wireDeskItem = wireObject("RailDeskItem", ({ of, maybe }: Kit<DeskItem>) => ({
  item: of.json(RailItemSchema, {
    from: ({ item, parties }) => JSON.parse(withParties(railItemJson(item), parties)),
    example: railItemExample,
  }),
  entry: maybe.object(wireRailEntry, { example: wireRailEntry.example }),
  suggestions: of.list(suggestion, {
    description: "The best first, at most three.",
    example: [suggestion.example],
  }),
  resolvedBy: maybe.text({ description: "The name of the person or token that resolved it." }),
}));

const target = wireObject({}, ({ of, maybe }: Kit<DeskAccount>) => ({
  accountId: of.id("InternalAccount", { from: "id", example: 2 }),
  currency: of.currency({ example: "USD" }),
  customerName: maybe.text({ from: "name", example: "Ana Ruiz" }),
  platformCustomerId: maybe.text({ from: "detail", example: "7b1c" }),
}));

interface DeskAccount {
  readonly id: string;
  readonly currency: string;
  readonly name: string | null;
  readonly detail: string | null;
}

export const DeskAccountsSchema = Type.Object({ data: Type.Array(target.schema) });
export const deskAccountsExample = { data: [target.example] };

export function deskAccountsJson(accounts: readonly DeskAccount[]): string {
  return `{"data":[${accounts.map(target.json).join(",")}]}`;
}

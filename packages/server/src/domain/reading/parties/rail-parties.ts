/** The parties of rail payments and of items in suspense, by the payment, the line or the order that names them. */
import type { Transaction } from "../../payments/transactions/transaction.ts";
import type { RailEntry } from "../../rails/entries/rail-entry.ts";
import type { RailItem } from "../../rails/entries/rail-item.ts";
import type { RailPayment } from "../../rails/orders/rail-payment.ts";
import { institutionIn } from "./account-words.ts";
import { type PartyReference, referenceTo, referenceToActor } from "./party.ts";
import { type PaymentParties, partiesOfTransaction } from "./payment-parties.ts";

export type PaidTransaction = Pick<
  Transaction,
  "id" | "type" | "source" | "destination" | "agentId" | "outcome"
>;
export type ToldLine = Pick<RailEntry, "payer" | "remittance" | "reference">;
type Counterparty = RailPayment["counterparty"];

/** Money that goes back is the platform's until it has left, and its payee is who had paid it. */
export function partiesOfOrder(
  { direction, counterparty, history: [first] }: RailPayment,
  transaction: PaidTransaction | undefined,
): PaymentParties {
  if (direction !== "BACK" && transaction !== undefined) return partiesOfTransaction(transaction);
  return { from: { kind: "PLATFORM" }, to: outsideOf(counterparty), by: actorOf(first?.by) };
}

/** What an item came by: a line of the bank, or an order that came back from its payee. */
export interface CameBy {
  readonly line?: ToldLine | undefined;
  readonly counterparty?: Counterparty | undefined;
}

/** An item that was credited as a whole was for that account. */
export function partiesOfItem(
  { direction, accountId, resolution }: RailItem,
  { line, counterparty }: CameBy,
): PaymentParties {
  const other = counterparty === undefined ? payerOf(line) : outsideOf(counterparty);
  const [part, ...others] = resolution?.parts ?? [];
  const credited = part?.kind === "ACCOUNT" && others.length === 0 ? part.accountId : undefined;
  const own: PartyReference | undefined =
    accountId === null ? referenceTo(credited ?? "") : { kind: "INTERNAL_ACCOUNT", id: accountId };
  const sides = direction === "CREDIT" ? { from: other, to: own } : { from: own, to: other };
  return { ...sides, by: actorOf(resolution?.by) };
}

export function payerOf(line: Partial<ToldLine> | undefined): PartyReference {
  const { name, account } = line?.payer ?? {};
  return {
    kind: "OUTSIDE",
    name,
    lastFour: account,
    remittance: line?.remittance ?? line?.reference ?? undefined,
  };
}

export function outsideOf({ name, accountInfo, identifierMasked }: Counterparty): PartyReference {
  return {
    kind: "OUTSIDE",
    name: name ?? undefined,
    bank: institutionIn(accountInfo) ?? undefined,
    lastFour: identifierMasked.replace("…", ""),
  };
}

/** Rows keep an actor as `token <id>`. */
function actorOf(by: string | undefined): PartyReference | undefined {
  return by === undefined ? undefined : referenceToActor(by.replace(" ", ":"));
}

/** One payment of a demo, of the kinds that a platform has in an ordinary week. */

import type { Worker } from "./agents.ts";
import type { Chance } from "./chance.ts";
import type { Customer, Payee } from "./customers.ts";
import type { Desk } from "./desks.ts";

export type PaymentKind =
  | "payout"
  | "desk"
  | "quote"
  | "open-quote"
  | "collection"
  | "transfer"
  | "agent";

/** Of a thousand payments, how many are of the kind. */
const SHARES: readonly (readonly [PaymentKind, number])[] = [
  ["payout", 480],
  ["quote", 250],
  ["collection", 130],
  ["transfer", 80],
  ["agent", 25],
  ["desk", 20],
  ["open-quote", 15],
];
const THOUSAND = 1_000;

const REASONS = [
  "Invoice",
  "Order",
  "Rent, flat",
  "Salary, run",
  "Deposit for order",
  "Consulting, report",
  "Spare parts, delivery",
  "School fees, pupil",
  "Insurance, contract",
];

const PURPOSES = ["GOODS_OR_SERVICES", "SALARY", "EDUCATION", "TRAVEL", "GIFT"];

export interface PaymentPlan {
  readonly kind: PaymentKind;
  readonly path: string;
  readonly body: object;
  readonly as?: string;
}

export interface Cast {
  readonly customers: readonly Customer[];
  readonly workers: readonly Worker[];
  readonly desks: readonly Desk[];
}

function kindBy(chance: Chance): PaymentKind {
  let left = chance.between(0, THOUSAND - 1);
  for (const [kind, share] of SHARES) {
    if (left < share) return kind;
    left -= share;
  }
  return "payout";
}

/** Mostly small, some large: the product of two draws. */
function amountBy(chance: Chance, { isCompany }: Customer): number {
  const most = isCompany ? 900_000 : 45_000;
  const amount = Math.ceil(most * chance.next() * chance.next()) + 150;
  return chance.isOneIn(3) ? Math.ceil(amount / 500) * 500 : amount;
}

export function planPayment(chance: Chance, cast: Cast): PaymentPlan {
  const kind = kindBy(chance);
  if (kind === "agent" && cast.workers.length > 0) return agentPayment(chance, cast);
  const customer = chance.pick(cast.customers);
  if (kind === "transfer") return transfer(chance, cast, customer);
  const fitting = customer.payees.filter((payee) => fits(payee, { customer, kind }));
  // The first payee has dollars, as each customer has.
  if (fitting.length === 0)
    return payout(chance, { customer, payee: chance.pick(customer.payees.slice(0, 1)) }, []);
  const facts = { customer, payee: chance.pick(fitting) };
  if (kind === "collection") return collection(chance, facts);
  if (kind === "quote" || kind === "open-quote") return quote(chance, facts, kind);
  return payout(chance, facts, kind === "desk" ? cast.desks : []);
}

interface Facts {
  readonly customer: Customer;
  readonly payee: Payee;
}

function fits(
  { isPullable, currency }: Payee,
  { customer, kind }: { readonly customer: Customer; readonly kind: PaymentKind },
): boolean {
  if (kind === "collection") return isPullable;
  if (kind === "quote" || kind === "open-quote") return currency !== "USD";
  return customer.accounts.has(currency);
}

function descriptionBy(chance: Chance): string {
  return `${chance.pick(REASONS)} ${chance.between(100, 9_999)}`;
}

/** Named where a route may prefer another rail: all payouts would then go to the desk. */
function usualRailOf({ isPullable, currency }: Payee): string | undefined {
  if (currency === "EUR") return "SEPA";
  return isPullable ? "ACH" : undefined;
}

function destinationOf(payee: Payee, rail = usualRailOf(payee)): object {
  return { accountId: payee.id, ...(rail === undefined ? {} : { paymentRail: rail }) };
}

function payout(chance: Chance, { customer, payee }: Facts, desks: Cast["desks"]): PaymentPlan {
  const fitting = usualRailOf(payee) === undefined ? [] : desks;
  const carriers = fitting.filter(({ currency }) => currency === payee.currency);
  const rail = carriers.length === 0 ? undefined : chance.pick(carriers).rail;
  const body = {
    source: { accountId: customer.accounts.get(payee.currency) },
    destination: destinationOf(payee, rail),
    amount: amountBy(chance, customer),
    description: descriptionBy(chance),
  };
  return { kind: rail === undefined ? "payout" : "desk", path: "/transfer-out", body };
}

function collection(chance: Chance, { customer, payee }: Facts): PaymentPlan {
  const body = {
    source: { accountId: payee.id },
    destination: { accountId: customer.accounts.get("USD") },
    amount: amountBy(chance, customer) * 2,
    description: descriptionBy(chance),
  };
  return { kind: "collection", path: "/transfer-in", body };
}

function transfer(chance: Chance, { customers }: Cast, customer: Customer): PaymentPlan {
  const to = chance.pick(customers);
  const other = to.id === customer.id ? (customers.find(({ id }) => id !== to.id) ?? to) : to;
  const body = {
    source: { accountId: customer.accounts.get("USD") },
    destination: { accountId: other.accounts.get("USD") },
    amount: amountBy(chance, customer),
    description: descriptionBy(chance),
  };
  return { kind: "transfer", path: "/transfers", body };
}

function quote(
  chance: Chance,
  { customer, payee }: Facts,
  kind: "quote" | "open-quote",
): PaymentPlan {
  const body = {
    source: { sourceType: "ACCOUNT", accountId: customer.accounts.get("USD") },
    destination: { destinationType: "ACCOUNT", ...destinationOf(payee) },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: amountBy(chance, customer) + 1_000,
    description: descriptionBy(chance),
    purposeOfPayment: chance.pick(PURPOSES),
    ...(kind === "quote" ? { immediatelyExecute: true } : {}),
  };
  return { kind, path: "/quotes", body };
}

function agentPayment(chance: Chance, { workers }: Cast): PaymentPlan {
  const { token, customer, payee } = chance.pick(workers);
  const body = {
    source: { accountId: customer.accounts.get("USD") },
    destination: destinationOf(payee),
    amount: chance.between(300, 20_000),
  };
  return { kind: "agent", path: "/agents/me/transfer-out", body, as: token };
}

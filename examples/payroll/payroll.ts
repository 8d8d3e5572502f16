/**
 * Pays a payroll from the platform's account in dollars: `node payroll.js people.csv 2026-11`.
 *
 * It can be run again at any time: it looks for the payments of earlier runs, and every person has one idempotency key a month, so
 * what was lost on the way is made once. See docs/guides/payroll.md.
 */
import { readFileSync } from "node:fs";
import {
  type CurrencyCode,
  createClient,
  FlorinError,
  type NewAccountInfo,
  type Transaction,
} from "@florin/client";

interface Person {
  readonly id: string;
  readonly fullName: string;
  readonly country: string;
  readonly currency: CurrencyCode;
  /** In the currency's smallest unit. */
  readonly amount: number;
  readonly bank: string;
  readonly account: string;
}

/** A payment that is ready to be made, with what it takes from the platform's account in cents. */
interface Order {
  readonly person: Person;
  readonly cost: number;
  /** Makes the payment, or finds it made, and answers the id of its transaction. */
  pay(): Promise<string>;
}

/** Somebody whom this run does not pay, and why. */
interface Problem {
  readonly person: Person;
  readonly why: string;
}

const client = createClient({
  baseUrl: `${process.env.FLORIN_URL ?? "http://127.0.0.1:8080"}/2025-10-13`,
  clientId: process.env.CLIENT_ID ?? "",
  clientSecret: process.env.CLIENT_SECRET ?? "",
});

function readPeople(path: string): Person[] {
  const [, ...lines] = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line) => {
    const [
      id = "",
      fullName = "",
      country = "",
      currency = "",
      amount = "",
      bank = "",
      account = "",
    ] = line.split(",");
    return {
      id,
      fullName,
      country,
      currency: currency as CurrencyCode,
      amount: cents(amount),
      bank,
      account,
    };
  });
}

/** All six currencies have two decimals. Text is cut, not multiplied: 4605.75 * 100 is no whole number. */
function cents(text: string): number {
  const [, whole, part] = /^(\d+)\.(\d\d)$/.exec(text) ?? [];
  if (whole === undefined || part === undefined)
    throw new Error(`${text} is no amount like 1250.00`);
  return Number(whole + part);
}

function accountInfoOf({ fullName, country, bank, account }: Person): NewAccountInfo {
  const beneficiary = {
    beneficiaryType: "INDIVIDUAL",
    fullName,
    countryOfResidence: country,
  } as const;
  switch (country) {
    case "US":
      return {
        accountType: "USD_ACCOUNT",
        routingNumber: bank,
        accountNumber: account,
        beneficiary,
      };
    case "DE":
      return { accountType: "EUR_ACCOUNT", swiftCode: bank, iban: account, beneficiary };
    case "GB":
      return { accountType: "GBP_ACCOUNT", sortCode: bank, accountNumber: account, beneficiary };
    case "MX":
      return { accountType: "MXN_ACCOUNT", clabeNumber: account, beneficiary };
    case "IN":
      return { accountType: "INR_ACCOUNT", vpa: account, beneficiary };
    case "BR":
      return {
        accountType: "BRL_ACCOUNT",
        taxId: bank,
        pixKey: account,
        pixKeyType: "CPF",
        beneficiary,
      };
    default:
      throw new Error(`${country} is no country of this payroll`);
  }
}

/** The payees that exist already, by the id that this program gave them. */
async function readPayees(): Promise<Map<string, string>> {
  const payees = new Map<string, string>();
  for await (const { id, platformAccountId } of client.externalAccounts.listForPlatform())
    if (platformAccountId !== undefined) payees.set(platformAccountId, id);
  return payees;
}

async function payeeOf(person: Person, payees: ReadonlyMap<string, string>): Promise<string> {
  const found = payees.get(person.id);
  if (found !== undefined) return found;
  const { id } = await client.externalAccounts.createForPlatform(
    { platformAccountId: person.id, currency: person.currency, accountInfo: accountInfoOf(person) },
    { idempotencyKey: `payee-${person.id}` },
  );
  return id;
}

async function orderFor(
  person: Person,
  at: { readonly source: string; readonly payee: string; readonly month: string },
): Promise<Order> {
  const key = `payroll-${at.month}-${person.id}`;
  const description = `Salary ${at.month}`;
  const made = await findMade(at.payee, description);
  if (made !== undefined) return { person, cost: 0, pay: async () => made };
  if (person.currency === "USD") {
    const transfer = {
      source: { accountId: at.source },
      destination: { accountId: at.payee },
      amount: person.amount,
      description,
    };
    const pay = async () => (await client.transfers.out(transfer, { idempotencyKey: key })).id;
    return { person, cost: person.amount, pay };
  }
  // A quote that expired has moved nothing, so the next one gets the next key. Any other state is the payment.
  for (let attempt = 1; ; attempt++) {
    const idempotencyKey = `${key}-${attempt}`;
    const { id } = await client.quotes.create(
      {
        source: { sourceType: "ACCOUNT", accountId: at.source },
        destination: { destinationType: "ACCOUNT", accountId: at.payee },
        lockedCurrencySide: "RECEIVING",
        lockedCurrencyAmount: person.amount,
        purposeOfPayment: "SALARY",
        description,
      },
      { idempotencyKey },
    );
    // The answer under a key is that of the first call: the state of today is read.
    const quote = await client.quotes.get(id);
    if (quote.status === "EXPIRED") continue;
    const isOpen = quote.status === "PENDING";
    const pay = async () => {
      if (isOpen) await client.quotes.execute(id, { idempotencyKey: `${idempotencyKey}-execute` });
      return quote.transactionId;
    };
    return { person, cost: isOpen ? quote.totalSendingAmount : 0, pay };
  }
}

/**
 * The payment of an earlier run, also of one whose keys are forgotten: they are kept for 30 days. Two runs at the same time both
 * find nothing here; then the keys have the payment made once.
 */
async function findMade(payee: string, description: string): Promise<string | undefined> {
  for await (const made of client.transactions.list({ receiverAccountIdentifier: payee })) {
    // The transaction of a quote is PENDING until the quote is executed.
    const isOpenQuote = made.quoteId !== undefined && made.status === "PENDING";
    if (made.description === description && made.status !== "EXPIRED" && !isOpenQuote) {
      return made.id;
    }
  }
  return undefined;
}

/** Waits at most a minute. A program that runs for longer learns the end from a webhook. */
async function endOf(id: string): Promise<Transaction> {
  const until = Date.now() + 60_000;
  for (;;) {
    const transaction = await client.transactions.get(id);
    const { status } = transaction;
    if (status === "COMPLETED" || status === "FAILED" || Date.now() > until) return transaction;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Only what the service refused for certain is a problem of one person; anything else ends the run, which can be repeated. */
function reasonOf(error: unknown): string {
  if (error instanceof FlorinError && error.isOutcomeKnown)
    return `${error.code}: ${error.message}`;
  throw error;
}

const [path = "people.csv", month = ""] = process.argv.slice(2);
if (!/^\d{4}-\d\d$/.test(month))
  throw new Error("usage: payroll.js <people.csv> <month, like 2026-11>");

const people = readPeople(path);
const [account] = (await client.internalAccounts.listForPlatform({ currency: "USD" })).data;
if (account === undefined) throw new Error("the platform has no account in USD");
const payees = await readPayees();

const orders: Order[] = [];
const problems: Problem[] = [];
for (const person of people) {
  try {
    const payee = await payeeOf(person, payees);
    orders.push(await orderFor(person, { source: account.id, payee, month }));
  } catch (error) {
    problems.push({ person, why: reasonOf(error) });
  }
}

const cost = orders.reduce((sum, order) => sum + order.cost, 0);
const { amount: available } = account.balance;
console.log(`${orders.length} people, ${cost / 100} USD to pay, ${available / 100} USD available`);
if (cost > available) throw new Error("the account holds too little; nothing was paid");

const payments: { readonly person: Person; readonly id: string }[] = [];
for (const { person, pay } of orders) {
  try {
    payments.push({ person, id: await pay() });
  } catch (error) {
    problems.push({ person, why: reasonOf(error) });
  }
}

let paid = 0;
for (const { person, id } of payments) {
  const { status, reference, failure } = await endOf(id);
  console.log(person.id, status, failure?.code ?? reference);
  // A payment that was called off is COMPLETED too, with a failure and a refund.
  if (status === "COMPLETED" && failure === undefined) paid += 1;
  else problems.push({ person, why: failure?.message ?? `the payment is ${status}` });
}

console.log(`${paid} of ${people.length} paid`);
for (const { person, why } of problems)
  console.log(`not paid: ${person.id} ${person.fullName}: ${why}`);
if (problems.length > 0) process.exitCode = 1;

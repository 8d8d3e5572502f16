/** Three banks whose payments people carry out, and what these people and their banks report. */
import { asObject } from "../json.ts";
import { textOf } from "../trigger/sandbox.ts";
import type { Settled } from "./books.ts";
import { type Calls, forEach } from "./calls.ts";
import type { Chance } from "./chance.ts";
import type { Customer, DemoTools } from "./customers.ts";

export interface Desk {
  readonly connectionId: string;
  readonly currency: string;
  readonly rail: string;
}

interface Bank {
  readonly name: string;
  readonly currency: string;
  readonly rail: string;
  readonly accountType: string;
  readonly account: object;
}

const HOLDER = "Demo Payments Inc.";

const BANKS: readonly Bank[] = [
  {
    name: "First Harbor Bank",
    currency: "USD",
    rail: "WIRE",
    accountType: "USD_ACCOUNT",
    account: { holderName: HOLDER, routingNumber: "021000021", accountNumber: "4400912207" },
  },
  {
    name: "Lakeside Savings",
    currency: "USD",
    rail: "FEDNOW",
    accountType: "USD_ACCOUNT",
    account: { holderName: HOLDER, routingNumber: "091000019", accountNumber: "7710034852" },
  },
  {
    name: "Rheinbank",
    currency: "EUR",
    rail: "SEPA_INSTANT",
    accountType: "EUR_ACCOUNT",
    account: { holderName: HOLDER, iban: "DE89370400440532013000", bic: "COBADEFFXXX" },
  },
];

/** A connection of an earlier demo is used again: its name is taken. */
export async function makeDesks(calls: Calls): Promise<readonly Desk[]> {
  const { data } = await calls.get("/rails/connections?limit=100");
  const known = new Map(
    (Array.isArray(data) ? data : []).map((row) => [asObject(row)?.name, asObject(row)]),
  );
  const desks: Desk[] = [];
  for (const bank of BANKS) {
    const found = known.get(bank.name);
    const connectionId = found === undefined ? await makeDesk(calls, bank) : textOf(found, "id");
    desks.push({ connectionId, currency: bank.currency, rail: bank.rail });
  }
  return desks;
}

async function makeDesk(calls: Calls, bank: Bank): Promise<string> {
  const { name, currency, rail, accountType, account } = bank;
  const connection = await calls.post("/rails/connections", {
    name,
    kind: "MANUAL",
    currencies: [currency],
    account,
    settings: { accountTypes: [accountType], paymentRails: [rail] },
  });
  const connectionId = textOf(connection, "id");
  await calls.post(`/rails/connections/${connectionId}/activate`);
  await calls.post("/rails/routes", {
    name: `${currency} by ${rail}`,
    direction: "OUT",
    currency,
    connectionId,
    paymentRails: [rail],
  });
  return connectionId;
}

/** How banks end payments that they do not carry out: the code of ISO 20022 and its usual text. */
const DECLINES: readonly (readonly [code: string, text: string])[] = [
  ["AC01", "Incorrect account number"],
  ["AC04", "Account closed"],
  ["AC06", "Account blocked"],
  ["AG01", "Transaction forbidden on this type of account"],
  ["BE04", "Missing creditor address"],
  ["RR04", "Regulatory reason"],
];

const ONE_DECLINED_IN = 9;
const ONE_RETURNED_IN = 14;

export interface Worked {
  readonly marked: number;
  /** Those that the bank paid and did not send back. */
  readonly settled: readonly Settled[];
}

/** Reports the outcome of the payments that wait at a desk, at most a hundred. */
export async function workThrough({ calls, chance }: DemoTools, desk: Desk): Promise<Worked> {
  const path = `/rails/payments?connectionId=${desk.connectionId}&state=QUEUED&limit=100`;
  const { data } = await calls.get(path);
  const orders = (Array.isArray(data) ? data : []).map((row) => asObject(row) ?? {});
  const marks = orders.map((order) => {
    const [code, text] = chance.pick(DECLINES);
    const reason = { code, text };
    const isDeclined = chance.isOneIn(ONE_DECLINED_IN);
    const isReturned = !isDeclined && chance.isOneIn(ONE_RETURNED_IN);
    return { order, reason, isDeclined, isReturned, reference: `HB${chance.digits(9)}` };
  });
  await forEach(marks, async ({ order, reason, isDeclined, isReturned, reference }) => {
    const mark = `/rails/payments/${textOf(order, "id")}/mark`;
    if (isDeclined) return void (await calls.ask(mark, { outcome: "DECLINED", reason }));
    await calls.ask(mark, { outcome: "SETTLED", reference });
    if (isReturned) await calls.ask(mark, { outcome: "RETURNED", reason });
  });
  const paid = marks.filter(({ isDeclined, isReturned }) => !isDeclined && !isReturned);
  return {
    marked: marks.length,
    settled: paid.map(({ order, reference }) => ({
      bankReference: reference,
      endToEndId: textOf(order, "endToEndId"),
      amount: Number(asObject(order.amount)?.amount),
    })),
  };
}

/** One line in so many has the reference of an account with a wrong character, as a person types it. */
const ONE_MISTYPED_IN = 3;

/**
 * Lines of statements that no payment explains: they wait for a person. The sums by connection. In dollars they go to the accounts of
 * their payers, of whom some mistyped the reference.
 */
export async function leaveUnexplained(
  { calls, chance }: DemoTools,
  {
    desks,
    customers,
    count,
    day,
  }: {
    readonly desks: readonly Desk[];
    readonly customers: readonly Customer[];
    readonly count: number;
    readonly day: string;
  },
): Promise<ReadonlyMap<string, number>> {
  const entries = Array.from({ length: count }, () => {
    const payer = chance.pick(customers);
    const isMistyped = payer.reference !== undefined && chance.isOneIn(ONE_MISTYPED_IN);
    const remittance = `Invoice ${chance.between(100, 9_999)}`;
    return {
      desk: chance.pick(desks),
      payer: payer.name,
      amount: chance.between(1_000, 900_000),
      bankReference: `ST${chance.digits(10)}`,
      remittance: isMistyped ? mistyped(chance, payer.reference ?? "") : remittance,
      account: chance.digits(10),
    };
  });
  const sums = new Map<string, number>();
  await forEach(entries, async ({ desk, payer, account, ...entry }) => {
    const { connectionId, currency } = desk;
    await calls.post(`/rails/connections/${connectionId}/entries`, {
      ...entry,
      direction: "CREDIT",
      currency,
      bookedOn: day,
      payer: { name: payer.slice(0, 140), account },
    });
    sums.set(connectionId, (sums.get(connectionId) ?? 0) + entry.amount);
  });
  return sums;
}

function mistyped(chance: Chance, reference: string): string {
  const at = chance.between(4, Math.max(4, reference.length - 2));
  const other = reference[at] === "7" ? "4" : "7";
  return `${reference.slice(0, at)}${other}${reference.slice(at + 1)}`;
}

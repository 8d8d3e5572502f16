/**
 * Compares the books of a kill run of UMA payments: ours, those of the two banks and of their network, and that of the institution. Each
 * fault is a sentence. It reads what was written and nothing else, so a test may change a book and see the fault.
 */
import type { BankBook, BankEntry, OurTransaction, UmaBooks } from "./uma-books.ts";
import { FUNDED, type Payee } from "./uma-rig.ts";

const bare = (id: string) => id.slice(id.indexOf(":") + 1);

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string | null | undefined) {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    if (key === null || key === undefined) continue;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);

export function faultsIn(books: UmaBooks, payees: readonly Payee[]): readonly string[] {
  return [
    ...books.problems.map((problem) => `florin verify: ${problem}`),
    ...books.unexplained.map((book) => `unexplained: ${book}`),
    ...networkFaults(books),
    ...incomingFaults(books),
    ...outgoingFaults(books),
    ...balanceFaults(books, payees),
  ];
}

/** Outside, an invoice is paid by one order of one bank, and credited at the other. */
function networkFaults({ bank, otherBank, ends }: UmaBooks): readonly string[] {
  const faults: string[] = [];
  for (const [payer, payee] of [
    [bank, otherBank],
    [otherBank, bank],
  ] as const) {
    const credits = groupBy(payee.entries, ({ invoiceId }) => invoiceId);
    const debits = groupBy(payer.entries, ({ paymentId }) => paymentId);
    const orders = groupBy(payer.orders, ({ invoice }) => invoice);
    for (const { id, invoice, amount } of payee.invoices) {
      const end = ends.get(invoice);
      const paid = orders.get(invoice)?.flatMap((order) => debits.get(order.id) ?? []) ?? [];
      const isPaid = end?.kind === "paid";
      if (paid.length !== (isPaid ? 1 : 0))
        faults.push(`${invoice}: ${end?.kind}, and ${paid.length} payments left for it`);
      const came = (credits.get(id) ?? []).filter((entry) => entry.amount === amount);
      if (isPaid && came.length === 0) faults.push(`${invoice}: paid, and its bank has nothing`);
    }
    for (const [id, entries] of debits)
      if (entries.length !== 1) faults.push(`order ${id} was paid ${entries.length} times`);
  }
  return faults;
}

function incomingFaults(books: UmaBooks): readonly string[] {
  const { bank, promised } = books;
  const transactions = new Map(books.transactions.map((one) => [one.id, one]));
  const came = groupBy(bank.entries, ({ invoiceId }) => invoiceId);
  const booked = groupBy(books.entries, ({ invoiceId }) => invoiceId);
  const hows = new Map(promised.map(({ invoice, how }) => [invoice, how]));
  const invoiced = new Set(bank.invoices.map(({ id }) => id));
  const faults = books.transactions
    .filter(
      ({ id, type, status }) => type === "INCOMING" && status === "COMPLETED" && !invoiced.has(id),
    )
    .map(({ id }) => `${id}: credited without an invoice`);
  for (const { id, invoice, amount } of bank.invoices) {
    const transaction = transactions.get(id);
    const about = { asked: BigInt(amount), came: came.get(id) ?? [], how: hows.get(invoice) };
    const ours = (booked.get(id) ?? []) as Booked[];
    faults.push(...invoiceFaults(transaction, about, ours).map((fault) => `${id}: ${fault}`));
  }
  const known = bank.entries.filter(({ invoiceId }) => invoiceId !== undefined).length;
  const told = [...booked.values()].flat().length;
  if (known !== told) faults.push(`the bank has ${known} entries of invoices, and we have ${told}`);
  return faults;
}

type Booked = UmaBooks["entries"][number];

interface About {
  readonly asked: bigint;
  readonly came: readonly BankEntry[];
  readonly how: string | undefined;
}

/** What 9.4 of the contract allows for money that came: the reason of its item, by the way in which it was paid. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  exact: [],
  twice: ["ALREADY_PAID"],
  more: ["OVERPAID"],
  less: ["AMOUNT_DIFFERS"],
  late: ["LATE"],
  never: [],
};

function invoiceFaults(
  transaction: OurTransaction | undefined,
  { asked, came, how }: About,
  booked: readonly Booked[],
): readonly string[] {
  if (transaction === undefined) return ["an invoice without a payment"];
  const { status } = transaction;
  const isCredited = status === "COMPLETED";
  const credits = booked.filter(({ bookedAs }) => bookedAs === "INVOICE").length;
  const isCovered = came.some(({ amount }) => BigInt(amount) >= asked);
  const items = booked.filter(({ reason }) => reason !== null);
  const aside = sum(items.map(({ itemMinor }) => BigInt(itemMinor ?? 0)));
  const total = sum(came.map(({ amount }) => BigInt(amount)));
  const faults: string[] = [];
  if (!["COMPLETED", "FAILED", "REJECTED"].includes(status))
    faults.push(`has not ended: ${status}`);
  if (credits !== (isCredited ? 1 : 0)) faults.push(`${status}, and credited ${credits} times`);
  if (isCredited && !isCovered) faults.push("credited, and not paid");
  // What comes after the end of an invoice is credited or not, as its connector was asked before or after.
  if (!isCredited && isCovered && how !== "late") faults.push("paid, and not credited");
  if (came.length > 0 && how === undefined) faults.push("paid, and promised to nobody");
  if (total !== (isCredited ? asked : 0n) + aside) faults.push(`of ${total}, ${aside} are aside`);
  const odd = items.filter(({ reason }) => !REASONS[how ?? ""]?.includes(String(reason)));
  if (odd.length > 0) faults.push(`paid ${how}, and aside as ${odd[0]?.reason}`);
  return faults;
}

function outgoingFaults(books: UmaBooks): readonly string[] {
  const { bank, quotes, received, ends } = books;
  const faults: string[] = [];
  const outgoing = books.transactions.filter(({ type }) => type === "OUTGOING");
  const transactions = new Map(outgoing.map((one) => [one.id, one]));
  const acknowledged = new Set(quotes.map(({ transactionId }) => bare(transactionId)));
  for (const { id } of outgoing)
    if (!acknowledged.has(id)) faults.push(`${id}: a payment that nobody was told of`);
  if (acknowledged.size !== quotes.length) faults.push("a payment is in two quotes");
  const given = new Map(received.map(({ invoice, amount }) => [invoice, amount]));
  const orders = new Map(bank.orders.map((order) => [order.id, order]));
  const owned = new Set(outgoing.flatMap(({ orderIds }) => orderIds));
  for (const id of orders.keys()) if (!owned.has(id)) faults.push(`order ${id} is of no payment`);
  const invoices = groupBy(outgoing, ({ invoice }) => invoice);
  for (const [invoice, all] of invoices)
    if (all.length !== 1) faults.push(`${invoice} is in ${all.length} quotes`);
  for (const { transactionId, isExecuted } of quotes) {
    const transaction = transactions.get(bare(transactionId));
    const fault =
      transaction === undefined
        ? "acknowledged, and lost"
        : quoteFault(transaction, { isExecuted, ends, orders: bank, given });
    if (fault !== undefined) faults.push(`${transactionId}: ${fault}`);
  }
  return faults;
}

interface QuoteSide {
  readonly isExecuted: boolean;
  readonly ends: UmaBooks["ends"];
  readonly orders: BankBook;
  readonly given: ReadonlyMap<string, string>;
}

function quoteFault(
  { status, quoteStatus, isRefunded, invoice, orderIds }: OurTransaction,
  { isExecuted, ends, orders, given }: QuoteSide,
): string | undefined {
  if (invoice === null || !given.has(invoice)) return "its invoice is not the institution's";
  const end = ends.get(invoice);
  const isPaid = end?.kind === "paid" && orderIds.includes(end.by ?? "");
  if (end?.kind === "paid" && !isPaid) return "another order has paid its invoice";
  const sent = orders.orders.filter(({ id }) => orderIds.includes(id));
  if (sent.some((order) => order.invoice !== invoice || order.amount !== given.get(invoice)))
    return "its order is for another invoice or amount";
  const told = `${quoteStatus} ${status}${isRefunded ? " refunded" : ""}`;
  if (!isExecuted)
    return quoteStatus === "EXPIRED" && !isPaid ? undefined : `not executed: ${told}`;
  const expected = isPaid ? "COMPLETED COMPLETED" : "FAILED FAILED refunded";
  return told === expected ? undefined : `${isPaid ? "paid" : "not paid"}, and ${told}`;
}

/** What the customers have is what came for them less what they have spent, by the books outside and the answers that callers got. */
function balanceFaults(books: UmaBooks, payees: readonly Payee[]): readonly string[] {
  const expected = new Map<string, bigint>();
  const add = (account: string, minor: bigint) =>
    expected.set(account, (expected.get(account) ?? 0n) + minor);
  for (const { dollars, euros } of payees) {
    add(bare(dollars), BigInt(FUNDED));
    add(bare(euros), 0n);
  }
  const transactions = new Map(books.transactions.map((one) => [one.id, one]));
  const isDone = (id: string) => transactions.get(id)?.status === "COMPLETED";
  for (const { accountId, transactionId, total } of books.quotes)
    if (isDone(bare(transactionId))) add(bare(accountId), -BigInt(total));
  const byInvoice = new Map(books.bank.invoices.map(({ id, invoice }) => [invoice, id]));
  for (const { invoice, converted } of books.promised) {
    const id = byInvoice.get(invoice) ?? "";
    const account = transactions.get(id)?.accountId;
    if (isDone(id) && account) add(account, BigInt(converted.amount));
  }
  const faults = [...expected]
    .filter(([account, minor]) => books.balances.get(account) !== minor)
    .map(
      ([account, minor]) => `account ${account} has ${books.balances.get(account)}, not ${minor}`,
    );
  const outside = sum(
    books.bank.entries.map(({ direction, amount }) =>
      direction === "CREDIT" ? BigInt(amount) : -BigInt(amount),
    ),
  );
  if (books.clearing !== -outside)
    faults.push(`the bank has ${outside}, and our books ${-books.clearing}`);
  return faults;
}

/** The exact balances of the system accounts, computed from the model. */
import { present } from "../../src/std/assert.ts";
import { isOpen, type Model } from "./model.ts";
import { leftOf } from "./model-holds.ts";
import { factsOf } from "./quote-states.ts";

type Accounts = Readonly<Record<string, bigint>>;

/** By kind and currency, without zero balances. */
export function expectedBooks(model: Model): Accounts {
  const books = new Map<string, bigint>();
  const add = (account: string, minor: bigint) =>
    books.set(account, (books.get(account) ?? 0n) + minor);
  for (const { currency, funded } of model.internals.values())
    add(`sandbox-funding ${currency}`, -funded);
  for (const transfer of model.transfers.values()) {
    const { direction, status, minor } = transfer;
    if (direction === "out" && isOpen(transfer)) add("in-flight USD", minor);
    if (status === "COMPLETED") add("rail-clearing USD", direction === "out" ? minor : -minor);
  }
  for (const hold of model.holds.all.values()) {
    const { currency } = present(model.internals.get(hold.internalId), "an account");
    add(`in-flight ${currency}`, leftOf(hold));
  }
  addQuotes(model, add);
  return Object.fromEntries([...books].filter(([, minor]) => minor !== 0n).sort());
}

function addQuotes({ quotes }: Model, add: (account: string, minor: bigint) => void): void {
  for (const { fromId, arrived, price, state, isInHouse } of quotes.all.values()) {
    const { money } = factsOf(state);
    if (money === "home") continue;
    const taken = fromId === null ? (arrived ?? 0n) : price.sent;
    if (fromId === null) add("rail-clearing USD", -taken);
    if (money === "aside") {
      add(fromId === null ? "paid-in USD" : "in-flight USD", taken);
      continue;
    }
    add("fees USD", price.ownFees);
    add("fx USD", price.exchanged);
    add("rounding USD", price.dust);
    add("fx EUR", -price.paidOut);
    if (!isInHouse) add("rail-clearing EUR", price.paidOut);
  }
}

/** The sum over all accounts per currency, which must be zero. */
export function sumsByCurrency(model: Model): Accounts {
  const sums: Record<string, bigint> = {};
  const add = (currency: string, minor: bigint) => {
    sums[currency] = (sums[currency] ?? 0n) + minor;
  };
  for (const [account, minor] of Object.entries(expectedBooks(model)))
    add(account.split(" ")[1] ?? "", minor);
  for (const [id, { currency }] of model.internals) add(currency, model.moneyOf(id).balance);
  return sums;
}

/** Batches of payments through the API. */
import { present } from "../../src/std/assert.ts";
import { formOf } from "./forms.ts";
import { bankAccount, fundedCustomer, type Story } from "./story.ts";

export interface Payers {
  readonly customerId: string;
  /** An internal account with money. */
  readonly from: string;
  /** An internal account without money. */
  readonly to: string;
  /** A bank account of the same customer. */
  readonly bank: string;
}

export async function payersOf(story: Story, amount = 100_000): Promise<Payers> {
  const { accountId: from, customerId } = await fundedCustomer(story, amount);
  const { accountId: to } = await fundedCustomer(story, 0);
  return { customerId, from, to, bank: await bankAccount(story, { customerId }) };
}

export interface ItemWish {
  readonly reference?: string;
  readonly amount?: number;
  readonly more?: object;
}

export function bookItem(
  { from, to }: Pick<Payers, "from" | "to">,
  { reference = "one", amount = 100, more = {} }: ItemWish = {},
) {
  const [source, destination] = [{ accountId: from }, { accountId: to }];
  return { reference, kind: "BOOK", source, destination, amount, ...more };
}

export function payoutItem({ from, bank }: Pick<Payers, "from" | "bank">, wish: ItemWish = {}) {
  return { ...bookItem({ from, to: bank }, wish), kind: "TRANSFER_OUT" };
}

export function sendBatch(story: Story, items: readonly object[], more: object = {}) {
  return story.call("POST", "/payment-batches", { mode: "INDEPENDENT", items, ...more });
}

/** A batch that runs for longer than the next call takes. */
export async function longBatch(story: Story, count = 3_000): Promise<string> {
  const payers = await payersOf(story);
  const items = Array.from({ length: count }, (_, at) =>
    bookItem(payers, { reference: `item-${at}`, amount: 1 }),
  );
  return idOfBatch(await sendBatch(story, items));
}

export function idOfBatch({ json, text }: { readonly json: unknown; readonly text: string }) {
  return present((json as { id?: string } | undefined)?.id, `a batch, not ${text}`);
}

/** Items as the rows of a file. */
export function batchCsv(items: readonly ReturnType<typeof bookItem>[]): string {
  const rows = items.map(({ reference, kind, source, destination, amount }) =>
    [reference, kind, source.accountId, destination.accountId, amount].join(","),
  );
  return ["reference,kind,sourceAccountId,destinationAccountId,amount", ...rows, ""].join("\r\n");
}

export function batchForm(
  file: string | Buffer,
  fields: Readonly<Record<string, string>> = {},
): FormData {
  return formOf(fields, { bytes: file, name: "payroll.csv", type: "text/csv" });
}

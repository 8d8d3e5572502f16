/**
 * Checks of a connector that makes and pays invoices: an invoice asks for one thing for ever, is paid once and exactly, and takes no money
 * after it has ended. The run pays the connector's own invoices by orders to the same connector.
 */
import type {
  SettlementAsset,
  SettlementLayer,
} from "../../../domain/rails/connections/settlement.ts";
import { pause } from "../../../std/clock.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { Exchanged } from "../connector/connector-client.ts";
import {
  type InvoiceState,
  readInspected,
  readInvoice,
  readInvoiceState,
  type ToldInvoice,
} from "../connector/connector-invoices.ts";
import { readSettlement } from "../connector/connector-settlement.ts";
import {
  type Bench,
  type Check,
  type CheckOutcome,
  conflictFault,
  reportFault,
  statusOf,
  unknownFault,
} from "./conformance.ts";

const AT_ONCE = 20;
const LOOK_EVERY_MS = 200;

export const INVOICE_CHECKS: readonly Check[] = (
  [
    // What is wrong with the description is found before any check.
    ["it says on which layers it settles", async () => undefined],
    ["one id is one invoice, 20 times at once", isOneInvoice],
    ["the same id with another invoice is a conflict", refusesAnother],
    ["an invoice that was never asked for is not received", deniesUnknown],
    ["an inspection tells what an invoice asks for", inspects],
    ["an invoice is paid once, by one entry that names it", isPaidOnce],
    ["an order that does not fit its invoice is declined", declinesOtherAmounts],
    ["an expired invoice takes no money", expires],
    ["a cancelled invoice takes no money", cancels],
  ] as const
).map(([name, run]) => ({
  name,
  features: ["invoices"],
  run: (bench: Bench) => onLayer(bench, run),
}));

interface Counter {
  readonly bench: Bench;
  readonly layer: SettlementLayer;
  readonly asset: SettlementAsset;
}

/** Runs the check on the first layer that both sends and receives. */
async function onLayer(
  bench: Bench,
  run: (counter: Counter) => Promise<CheckOutcome>,
): Promise<CheckOutcome> {
  const described = await bench.call({ method: "GET", path: "/florin-rail" });
  const body = described.kind === "answered" ? described.body : undefined;
  const read = readSettlement(body?.settlement);
  if (read.leftOut.length > 0) return read.leftOut.join("; ");
  const layer = read.layers.find(({ send, receive }) => send && receive);
  const [asset] = layer?.assets ?? [];
  if (layer === undefined || asset === undefined)
    return "no layer both sends and receives, so nothing can be tried";
  return run({ bench, layer, asset });
}

/** The request for an invoice of this amount. */
function ask(
  { bench, layer, asset }: Counter,
  id: string,
  {
    amount,
    seconds = layer.invoiceSeconds.max,
  }: { readonly amount: string; readonly seconds?: number },
) {
  const expiresAt = new Date(bench.options.clock.now() + seconds * 1_000).toISOString();
  const body = Buffer.from(
    JSON.stringify({
      id,
      layer: layer.layer,
      asset,
      amount,
      expiresAt,
      metadata: '[["text/plain","Pay $ana@example.com"]]',
      umaAddress: "$ana@example.com",
      environment: "SANDBOX",
    }),
  );
  const put = () =>
    bench.call({ method: "PUT", path: `/invoices/${id}`, body, idempotencyKey: id });
  return { put, expiresAt: Date.parse(expiresAt) };
}

const invoiceIn = (answer: Exchanged) =>
  answer.kind === "answered" && answer.status === 200 && answer.isSigned
    ? readInvoice(answer.body)
    : undefined;

const noInvoice = (answer: Exchanged) =>
  `it must answer a signed 200 with invoice and expiresAt, not ${statusOf(answer)}`;

async function made(
  counter: Counter,
  wish: { readonly amount: string; readonly seconds?: number },
): Promise<(ToldInvoice & { readonly id: string }) | { readonly fault: string }> {
  const id = counter.bench.newId();
  const answer = await ask(counter, id, wish).put();
  const invoice = invoiceIn(answer);
  return invoice === undefined ? { fault: noInvoice(answer) } : { id, ...invoice };
}

async function isOneInvoice(counter: Counter): Promise<CheckOutcome> {
  const { put, expiresAt } = ask(counter, counter.bench.newId(), { amount: "1250" });
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, put));
  const odd = answers.find((answer) => invoiceIn(answer) === undefined);
  if (odd !== undefined) return noInvoice(odd);
  const texts = new Set(answers.map((answer) => JSON.stringify(invoiceIn(answer))));
  if (texts.size > 1) return `it made ${texts.size} invoices under one id`;
  const [first] = answers;
  const until = first === undefined ? 0 : (invoiceIn(first)?.expiresAt ?? 0);
  return until > expiresAt ? "its invoice lives longer than it was asked for" : undefined;
}

async function refusesAnother(counter: Counter): Promise<CheckOutcome> {
  const id = counter.bench.newId();
  await ask(counter, id, { amount: "300" }).put();
  return conflictFault(await ask(counter, id, { amount: "301" }).put());
}

async function deniesUnknown({ bench }: Counter): Promise<CheckOutcome> {
  return unknownFault(await bench.call({ method: "GET", path: `/invoices/${bench.newId()}` }));
}

function inspection({ bench, layer }: Counter, invoice: string): Promise<Exchanged> {
  const body = Buffer.from(JSON.stringify({ layer: layer.layer, invoice }));
  return bench.call({ method: "POST", path: "/invoices/inspect", body });
}

async function inspects(counter: Counter): Promise<CheckOutcome> {
  const one = await made(counter, { amount: "4100" });
  if ("fault" in one) return one.fault;
  const answer = await inspection(counter, one.invoice);
  const read = answer.kind === "answered" ? readInspected(answer.body) : undefined;
  if (read === undefined)
    return `it must answer 200 with layer, asset, amount and expiresAt, not ${statusOf(answer)}`;
  const isSame =
    read.layer === counter.layer.layer &&
    read.identifier === counter.asset.identifier &&
    read.amountMinor === 4_100n &&
    read.expiresAt === one.expiresAt;
  if (!isSame) return "it tells another layer, asset, amount or expiry than the invoice has";
  const odd = await inspection(counter, "no-invoice");
  return statusOf(odd) === 422
    ? undefined
    : `a text that is no invoice must be answered 422, not ${statusOf(odd)}`;
}

/** How an order ended; the fault of its first report. */
interface Paid {
  readonly status: string;
  readonly fault: CheckOutcome;
}

async function pay(
  { bench, layer, asset }: Counter,
  { invoice, expiresAt }: ToldInvoice,
  { amount, times = 1 }: { readonly amount: string; readonly times?: number },
): Promise<Paid> {
  const id = bench.newId();
  const body = bench.order(id, amount, {
    currency: asset.currency,
    decimals: asset.decimals,
    paymentRail: "UMA",
    counterparty: {
      accountType: "UMA_ADDRESS",
      accountInfo: { umaAddress: "$ana@example.com", vaspDomain: "example.com" },
    },
    settlement: {
      layer: layer.layer,
      assetIdentifier: asset.identifier,
      invoice,
      payBy: new Date(expiresAt).toISOString(),
    },
  });
  const answers = await Promise.all(Array.from({ length: times }, () => bench.put(id, body)));
  const fault = answers.map(reportFault).find((each) => each !== undefined);
  const report = fault === undefined ? await bench.ended(id) : undefined;
  return { status: String(report?.status), fault };
}

/** Inquires until the invoice has this status, or the run waits no longer. */
async function stateOf(
  { bench }: Counter,
  id: string,
  status: InvoiceState["status"],
): Promise<InvoiceState | undefined> {
  const { clock, waitMs } = bench.options;
  const until = clock.now() + waitMs;
  for (;;) {
    const answer = await bench.call({ method: "GET", path: `/invoices/${id}` });
    const state =
      answer.kind === "answered" && answer.isSigned ? readInvoiceState(answer.body) : undefined;
    if (state?.status === status || clock.now() > until) return state;
    await pause(clock, LOOK_EVERY_MS);
  }
}

async function isPaidOnce(counter: Counter): Promise<CheckOutcome> {
  const one = await made(counter, { amount: "5200" });
  if ("fault" in one) return one.fault;
  const report = await pay(counter, one, { amount: "5200", times: AT_ONCE });
  if (report.fault !== undefined) return report.fault;
  if (report.status !== "settled") return `an order to its invoice ended as ${report.status}`;
  const again = await pay(counter, one, { amount: "5200" });
  const payments = again.status === "settled" ? 2 : 1;
  const state = await stateOf(counter, one.id, "paid");
  if (state?.status !== "paid") return `the invoice is paid, and told as ${state?.status}`;
  const fed = (await counter.bench.feed(500)).filter(({ invoiceId }) => invoiceId === one.id);
  if (fed.length !== payments)
    return `${payments} orders have paid the invoice, and the feed has ${fed.length} entries of it`;
  const ids = (entries: readonly JsonObject[]) =>
    entries
      .map(({ id }) => String(id))
      .toSorted()
      .join();
  if (ids(fed) !== ids(state.entries)) return "the invoice has other entries than the feed";
  return fed.every(({ amount, direction }) => amount === "5200" && direction === "CREDIT")
    ? undefined
    : "an entry of the invoice is no credit of its amount";
}

async function declinesOtherAmounts(counter: Counter): Promise<CheckOutcome> {
  for (const amount of ["6399", "6401"]) {
    const one = await made(counter, { amount: "6400" });
    if ("fault" in one) return one.fault;
    const { status } = await pay(counter, one, { amount });
    if (status !== "declined")
      return `an order of ${amount} to an invoice of 6400 must be declined, and is ${status}`;
  }
  return undefined;
}

async function expires(counter: Counter): Promise<CheckOutcome> {
  const { clock } = counter.bench.options;
  const seconds = Math.max(counter.layer.invoiceSeconds.min, 1);
  const one = await made(counter, { amount: "7500", seconds });
  if ("fault" in one) return one.fault;
  await pause(clock, Math.max(one.expiresAt - clock.now(), 0) + LOOK_EVERY_MS);
  return takesNothing(counter, one, { amount: "7500", status: "expired" });
}

async function cancels(counter: Counter): Promise<CheckOutcome> {
  const one = await made(counter, { amount: "8600" });
  if ("fault" in one) return one.fault;
  const path = `/invoices/${one.id}/cancel`;
  const body = Buffer.from("{}");
  const answer = await counter.bench.call({ method: "POST", path, body, idempotencyKey: one.id });
  const state = answer.kind === "answered" ? readInvoiceState(answer.body) : undefined;
  if (state?.status !== "cancelled")
    return `a cancel of an open invoice must answer cancelled, not ${state?.status ?? statusOf(answer)}`;
  return takesNothing(counter, one, { amount: "8600", status: "cancelled" });
}

async function takesNothing(
  counter: Counter,
  one: ToldInvoice & { readonly id: string },
  { amount, status }: { readonly amount: string; readonly status: InvoiceState["status"] },
): Promise<CheckOutcome> {
  const report = await pay(counter, one, { amount });
  if (report.status === "settled") return `an order to an invoice that is ${status} was settled`;
  const state = await stateOf(counter, one.id, status);
  if (state?.status !== status) return `the invoice is ${status}, and told as ${state?.status}`;
  const fed = (await counter.bench.feed(500)).filter(({ invoiceId }) => invoiceId === one.id);
  return state.entries.length + fed.length === 0
    ? undefined
    : `money has come to an invoice that is ${status}`;
}

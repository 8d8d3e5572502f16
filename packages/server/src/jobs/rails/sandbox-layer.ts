/**
 * The layer that settles between sandboxes, behind the port of connectors. An order that pays an invoice books an entry at the payee's platform,
 * by the command of a connector's entries, under the id of the order: however often it is sent, it is booked once. What was booked there is all
 * that the layer knows, so any server answers for any other, and a server that dies between the two platforms is asked again.
 *
 * An invoice lapses by the clock of the payee's platform.
 */
import { clockOffsetOf } from "../../domain/platform.sql.ts";
import { hasEntryNamed } from "../../domain/rails/entries/rail-entry.sql.ts";
import type { ToldEntry } from "../../domain/rails/entries/rail-entry.ts";
import { recordInvoiceEntries } from "../../domain/rails/entries/record-invoice-entries.ts";
import { sandboxEntry } from "../../domain/rails/entries/sandbox-entry.ts";
import type {
  ConnectorAddress,
  ConnectorAnswer,
  ConnectorInvoiceState,
  ConnectorOrder,
  Connectors,
  ForeignInvoice,
  NewConnectorInvoice,
} from "../../domain/rails/orders/connector.port.ts";
import type { RailReport } from "../../domain/rails/orders/rail-report.ts";
import { findUmaInvoice, type UmaInvoice } from "../../domain/uma/incoming/uma-invoice.ts";
import { SANDBOX_LAYER } from "../../domain/uma/sandbox-layer.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import type { Clock } from "../../std/clock.ts";
import { submitForJob } from "../submit-for-job.ts";
import type { SandboxInvoice, SandboxInvoices } from "./sandbox-invoice.ts";

interface Tools {
  readonly engine: Pick<Engine, "submit">;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly invoices: SandboxInvoices;
}

/** The calls of each connection, by its kind. */
export function withSandboxLayer(connectors: Connectors, tools: Tools): Connectors {
  const layer = sandboxLayer(tools);
  const of = ({ connection }: ConnectorAddress) =>
    connection.kind === "SANDBOX" ? layer : connectors;
  return {
    describe: (address) => of(address).describe(address),
    submit: (order) => of(order).submit(order),
    inquire: (order) => of(order).inquire(order),
    cancel: (order) => of(order).cancel(order),
    entries: (address, after) => of(address).entries(address, after),
    instructions: (order) => of(order).instructions(order),
    makeInvoice: (order) => of(order).makeInvoice(order),
    invoiceState: (order) => of(order).invoiceState(order),
    cancelInvoice: (order) => of(order).cancelInvoice(order),
    inspectInvoice: (invoice) => of(invoice).inspectInvoice(invoice),
    balances: (address) => of(address).balances(address),
    test: (address) => of(address).test(address),
  };
}

const outcome = { kind: "good" } as const;

function sandboxLayer(tools: Tools): Connectors {
  const { reads, clock, invoices } = tools;
  const stateOf = async (platformId: string, { text }: UmaInvoice): Promise<State> => {
    const written = invoices.read(text ?? "");
    if (written === undefined) return "not-received";
    return (await platformNow(tools, platformId)) < written.until ? "open" : "ended";
  };
  const told = (status: ConnectorInvoiceState["status"]) => ({ outcome, status, entries: [] });
  return {
    describe: async () => ({ ok: false, reason: "The layer is built in." }),
    submit: (order) => submit(tools, order),
    inquire: (order) => inquire(tools, order),
    cancel: async () => ({ ...answer(undefined), isRefused: true }),
    entries: async () => ({ outcome, page: undefined }),
    instructions: async () => ({ outcome, told: undefined }),
    makeInvoice: (order) => makeInvoice(tools, order),
    invoiceState: async ({ platformId, invoice }) => told(await stateOf(platformId, invoice)),
    // What is paid from now on is an item, as the payment has ended.
    async cancelInvoice({ platformId, invoice }) {
      const state = await stateOf(platformId, invoice);
      return told(state === "open" ? "ended" : state);
    },
    inspectInvoice: async (invoice) => ({
      outcome,
      inspected: await inspect({ reads, clock, invoices }, invoice),
    }),
    balances: async () => undefined,
    test: async () => [],
  };
}

type State = "open" | "ended" | "not-received";

async function platformNow(
  { reads, clock }: Pick<Tools, "reads" | "clock">,
  platformId: string,
): Promise<number> {
  return clock.now() + (await clockOffsetOf(reads, platformId));
}

async function makeInvoice(
  { reads, invoices }: Tools,
  { platformId, invoice, expiresAt }: NewConnectorInvoice,
) {
  const { id, identifier, amountMinor } = invoice;
  const until = expiresAt + (await clockOffsetOf(reads, platformId));
  const written = { platformId, invoiceId: id, until, amountMinor, identifier };
  const text = invoices.write(written);
  return { outcome, made: { text, expiresAt, nodePubKey: null, utxos: [] } };
}

async function inspect(
  { reads, invoices }: Pick<Tools, "reads" | "clock" | "invoices">,
  { layer, invoice }: ForeignInvoice,
) {
  const written = layer === SANDBOX_LAYER ? invoices.read(invoice) : undefined;
  if (written === undefined) return "none" as const;
  const { platformId, identifier, amountMinor, until } = written;
  return {
    layer,
    identifier,
    amountMinor,
    expiresAt: until - (await clockOffsetOf(reads, platformId)),
  };
}

/** The bank reference of the entry that an order has booked. */
function referenceOf({ payment }: ConnectorOrder): string {
  return `${SANDBOX_LAYER} ${payment.id}`;
}

function invoiceOf({ invoices }: Tools, { payment }: ConnectorOrder): SandboxInvoice | undefined {
  const { invoice } = payment;
  return invoice?.layer === SANDBOX_LAYER ? invoices.read(invoice.invoice) : undefined;
}

async function inquire(tools: Tools, order: ConnectorOrder): Promise<ConnectorAnswer> {
  const written = invoiceOf(tools, order);
  const isBooked =
    written !== undefined &&
    (await hasEntryNamed(tools.reads, written.platformId, referenceOf(order)));
  return answer(isBooked ? settled(order) : report("not-received"));
}

async function submit(tools: Tools, order: ConnectorOrder): Promise<ConnectorAnswer> {
  const written = invoiceOf(tools, order);
  if (written === undefined) return declined("AG01", "The text is no invoice of this layer.");
  const { platformId, invoiceId } = written;
  if (await hasEntryNamed(tools.reads, platformId, referenceOf(order)))
    return answer(settled(order));
  const [invoice, now] = await Promise.all([
    findUmaInvoice(tools.reads, platformId, invoiceId),
    platformNow(tools, platformId),
  ]);
  if (invoice === undefined) return declined("AG01", "The invoice is not known.");
  if (written.amountMinor !== order.payment.amountMinor)
    return declined("AM09", "The amount is not that of the invoice.");
  if (invoice.state === "PAID") return declined("DUPL", "The invoice was paid before.");
  if (invoice.state !== "OPEN" || now >= written.until)
    return declined("TM01", "The invoice has lapsed.");
  const isBooked = await book(tools, { order, written, invoice, now });
  return answer(isBooked ? settled(order) : undefined);
}

interface Paid {
  readonly order: ConnectorOrder;
  readonly written: SandboxInvoice;
  readonly invoice: UmaInvoice;
  /** Of the payee's platform. */
  readonly now: number;
}

/** Whether the money is booked at the payee's platform. */
async function book({ engine }: Tools, { order, written, invoice, now }: Paid): Promise<boolean> {
  const { payment } = order;
  const entry: ToldEntry = {
    ...sandboxEntry(invoice, { bankReference: referenceOf(order), at: now }),
    amountMinor: payment.amountMinor,
    reference: payment.reference,
    remittance: payment.remittance,
  };
  const told = await submitForJob(
    engine,
    { platformId: written.platformId, kind: SANDBOX_LAYER },
    {
      command: recordInvoiceEntries,
      input: { connectionId: invoice.connectionId, entries: [entry] },
      tell: (isWhole) => (isWhole ? "whole" : ""),
    },
  );
  return told === "whole";
}

function settled({ payment }: ConnectorOrder): RailReport {
  return { ...report("settled"), reference: `${SANDBOX_LAYER} ${payment.id}` };
}

function declined(code: string, text: string): ConnectorAnswer {
  return answer({ ...report("declined"), code, text });
}

function report(status: RailReport["status"]): RailReport {
  return {
    status,
    scheme: "CONNECTOR",
    code: undefined,
    text: undefined,
    reference: undefined,
    settledOn: undefined,
    amountMinor: undefined,
  };
}

function answer(told: RailReport | undefined): ConnectorAnswer {
  return { outcome, report: told, askAgainInMs: undefined };
}

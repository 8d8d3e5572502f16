/**
 * Invoices of connectors: texts that a payer at another institution pays. The requests for them, and how the answers are read. Amounts are
 * decimal text of the asset's smallest unit.
 */
import type {
  InspectedInvoice,
  NewConnectorInvoice,
} from "../../../domain/rails/orders/connector.port.ts";
import { toIso } from "../../../std/clock.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import { plainText } from "./connector-messages.ts";

/** The body of the request for an invoice. */
export function invoiceBody({
  invoice,
  expiresAt,
  metadata,
  umaAddress,
  environment,
}: NewConnectorInvoice): Buffer {
  const { id, layer, identifier, asset: currency, decimals, amountMinor } = invoice;
  const asset = { identifier, currency, decimals };
  const amount = amountMinor.toString();
  const rest = { expiresAt: toIso(expiresAt), metadata, umaAddress, environment };
  return Buffer.from(JSON.stringify({ id, layer, asset, amount, ...rest }));
}

/** An invoice as a connector told it. */
export interface ToldInvoice {
  readonly invoice: string;
  readonly expiresAt: number;
  readonly nodePubKey: string | null;
  readonly utxos: readonly string[];
}

const MOST_OUTPUTS = 50;
const MOST_IDENTIFIER = 200;
const INVOICE = /^[\x21-\x7e]{1,4096}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

/** The answer to a request for an invoice; undefined when it is not sound. */
export function readInvoice(body: unknown): ToldInvoice | undefined {
  const { invoice, expiresAt, nodePubKey, utxos } = isJsonObject(body) ? body : {};
  const at = timeIn(expiresAt);
  if (typeof invoice !== "string" || !INVOICE.test(invoice) || at === undefined) return undefined;
  const outputs = Array.isArray(utxos) ? utxos.slice(0, MOST_OUTPUTS) : [];
  return {
    invoice,
    expiresAt: at,
    nodePubKey: plainText(nodePubKey, MOST_IDENTIFIER) ?? null,
    utxos: outputs.flatMap((output) => plainText(output, MOST_IDENTIFIER) ?? []),
  };
}

/** `expired` and `cancelled`: no money is taken for the invoice from now on. */
export const invoiceStatuses = ["open", "paid", "expired", "cancelled"] as const;

export interface InvoiceState extends ToldInvoice {
  readonly status: (typeof invoiceStatuses)[number];
  /** Every entry of money for it, as the feed tells them. */
  readonly entries: readonly JsonObject[];
}

const MOST_ENTRIES = 1_000;

/** The answer to an inquiry about an invoice; undefined when it is not sound. */
export function readInvoiceState(body: unknown): InvoiceState | undefined {
  const told = readInvoice(body);
  if (told === undefined || !isJsonObject(body)) return undefined;
  const status = invoiceStatuses.find((known) => known === body.status);
  const { entries } = body;
  if (status === undefined || !Array.isArray(entries) || entries.length > MOST_ENTRIES)
    return undefined;
  const sound = entries.filter(isJsonObject);
  return sound.length === entries.length ? { ...told, status, entries: sound } : undefined;
}

/** The answer to an inspection; undefined when it is not sound. */
export function readInspected(body: unknown): InspectedInvoice | undefined {
  const { layer, asset, amount, expiresAt } = isJsonObject(body) ? body : {};
  const { identifier } = isJsonObject(asset) ? asset : {};
  const at = timeIn(expiresAt);
  if (typeof layer !== "string" || typeof identifier !== "string" || at === undefined)
    return undefined;
  if (amount === null) return { layer, identifier, amountMinor: null, expiresAt: at };
  if (typeof amount !== "string" || !/^[1-9]\d{0,17}$/.test(amount)) return undefined;
  return { layer, identifier, amountMinor: BigInt(amount), expiresAt: at };
}

function timeIn(value: unknown): number | undefined {
  if (typeof value !== "string" || !TIME.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : at;
}

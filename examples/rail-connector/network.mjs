/**
 * A pretend network on which banks pay invoices: a folder that they share. An invoice is a file. What ends it, a payment, a cancel or its
 * expiry, is a second file beside it, which only one of them can make, so an invoice is paid once, whichever bank is killed.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

const INVOICE = /^pretend1[0-9a-f]{32}$/;

export class Network {
  constructor(directory) {
    this.directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  /** The text of a new invoice for what is asked. */
  issue(asked) {
    const invoice = `pretend1${randomBytes(16).toString("hex")}`;
    this.make(`${invoice}.invoice`, asked);
    return invoice;
  }

  /** What an invoice asks for; undefined for a text that is none. */
  find(invoice) {
    return INVOICE.test(invoice) ? this.read(`${invoice}.invoice`) : undefined;
  }

  /** Ends the invoice, unless it has ended. Answers the end that it has. */
  end(invoice, how) {
    this.make(`${invoice}.end`, how);
    return this.endOf(invoice);
  }

  endOf(invoice) {
    return this.read(`${invoice}.end`);
  }

  read(name) {
    const path = join(this.directory, name);
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  }

  /** Makes the file whole, unless it is there. */
  make(name, content) {
    const draft = join(this.directory, `${randomBytes(8).toString("hex")}.draft`);
    const file = openSync(draft, "wx");
    writeSync(file, JSON.stringify(content));
    fsyncSync(file);
    closeSync(file);
    try {
      linkSync(draft, join(this.directory, name));
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    } finally {
      unlinkSync(draft);
    }
  }
}

/** The invoices of a bank on a layer. Its books say which it has made, the network how they ended. */
export class Invoices {
  constructor({ bank, network, layer, currencies, isBroken }) {
    Object.assign(this, { bank, network, layer, currencies, isBroken });
  }

  /** What the description tells of the layer. */
  settlement() {
    const assets = this.currencies.map((currency) => ({
      identifier: currency,
      currency,
      decimals: 2,
    }));
    const [invoiceSeconds, layer] = [{ min: 2, max: 3_600 }, this.layer];
    const exact = { exactAmounts: true, partialPayments: false };
    return [{ layer, send: true, receive: true, assets, invoiceSeconds, ...exact }];
  }

  /** The answer to a call below /invoices; undefined for another path or method. */
  answer(method, path, text) {
    const [, id, act] = /^\/invoices\/([0-9a-f-]{36}|inspect)(\/cancel)?$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    const body = bodyIn(text);
    if (body === undefined) return refused(400, "invalid", "The body is no JSON object.");
    if (id === "inspect") return method === "POST" ? this.inspect(body) : undefined;
    if (method === "PUT" && act === undefined) return this.make(id, body);
    const known = this.bank.invoices.get(id);
    if (known === undefined) return refused(404, "not_received", "No invoice has this id.");
    if (method === "POST" && act !== undefined) {
      if (this.isBroken("cancels-no-invoice")) return this.state({ ...known, status: "cancelled" });
      this.network.end(known.invoice, { kind: "cancelled" });
    }
    return this.state(this.look(known));
  }

  make(id, body) {
    const { layer, asset, amount, expiresAt } = body;
    const isSound =
      body.id === id &&
      layer === this.layer &&
      this.currencies.includes(asset?.currency) &&
      asset.identifier === asset.currency &&
      /^[1-9]\d{0,17}$/.test(amount) &&
      Date.parse(expiresAt) > Date.now();
    if (!isSound) return refused(400, "invalid", "layer, asset, amount or expiresAt: is not taken");
    const known = this.bank.invoices.get(id);
    if (known === undefined || this.isBroken("makes-invoices-anew")) {
      const asked = { layer, currency: asset.currency, amount, expiresAt };
      const invoice = this.network.issue(asked);
      this.bank.write({ invoice: { id, body, invoice, expiresAt, status: "open" } });
    } else if (JSON.stringify(known.body) !== JSON.stringify(body)) {
      return refused(409, "conflict", "The id was used for another invoice.");
    }
    const { invoice } = this.bank.invoices.get(id);
    return { status: 200, body: { invoice, expiresAt } };
  }

  inspect({ layer, invoice }) {
    const asked = layer === this.layer ? this.network.find(String(invoice)) : undefined;
    if (asked === undefined) return refused(422, "not_an_invoice", "The text is no invoice.");
    const { currency, amount, expiresAt } = asked;
    const asset = { identifier: currency };
    return { status: 200, body: { layer, asset, amount, expiresAt, network: "pretend" } };
  }

  /** The invoice as the network has it now. A payment is booked once: the line that records it is that of its entry. */
  look(known) {
    if (known.status !== "open") return known;
    const isOver = Date.parse(known.expiresAt) <= Date.now();
    const end = isOver
      ? this.network.end(known.invoice, { kind: "expired" })
      : this.network.endOf(known.invoice);
    if (end === undefined) return known;
    const { id, body } = known;
    const invoiceEnd = { id, status: end.kind };
    if (end.kind !== "paid" || this.isBroken("hides-invoice-entries"))
      this.bank.write({ invoiceEnd });
    else this.credit(known, { amount: body.amount, bookedAt: end.at, invoiceEnd });
    return this.bank.invoices.get(id);
  }

  /** Books money for an invoice: one line has the entry and what it ends. */
  credit({ id: invoiceId, body }, { id, amount, bookedAt, ...ended }) {
    const { currency } = body.asset;
    const entry = {
      id: id ?? `E${this.bank.entries.length + 1}`,
      ...{ currency, amount, direction: "CREDIT", bookedAt, invoiceId },
    };
    this.bank.write({ ...ended, entry, event: { eventId: entry.id, type: "entry.booked", entry } });
    return entry;
  }

  /**
   * With --pay-in, a payer who names an invoice and pays what he likes, when he likes: the network takes it. The same `id` is paid once.
   * Undefined for a payer who names none.
   */
  payIn({ id, invoice, amount }) {
    const known = [...this.bank.invoices.values()].find((one) => one.invoice === invoice);
    if (known === undefined) return undefined;
    const before = this.bank.entries.find((entry) => entry.id === id);
    return before ?? this.credit(known, { id, amount, bookedAt: new Date().toISOString() });
  }

  state({ id, invoice, expiresAt, status }) {
    const entries = this.bank.entries.filter(({ invoiceId }) => invoiceId === id);
    return { status: 200, body: { status, invoice, expiresAt, entries } };
  }

  /** Books what other banks have paid, again and again. */
  watch() {
    for (const known of this.bank.invoices.values()) this.look(known);
    setTimeout(() => this.watch(), 100);
  }

  /** Why an order to an invoice is declined; undefined when the network has taken its payment. */
  pay({ id, body: { settlement, currency, amount } }) {
    const { layer, assetIdentifier, invoice } = settlement;
    const asked = layer === this.layer ? this.network.find(String(invoice)) : undefined;
    if (asked === undefined) return { code: "AG01", text: "The invoice is not of this layer." };
    const isExact = asked.amount === amount && asked.currency === currency;
    if ((!isExact || assetIdentifier !== currency) && !this.isBroken("pays-other-amounts"))
      return { code: "AM09", text: "The invoice is for another amount." };
    const at = new Date().toISOString();
    const isOver = Date.parse(asked.expiresAt) <= Date.now();
    const end = isOver
      ? this.network.end(invoice, { kind: "expired" })
      : this.network.end(invoice, { kind: "paid", by: id, at });
    if (end.kind !== "paid") return { code: "TM01", text: "The invoice takes no money any more." };
    return end.by === id ? undefined : { code: "DUPL", text: "Another order has paid it." };
  }
}

/** Undefined for a body that is no JSON object; a GET has none. */
function bodyIn(text) {
  try {
    const body = JSON.parse(text || "{}");
    return typeof body === "object" && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

const refused = (status, code, message) => ({ status, body: { code, message } });

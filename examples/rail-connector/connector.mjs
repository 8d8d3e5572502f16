/**
 * A rail connector with a pretend bank, on Node alone. It speaks the Florin rail protocol, version 1, and keeps its books in one
 * append-only file, written through to the disk before anything is answered, so that it may be killed at any moment.
 *
 *   node connector.mjs --data DIR --signing-secret-file F --callback-secret-file F [--port 4010] [--environment SANDBOX|PRODUCTION]
 *     [--currencies USD,EUR] [--settle-ms 1000] [--callback-url URL] [--pay-in] [--layer NAME --network DIR] [--slow MS] [--break NAME]
 *
 * What becomes of an order follows from the end of the account number: 404 is declined, 500 is settled and comes back, all others are
 * settled. With --pay-in, `POST /pay-in` is a payer who sends money: it takes a credit without a signature, from this machine alone. With
 * --layer and --network it makes and pays invoices on a pretend network (network.mjs); two of them that share the folder are two banks of
 * it. A real connector puts calls to its bank in the place of `Bank`, and keeps the rest. --break shows what a connector must not do, for
 * tests: see BREAKS.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Invoices, Network } from "./network.mjs";

const BREAKS = [
  "pays-twice",
  "declines-and-pays",
  "forgets",
  "ignores-signature",
  "unsigned",
  "float-amounts",
  "drops-callbacks",
  "reuses-event-ids",
  "feed-skips",
  "feed-reorders",
  "settles-then-declines",
  "denies",
  "cancels-nothing",
  "hides-features",
  "makes-invoices-anew",
  "cancels-no-invoice",
  "hides-invoice-entries",
  "pays-other-amounts",
];
const MOST_BYTES = 256 * 1024;
const WINDOW_SECONDS = 300;
const HEADER = "florin-rail-signature";

const { values: settings } = parseArgs({
  options: {
    data: { type: "string", default: "./bank" },
    port: { type: "string", default: "4010" },
    environment: { type: "string", default: "SANDBOX" },
    currencies: { type: "string", default: "USD,EUR" },
    "signing-secret-file": { type: "string" },
    "callback-secret-file": { type: "string" },
    "callback-url": { type: "string" },
    "settle-ms": { type: "string", default: "1000" },
    "pay-in": { type: "boolean", default: false },
    layer: { type: "string" },
    network: { type: "string", default: "./network" },
    slow: { type: "string", default: "0" },
    break: { type: "string" },
  },
});
if (settings.break !== undefined && !BREAKS.includes(settings.break)) {
  throw new Error(`--break takes one of ${BREAKS.join(", ")}`);
}
const isBroken = (name) => settings.break === name;
const secretIn = (name) => {
  if (settings[name] === undefined) throw new Error(`--${name} is missing`);
  return readFileSync(settings[name], "utf8").trim();
};
const signingSecret = secretIn("signing-secret-file");
const callbackSecret = secretIn("callback-secret-file");
const currencies = settings.currencies.split(",");
const settleMs = Number(settings["settle-ms"]);

/** An append-only file of JSON lines. A line is there whole or not at all: a half one at the end was never answered for. */
class Books {
  constructor(directory) {
    mkdirSync(directory, { recursive: true });
    const path = join(directory, "books.jsonl");
    this.file = openSync(path, "a+");
    const text = readFileSync(path, "utf8");
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
    this.lines =
      whole === ""
        ? []
        : whole
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line));
  }

  append(line) {
    writeSync(this.file, `${JSON.stringify(line)}\n`);
    fsyncSync(this.file);
  }

  close() {
    closeSync(this.file);
  }
}

/** The pretend bank: orders by id, entries in the order in which they were recorded, balances that are their sums. */
class Bank {
  constructor(books) {
    this.books = books;
    this.orders = new Map();
    this.entries = [];
    this.instructions = new Map();
    this.invoices = new Map();
    this.nonces = new Map();
    this.events = new Map();
    for (const line of books.lines) this.read(line);
  }

  read(line) {
    if (line.order !== undefined) this.orders.set(line.order.id, { ...line.order });
    if (line.state !== undefined) Object.assign(this.orders.get(line.id), line.state);
    if (line.entry !== undefined) this.entries.push(line.entry);
    if (line.instruction !== undefined)
      this.instructions.set(line.instruction.id, line.instruction);
    if (line.invoice !== undefined) this.invoices.set(line.invoice.id, { ...line.invoice });
    if (line.invoiceEnd !== undefined)
      Object.assign(this.invoices.get(line.invoiceEnd.id), line.invoiceEnd);
    if (line.nonce !== undefined) this.nonces.set(line.nonce, line.at);
    if (line.event !== undefined) this.events.set(line.event.eventId, line.event);
    if (line.delivered !== undefined) this.events.delete(line.delivered);
  }

  write(line) {
    this.books.append(line);
    this.read(line);
  }

  /** True once for each nonce; it is remembered for twice as long as a signature is valid. */
  use(nonce) {
    const now = Date.now();
    for (const [old, at] of this.nonces) {
      if (now - at < 2 * WINDOW_SECONDS * 1000) break;
      this.nonces.delete(old);
    }
    if (this.nonces.has(nonce)) return false;
    this.write({ nonce, at: now });
    return true;
  }

  accept(body) {
    const { id } = body;
    const order = { id, body, status: "accepted", providerReference: `BANK-${id.slice(-12)}` };
    this.write({ order, ...this.told(order) });
    return this.orders.get(id);
  }

  /** The event that tells of an order, in the line that changes it. */
  told({ id, status, reason, providerReference, settledOn }) {
    const eventId = isBroken("reuses-event-ids") ? "event" : `${id}-${status}`;
    const payment = { id, status, providerReference, reason, settledOn };
    return { event: { eventId, type: "payment.updated", payment } };
  }

  change(order, state, direction) {
    const next = { ...order, ...state };
    const entry = direction === undefined ? {} : { entry: this.entryOf(order, direction) };
    this.write({ id: order.id, state, ...entry, ...this.told(next) });
  }

  entryOf({ id, body }, direction) {
    const { currency, amount, reference } = body;
    return {
      id: `E${this.entries.length + 1}`,
      currency,
      amount: isBroken("float-amounts") ? String(Number(amount)) : amount,
      direction,
      bookedAt: new Date().toISOString(),
      reference,
      paymentId: id,
    };
  }

  /** Where payers pay to under this id: a number of the pretend bank, the same each time that it is asked for. */
  instruct({ id, currency }) {
    if (!this.instructions.has(id)) {
      const number = String(900000 + this.instructions.size);
      this.write({ instruction: { id, currency, number } });
    }
    const { number } = this.instructions.get(id);
    const account =
      currency === "EUR"
        ? { accountType: "SWIFT_ACCOUNT", accountNumber: number, swiftCode: "PRTNDE2X" }
        : { accountType: `${currency}_ACCOUNT`, accountNumber: number, routingNumber: "990000000" };
    return { instructions: [{ ...account, bankName: "Pretend Bank" }] };
  }

  /** A credit by a payer: to the number of payment instructions, or with a text that quotes a reference. */
  payIn({ currency, amount, accountNumber, remittance, payer }) {
    const to = [...this.instructions.values()].find(({ number }) => number === accountNumber);
    const entry = {
      id: `E${this.entries.length + 1}`,
      currency,
      amount,
      direction: "CREDIT",
      bookedAt: new Date().toISOString(),
      ...(to === undefined ? {} : { instructionId: to.id }),
      remittance,
      payer,
    };
    this.write({ entry, event: { eventId: entry.id, type: "entry.booked", entry } });
    return entry;
  }

  settle(order) {
    const { body } = order;
    if (body.settlement !== undefined) return this.settleInvoice(order);
    const { accountNumber, iban, account } = body.counterparty.accountInfo;
    const number = String(accountNumber ?? iban ?? account ?? "");
    const way = body.direction === "PULL" ? "CREDIT" : "DEBIT";
    const settledOn = new Date().toISOString().slice(0, 10);
    const declined = {
      status: "declined",
      reason: { code: "AC04", text: "The account is closed." },
    };
    if (number.endsWith("404") || isBroken("declines-and-pays")) {
      this.change(order, declined, isBroken("declines-and-pays") ? way : undefined);
      return;
    }
    this.change(order, { status: "settled", settledOn }, way);
    if (isBroken("pays-twice")) this.write({ entry: this.entryOf(order, way) });
    if (isBroken("settles-then-declines")) this.change(order, declined);
    if (!number.endsWith("500")) return;
    const back = { status: "returned", reason: { code: "AC06", text: "The account is blocked." } };
    this.change(order, back, way === "DEBIT" ? "CREDIT" : "DEBIT");
  }

  /** A payment that the network has taken before this bank was killed is the same order's, so it is found and not made again. */
  settleInvoice(order) {
    const reason = invoices?.pay(order) ?? undefined;
    if (invoices === undefined || reason !== undefined)
      return this.change(order, { status: "declined", reason });
    const settledOn = new Date().toISOString().slice(0, 10);
    return this.change(order, { status: "settled", settledOn }, "DEBIT");
  }

  balances() {
    return currencies.map((currency) => {
      const ofCurrency = this.entries.filter((entry) => entry.currency === currency);
      const booked = ofCurrency.reduce(
        (sum, { direction, amount }) =>
          direction === "CREDIT" ? sum + BigInt(amount) : sum - BigInt(amount),
        0n,
      );
      return { currency, booked: booked.toString(), asOf: new Date().toISOString() };
    });
  }
}

const bank = new Bank(new Books(settings.data));
const { layer } = settings;
const invoices =
  layer === undefined
    ? undefined
    : new Invoices({ bank, network: new Network(settings.network), layer, currencies, isBroken });

const digest = (body) => createHash("sha256").update(body).digest("hex");
const macOf = (secret, lines) => createHmac("sha256", secret).update(lines.join("\n")).digest();

/** The stamp of a request that is signed right, just now; undefined for any other. */
function stampOf(request, body) {
  const header = request.headers[HEADER] ?? "";
  const [, t, n, v1] =
    /^t=(\d{1,12}),n=([A-Za-z0-9_-]{16,64}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (t === undefined) return undefined;
  const key = request.headers["idempotency-key"] ?? "";
  const lines = ["v1", t, n, request.method, request.url, key, digest(body)];
  const isSigned = timingSafeEqual(macOf(signingSecret, lines), Buffer.from(v1, "hex"));
  if (isBroken("ignores-signature")) return { t, n };
  const isTimely = Math.abs(Date.now() / 1000 - Number(t)) <= WINDOW_SECONDS;
  return isSigned && isTimely && bank.use(n) ? { t, n } : undefined;
}

function send(response, stamp, { status, body }) {
  const bytes = Buffer.from(JSON.stringify(body));
  const lines = ["v1", stamp.t, stamp.n, status, digest(bytes)];
  const mac = macOf(signingSecret, lines).toString("hex");
  const signed = isBroken("unsigned") ? {} : { [HEADER]: `t=${stamp.t},n=${stamp.n},v1=${mac}` };
  response.writeHead(status, { "content-type": "application/json", ...signed }).end(bytes);
}

const reportOf = ({ status, reason, providerReference, settledOn }) => ({
  status: 200,
  body: { status, reason, providerReference, settledOn },
});
const refused = (status, code, message) => ({ status, body: { code, message } });

function answerTo(method, url, body) {
  const [path, query] = url.split("?");
  if (method === "GET" && path === "/florin-rail") return { status: 200, body: description() };
  if (method === "GET" && path === "/entries") return { status: 200, body: page(query) };
  if (method === "GET" && path === "/balances") {
    return { status: 200, body: { balances: bank.balances() } };
  }
  const ofInvoice = invoices?.answer(method, path, body);
  if (ofInvoice !== undefined) return ofInvoice;
  const [, asked] = /^\/instructions\/([0-9a-f-]{36})$/.exec(path) ?? [];
  if (asked !== undefined && method === "PUT") return instructions(asked, body);
  const [, id, cancel] = /^\/payments\/([0-9a-f-]{36})(\/cancel)?$/.exec(path) ?? [];
  if (id === undefined) return refused(404, "no_such_path", "There is nothing at this path.");
  const known = isBroken("forgets") ? undefined : bank.orders.get(id);
  if (method === "PUT" && cancel === undefined) return order(known, body);
  if (known === undefined || isBroken("denies")) {
    return refused(404, "not_received", "No order has this id.");
  }
  if (method === "GET") return reportOf(known);
  if (method !== "POST" || cancel === undefined || isBroken("cancels-nothing")) {
    return refused(405, "method", "This path does not take this method.");
  }
  if (known.status === "accepted") bank.change(known, { status: "cancelled" });
  return reportOf(bank.orders.get(id));
}

function instructions(id, text) {
  try {
    const body = JSON.parse(text);
    if (body.id !== id) return refused(400, "invalid", "id: must be that of the path");
    if (!currencies.includes(body.currency)) {
      return refused(400, "invalid", "currency: is not carried here");
    }
    return { status: 200, body: bank.instruct(body) };
  } catch {
    return refused(400, "invalid", "The body is no JSON.");
  }
}

/** Undefined when the path is another one, or the option is not set. */
function paidIn({ method, url }, text) {
  if (!settings["pay-in"] || method !== "POST" || url !== "/pay-in") return undefined;
  try {
    const body = JSON.parse(text);
    const isSound = /^[1-9]\d{0,17}$/.test(body.amount) && currencies.includes(body.currency);
    if (isSound) return { status: 200, body: invoices?.payIn(body) ?? bank.payIn(body) };
  } catch {
    // Answered below.
  }
  return refused(400, "invalid", "amount must be digits as text, and currency one that is carried");
}

function order(known, text) {
  const fault = faultIn(text);
  if (fault !== undefined) return refused(400, "invalid", fault);
  const body = JSON.parse(text);
  if (known === undefined) {
    const accepted = bank.accept(body);
    settleLater(accepted);
    return reportOf(accepted);
  }
  const isSame = JSON.stringify(known.body) === JSON.stringify(body);
  return isSame ? reportOf(known) : refused(409, "conflict", "The id was used for another order.");
}

function faultIn(text) {
  try {
    const { id, direction, currency, amount, counterparty } = JSON.parse(text);
    if (!/^[0-9a-f-]{36}$/.test(id)) return "id: must be a uuid";
    if (!["OUT", "PULL", "BACK"].includes(direction)) {
      return "direction: must be OUT, PULL or BACK";
    }
    if (!currencies.includes(currency)) return "currency: is not carried here";
    if (typeof amount !== "string" || !/^[1-9]\d{0,17}$/.test(amount)) {
      return "amount: must be a whole number of the smallest unit, as text";
    }
    return typeof counterparty?.accountInfo === "object" ? undefined : "counterparty: is missing";
  } catch {
    return "The body is no JSON.";
  }
}

function description() {
  const types = { USD: ["USD_ACCOUNT"], EUR: ["EUR_ACCOUNT"] };
  const rails = { USD: ["ACH", "WIRE"], EUR: ["SEPA", "SEPA_INSTANT"] };
  const capabilities = currencies.flatMap((currency) =>
    ["OUT", "PULL"].map((direction) => ({
      direction,
      currency,
      accountTypes: types[currency] ?? [`${currency}_ACCOUNT`],
      paymentRails: rails[currency] ?? ["BANK_TRANSFER"],
    })),
  );
  // A return is an entry of the feed as well as a report.
  const features = {
    cancel: true,
    feed: true,
    balance: true,
    instructions: true,
    settlesReturns: false,
    ...(invoices === undefined ? {} : { invoices: true }),
  };
  const { environment } = settings;
  const settlement = invoices === undefined ? {} : { settlement: invoices.settlement() };
  const told = isBroken("hides-features") ? {} : { features, ...settlement };
  return { protocol: 1, name: "pretend bank", environment, capabilities, ...told };
}

/** Entries in the order in which they were recorded; the cursor is how many were read. */
function page(query) {
  const asked = new URLSearchParams(query);
  const after = Number(asked.get("after") ?? 0);
  const limit = Math.min(Number(asked.get("limit") ?? 100), 500);
  let entries = bank.entries.slice(after, after + limit);
  const next = after + entries.length;
  if (isBroken("feed-skips")) {
    entries = entries
      .filter(({ bookedAt }, at) => at === 0 || bookedAt !== entries[at - 1].bookedAt)
      .slice(0, -1);
  }
  if (isBroken("feed-reorders")) entries = entries.toSorted(() => Math.random() - 0.5);
  return { entries, nextCursor: String(next), hasMore: next < bank.entries.length };
}

function settleLater({ id }) {
  setTimeout(() => {
    const known = bank.orders.get(id);
    if (known.status === "accepted") bank.settle(known);
  }, settleMs);
}

/** Tells what is not told yet, event by event; one that is not taken is told again, and the others wait for nothing. */
async function tell() {
  const url = settings["callback-url"];
  if (url !== undefined && !isBroken("drops-callbacks")) {
    await Promise.all([...bank.events.values()].slice(0, 50).map((event) => post(url, event)));
  }
  setTimeout(tell, 200);
}

const waits = new Map();

async function post(url, event) {
  const { eventId } = event;
  const wait = waits.get(eventId) ?? { until: 0, ms: 500 };
  if (Date.now() < wait.until) return;
  const body = JSON.stringify(event);
  const stamp = [String(Math.floor(Date.now() / 1000)), randomBytes(16).toString("hex")];
  const { pathname, search } = new URL(url);
  const lines = ["v1", ...stamp, "POST", pathname + search, "", digest(body)];
  const mac = macOf(callbackSecret, lines).toString("hex");
  const headers = {
    "content-type": "application/json",
    [HEADER]: `t=${stamp[0]},n=${stamp[1]},v1=${mac}`,
  };
  try {
    const signal = AbortSignal.timeout(10_000);
    const { status } = await fetch(url, { method: "POST", headers, body, signal });
    if (status !== 204) throw new Error(`answered ${status}`);
    waits.delete(eventId);
    if (bank.events.has(eventId)) bank.write({ delivered: eventId });
  } catch {
    waits.set(eventId, { until: Date.now() + wait.ms, ms: Math.min(wait.ms * 2, 60_000) });
  }
}

const server = createServer(async (request, response) => {
  const chunks = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > MOST_BYTES) return response.writeHead(413).end();
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  const body = Buffer.concat(chunks);
  const paid = paidIn(request, body.toString("utf8"));
  if (paid !== undefined) {
    const bytes = JSON.stringify(paid.body);
    return response.writeHead(paid.status, { "content-type": "application/json" }).end(bytes);
  }
  const stamp = stampOf(request, body);
  if (stamp === undefined) return response.writeHead(401).end();
  const answer = answerTo(request.method, request.url, body.toString("utf8"));
  setTimeout(() => send(response, stamp, answer), Number(settings.slow));
  return undefined;
});

for (const known of bank.orders.values()) if (known.status === "accepted") settleLater(known);
server.listen(Number(settings.port), "127.0.0.1", () => {
  console.log(`The pretend bank listens on http://127.0.0.1:${server.address().port}`);
});
void tell();
invoices?.watch();

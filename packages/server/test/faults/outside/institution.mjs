/**
 * An institution outside, as a program of its own on the official SDK. Its book is an append-only file that is written through to the disk
 * before anything is answered or paid, so that it may be killed at any moment; what it had begun goes on after the next start.
 *
 *   node institution.mjs --data DIR --port N --bank PORT --payee-bank PORT --servers PORT,PORT --secret-file F --layer NAME
 *
 * It pays customers of bank.test as `POST /pay` asks for, and its own customers at vasp.test can be paid. `--bank` is its own bank on the
 * pretend network, `--payee-bank` the one of the platform, where payers can pay wrong amounts in.
 */
import { createHash, createHmac, generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  Currency,
  getLnurlpResponse,
  getPayReqResponse,
  getPayRequest,
  getSignedLnurlpRequestUrl,
  InMemoryNonceValidator,
  KycStatus,
  PayRequest,
  PubKeyResponse,
  parseLnurlpRequest,
  verifyPayReqSignature,
  verifyUmaLnurlpQuerySignature,
} from "@uma-sdk/core";

const PLATFORM = "bank.test";
const OWN = "vasp.test";
const DAY_MS = 24 * 60 * 60_000;
/** More than the grace of an invoice beyond its end. */
const LATE_MS = 90_000;
const AGAIN_MS = 60;
const CALL_LIMIT_MS = 12_000;
/** Payments that are under way at once. */
const AT_ONCE = 16;

const { values: settings } = parseArgs({
  options: {
    data: { type: "string" },
    port: { type: "string" },
    bank: { type: "string" },
    "payee-bank": { type: "string" },
    servers: { type: "string" },
    "secret-file": { type: "string" },
    layer: { type: "string" },
  },
});
const secret = readFileSync(settings["secret-file"], "utf8").trim();
const servers = settings.servers.split(",").map(Number);
const settlement = { layer: settings.layer, assetIdentifier: "EUR" };

/** By id, the payments that were asked for, and how far they are; by id, the invoices that were given away. */
class Book {
  payments = new Map();
  received = new Map();

  constructor(directory) {
    mkdirSync(directory, { recursive: true });
    const path = join(directory, "book.jsonl");
    this.file = openSync(path, "a+");
    const text = readFileSync(path, "utf8");
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
    for (const line of whole.split("\n").filter((one) => one !== "")) this.read(JSON.parse(line));
  }

  read({ wish, promise, end, received }) {
    if (wish !== undefined) this.payments.set(wish.id, { wish });
    if (promise !== undefined) this.payments.get(promise.id).promise = promise;
    if (end !== undefined) this.payments.get(end.id).end = end;
    if (received !== undefined) this.received.set(received.id, received);
  }

  write(line) {
    writeSync(this.file, `${JSON.stringify(line)}\n`);
    fsyncSync(this.file);
    this.read(line);
  }
}

/** Its keys, made at the first start. */
function ownKeys(directory) {
  const path = join(directory, "keys.json");
  if (!existsSync(path)) {
    const made = [1, 2].map(() =>
      generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey.export({ format: "jwk" }),
    );
    const file = openSync(`${path}.new`, "w");
    writeFileSync(file, JSON.stringify(made));
    fsyncSync(file);
    closeSync(file);
    renameSync(`${path}.new`, path);
  }
  const [signing, encryption] = JSON.parse(readFileSync(path, "utf8"));
  const bytes = (text) => Buffer.from(text, "base64url");
  const point = ({ x, y }) => Buffer.concat([Buffer.of(4), bytes(x), bytes(y)]).toString("hex");
  const document = JSON.stringify({
    signingPubKey: point(signing),
    encryptionPubKey: point(encryption),
    expirationTimestamp: Math.floor((Date.now() + DAY_MS) / 1_000),
  });
  return { secret: bytes(signing.d), document };
}

const book = new Book(settings.data);
const keys = ownKeys(settings.data);
const nonces = new InMemoryNonceValidator(Date.now() - DAY_MS);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The answer of a server on this machine. Rejects without one. */
function ask(port, { host = "127.0.0.1", path, method = "GET", headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(CALL_LIMIT_MS);
    const options = { host: "127.0.0.1", port, path, method, signal };
    const sent = httpRequest({ ...options, headers: { ...headers, host } }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("aborted", () => reject(new Error("the answer was cut off")));
      answer.on("end", () =>
        resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString("utf8") }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A call to its bank, which is repeated until it is answered. The body of the answer. */
async function askBank(method, path, given) {
  const body = given === undefined ? "" : JSON.stringify(given);
  const key = method === "PUT" ? given.id : "";
  for (;;) {
    const stamp = [String(Math.floor(Date.now() / 1_000)), randomBytes(16).toString("hex")];
    const digest = createHash("sha256").update(body).digest("hex");
    const lines = ["v1", ...stamp, method, path, key, digest].join("\n");
    const mac = createHmac("sha256", secret).update(lines).digest("hex");
    const headers = {
      "content-type": "application/json",
      "florin-rail-signature": `t=${stamp[0]},n=${stamp[1]},v1=${mac}`,
      ...(key === "" ? {} : { "idempotency-key": key }),
    };
    const call = { method, path, headers, body };
    const answer = await ask(Number(settings.bank), call).catch(() => undefined);
    if (answer?.status === 200) return JSON.parse(answer.text);
    await pause(AGAIN_MS);
  }
}

let turns = 0;
/** Asks the servers of the platform in turns; undefined without an answer. */
function askPlatform(call) {
  turns += 1;
  const port = servers[turns % servers.length];
  return ask(port, { host: PLATFORM, ...call }).catch(() => undefined);
}

let platformKeys;
async function keysOfPlatform() {
  while (platformKeys === undefined) {
    const answer = await askPlatform({ path: "/.well-known/lnurlpubkey" });
    if (answer?.status === 200) platformKeys = PubKeyResponse.fromJson(answer.text);
    else await pause(AGAIN_MS);
  }
  return platformKeys;
}

async function payRequestFor({ amount, currency, isInUnits }) {
  const request = await getPayRequest({
    amount,
    isAmountInReceivingCurrency: !isInUnits,
    receivingCurrencyCode: currency,
    payerIdentifier: `$bo@${OWN}`,
    payerKycStatus: KycStatus.Verified,
    payerName: "Bo Lind",
    payerUtxos: [],
    receiverEncryptionPubKey: (await keysOfPlatform()).getEncryptionPubKey(),
    sendingVaspPrivateKey: keys.secret,
    trInfo: JSON.stringify({ originator: { originatorPerson: [] } }),
    travelRuleFormat: "ivms@101.2023",
    utxoCallback: "",
    requestedPayeeData: { name: { mandatory: false } },
    comment: "for lunch",
    umaMajorVersion: 1,
    settlement,
  });
  return request.toJsonString();
}

/** One lookup and one request to pay: the answer, a refusal, or undefined where nobody has answered or it may be tried again. */
async function promised({ wish }) {
  const url = await getSignedLnurlpRequestUrl({
    isSubjectToTravelRule: true,
    receiverAddress: wish.payee,
    senderVaspDomain: OWN,
    signingPrivateKey: keys.secret,
  });
  const found = await askPlatform({ path: url.pathname + url.search });
  if (found?.status !== 200) return undefined;
  const { pathname } = new URL(JSON.parse(found.text).callback);
  const headers = { "content-type": "application/json" };
  const body = await payRequestFor(wish);
  const answer = await askPlatform({ path: pathname, method: "POST", headers, body });
  if (answer === undefined) return undefined;
  const told = JSON.parse(answer.text);
  if (answer.status === 400 || answer.status === 403) return { refusedAs: told.code };
  return answer.status === 200 ? told : undefined;
}

async function promiseOf(payment) {
  const { wish } = payment;
  for (;;) {
    const told = await promised(payment);
    if (told?.refusedAs !== undefined)
      return book.write({ end: { id: wish.id, as: "refused", code: told.refusedAs } });
    if (told !== undefined) {
      const asked = { layer: settings.layer, invoice: told.pr };
      const { amount, expiresAt } = await askBank("POST", "/invoices/inspect", asked);
      const { converted } = told;
      const ids = { id: wish.id, orderId: randomUUID() };
      return book.write({
        promise: { ...ids, invoice: told.pr, amount, expiresAt, converted },
      });
    }
    await pause(AGAIN_MS);
  }
}

/** By an order to its bank, exactly: how it ended. */
async function payByBank({ promise }) {
  const { orderId: id, invoice, amount, expiresAt: payBy } = promise;
  const order = {
    ...{ id, direction: "OUT", currency: "EUR", amount, reference: "FL1" },
    counterparty: { accountType: "UMA_ADDRESS", accountInfo: {} },
    settlement: { ...settlement, invoice, payBy },
  };
  for (;;) {
    const { status } = await askBank("PUT", `/payments/${id}`, order);
    if (status !== "accepted") return status;
    await pause(AGAIN_MS);
  }
}

/** A payer who does as he likes: any amount, at any time. The same id is paid in once. */
async function payIn({ promise }, amount, id) {
  const { invoice } = promise;
  const body = JSON.stringify({ id, invoice, currency: "EUR", amount: String(amount) });
  for (;;) {
    const call = { method: "POST", path: "/pay-in", body };
    const answer = await ask(Number(settings["payee-bank"]), call).catch(() => undefined);
    if (answer?.status === 200) return;
    await pause(AGAIN_MS);
  }
}

const WAYS = {
  exact: payByBank,
  async twice(payment) {
    const status = await payByBank(payment);
    await payIn(payment, payment.promise.amount, `${payment.wish.id}-again`);
    return status;
  },
  async more(payment) {
    await payIn(payment, BigInt(payment.promise.amount) + 7n, payment.wish.id);
    return "paid in";
  },
  async less(payment) {
    await payIn(payment, BigInt(payment.promise.amount) - 7n, payment.wish.id);
    return "paid in";
  },
  async late(payment) {
    await payIn(payment, payment.promise.amount, payment.wish.id);
    return "paid in";
  },
  async never() {
    return "not paid";
  },
};

const places = { free: AT_ONCE, waiting: [] };

async function inPlace(work) {
  if (places.free > 0) places.free -= 1;
  else await new Promise((resolve) => places.waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = places.waiting.shift();
    if (next === undefined) places.free += 1;
    else next();
  }
}

async function carry(payment) {
  const { id, how } = payment.wish;
  if (payment.promise === undefined) await inPlace(() => promiseOf(payment));
  if (payment.end !== undefined) return;
  if (how === "late") {
    while (Date.now() < Date.parse(payment.promise.expiresAt) + LATE_MS) await pause(AGAIN_MS);
  }
  const as = await inPlace(() => WAYS[how](payment));
  book.write({ end: { id, as } });
}

function begin(payment) {
  carry(payment).catch((error) => process.stderr.write(`a bug: ${error?.stack}\n`));
}

function asked(wish) {
  if (!book.payments.has(wish.id)) {
    book.write({ wish });
    begin(book.payments.get(wish.id));
  }
  return "{}";
}

function progress() {
  const all = [...book.payments.values()];
  const isOver = ({ end, promise, wish }) =>
    end !== undefined || (wish.how === "late" && promise !== undefined);
  return JSON.stringify({
    over: all.filter(isOver).length,
    ended: all.filter(({ end }) => end !== undefined).length,
  });
}

async function lookedUp(target) {
  const request = parseLnurlpRequest(new URL(`https://${OWN}${target}`));
  if (!(await verifyUmaLnurlpQuerySignature(request, await keysOfPlatform(), nonces)))
    throw new Error("the signature of the lookup is wrong");
  const answer = await getLnurlpResponse({
    request,
    privateKeyBytes: keys.secret,
    requiresTravelRuleInfo: true,
    callback: `https://${OWN}/uma/pay/1`,
    encodedMetadata: '[["text/plain","Pay"]]',
    minSendableSats: 1,
    maxSendableSats: 10_000_000,
    payerDataOptions: { name: { mandatory: true } },
    currencyOptions: [new Currency("EUR", "Euro", "€", 10_000, 1, 1_000_000, 2)],
    receiverKycStatus: KycStatus.Verified,
    commentCharsAllowed: 100,
    settlementOptions: [
      {
        settlementLayer: settings.layer,
        assets: [{ identifier: "EUR", multipliers: { EUR: 1 } }],
      },
    ],
  });
  return answer.toJsonString();
}

/** The comment of a request says what becomes of its invoice: a payer's wish, for the test. */
async function requested(body) {
  const request = PayRequest.fromJson(body);
  if (!(await verifyPayReqSignature(request, await keysOfPlatform(), nonces)))
    throw new Error("the signature of the request to pay is wrong");
  const { comment = "" } = request;
  if (comment.startsWith("refuse")) return undefined;
  const seconds = comment.startsWith("short") ? 75 : 900;
  const id = randomUUID();
  const made = async (units) => {
    const expiresAt = new Date(Date.now() + seconds * 1_000).toISOString();
    const asset = { identifier: "EUR", currency: "EUR", decimals: 2 };
    const given = { id, layer: settings.layer, asset, amount: String(units), expiresAt };
    const { invoice } = await askBank("PUT", `/invoices/${id}`, given);
    book.write({ received: { id, invoice, amount: String(units), comment } });
    if (comment.startsWith("cancel")) await askBank("POST", `/invoices/${id}/cancel`, {});
    return invoice;
  };
  const answer = await getPayReqResponse({
    request,
    metadata: '[["text/plain","Pay"]]',
    invoiceCreator: { createUmaInvoice: made, createInvoiceForSettlementLayer: made },
    conversionRate: 1,
    receivingCurrencyCode: "EUR",
    receivingCurrencyDecimals: 2,
    receiverChannelUtxos: [],
    receiverFeesMillisats: 0,
    payeeData: { name: "Bob Stone" },
    receivingVaspPrivateKey: keys.secret,
    payeeIdentifier: `$bob@${OWN}`,
  });
  return answer.toJsonString();
}

async function answerTo({ method, url }, body) {
  if (url === "/pay") return asked(JSON.parse(body));
  if (url === "/progress") return progress();
  if (url === "/.well-known/lnurlpubkey") return keys.document;
  if (url.startsWith("/.well-known/lnurlp/")) return lookedUp(url);
  return url === "/uma/pay/1" && method === "POST" ? requested(body) : undefined;
}

const REFUSED = JSON.stringify({ status: "ERROR", code: "SENDER_NOT_ACCEPTED", reason: "no" });

const server = createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = await answerTo(request, Buffer.concat(chunks).toString("utf8"));
    const status = text === undefined ? 400 : 200;
    response.writeHead(status, { "content-type": "application/json" }).end(text ?? REFUSED);
  } catch (error) {
    process.stderr.write(`a bug: ${error?.stack}\n`);
    response.writeHead(500).end();
  }
});

for (const payment of book.payments.values()) if (payment.end === undefined) begin(payment);
server.listen(Number(settings.port), "127.0.0.1", () => process.stdout.write("open\n"));

/**
 * Calls to connectors. Each call is signed, its answer must be signed for it, and only a valid, signed answer is a report. A timeout, a
 * broken answer or any other status says nothing about the payment.
 *
 * Bounds: the connection's timeout for a whole exchange, its number of connections to one connector, 256 kB of answer. If the process
 * dies in between, the connector may have the order: it is asked about under the same id.
 */
import { randomBytes } from "node:crypto";
import type { Described } from "../../../domain/rails/connections/activate-rail-connection.ts";
import type { ExchangeOutcome } from "../../../domain/rails/connections/exchange-health.ts";
import {
  type RailConnection,
  type SecretName,
  sealedColumnOf,
  secretIdentity,
} from "../../../domain/rails/connections/rail-connection.ts";
import { FEED_PAGE } from "../../../domain/rails/entries/record-rail-feed.ts";
import type {
  ConnectorAddress,
  ConnectorAnswer,
  ConnectorCheck,
  ConnectorFeed,
  ConnectorFunding,
  ConnectorInspection,
  ConnectorInvoiceState,
  ConnectorInvoiceText,
  Connectors,
} from "../../../domain/rails/orders/connector.port.ts";
import { CONCURRENCY_DEFAULT } from "../../../domain/rails/orders/exchange-room.port.ts";
import type { RailReport } from "../../../domain/rails/orders/rail-report.ts";
import type { Sealer } from "../../../secrets/sealing.ts";
import { present } from "../../../std/assert.ts";
import type { Clock } from "../../../std/clock.ts";
import { randomIds } from "../../../std/ids.ts";
import { type JsonObject, readJsonObject } from "../../../std/json.ts";
import type { AllowedHosts } from "../../outbound-http/allowed-hosts.ts";
import type { OutboundClient } from "../../outbound-http/outbound-client.ts";
import { OutboundRefused } from "../../outbound-http/outbound-errors.ts";
import { failureInWords } from "../../outbound-http/outbound-words.ts";
import { readBalances, readEntry, readFeedPage } from "./connector-entries.ts";
import { fundingBody, readFunding } from "./connector-funding.ts";
import { invoiceBody, readInspected, readInvoice, readInvoiceState } from "./connector-invoices.ts";
import {
  isConflictAnswer,
  isNotReceived,
  orderBody,
  readDescription,
  readReport,
} from "./connector-messages.ts";
import { testConnector } from "./connector-test.ts";
import {
  isSignedAnswer,
  RAIL_SIGNATURE,
  type SignatureStamp,
  signRequest,
} from "./rail-signature.ts";

export const CONNECTION_DEFAULTS = { timeoutMs: 20_000, concurrency: CONCURRENCY_DEFAULT } as const;
export const MAX_MESSAGE_BYTES = 256 * 1024;
const DESCRIBE_TIMEOUT_MS = 10_000;
/** The payer's institution waits for the invoice. */
const INVOICE_TIMEOUT_MS = 3_500;

export interface ConnectorClientOptions {
  readonly outbound: OutboundClient;
  readonly allowed: AllowedHosts;
  readonly sealer: Sealer;
  readonly clock: Clock;
  /** Called for each exchange without a valid answer. */
  readonly noteFailure: (connectionId: string) => void;
}

export interface ConnectorCall {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: Buffer;
  readonly idempotencyKey?: string;
  /** Replaces the current time and a new nonce. */
  readonly stamp?: SignatureStamp;
}

/** An exchange with an answer, which is signed where `isSigned` says so. */
export type Exchanged =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly isSigned: boolean;
      readonly body: JsonObject | undefined;
    }
  | { readonly kind: "failed"; readonly outcome: ExchangeOutcome };

/** How a connector is reached. */
export interface ConnectorLine {
  readonly baseUrl: string;
  /** The current one signs; an answer may be signed with any of them. */
  readonly secrets: readonly [current: string, ...older: string[]];
  readonly timeoutMs: number;
  readonly concurrency: number;
  /** Only exchanges of the same owner share connections. */
  readonly owner: string;
}

export function createConnectors(options: ConnectorClientOptions): Connectors {
  const noteIf = (isFailed: boolean, { connection }: ConnectorAddress) => {
    if (isFailed) options.noteFailure(connection.id);
  };
  const call = (address: ConnectorAddress, asked: ConnectorCall) =>
    exchange(options, lineOf(options.sealer, address), asked);
  const noted: Noted = (answer, address) => {
    noteIf(answer.outcome.kind === "failed", address);
    return answer;
  };
  return {
    async describe(address) {
      const line = lineOf(options.sealer, address);
      const timeoutMs = Math.min(line.timeoutMs, DESCRIBE_TIMEOUT_MS);
      const answer = await exchange(options, { ...line, timeoutMs }, DESCRIBE);
      const described = describedBy(answer, address.environment);
      noteIf(!described.ok, address);
      return described;
    },
    async submit(order) {
      const { id } = order.payment;
      const path = `/payments/${id}`;
      const body = orderBody(order);
      const answer = await call(order, { method: "PUT", path, body, idempotencyKey: id });
      return noted(answerTo(answer, "order"), order);
    },
    async inquire(order) {
      const path = `/payments/${order.payment.id}`;
      return noted(answerTo(await call(order, { method: "GET", path }), "inquiry"), order);
    },
    async cancel(order) {
      const { id } = order.payment;
      const path = `/payments/${id}/cancel`;
      const body = Buffer.from("{}");
      const answer = await call(order, { method: "POST", path, body, idempotencyKey: id });
      return cancelsNothing(answer)
        ? { ...toldNothing(GOOD), isRefused: true }
        : noted(answerTo(answer, "order"), order);
    },
    async entries(address, after) {
      const query = after === null ? "" : `after=${encodeURIComponent(after)}&`;
      const path = `/entries?${query}limit=${FEED_PAGE}`;
      return noted(feedIn(await call(address, { method: "GET", path }), after), address);
    },
    async instructions(order) {
      const path = `/instructions/${order.id}`;
      const body = fundingBody(order);
      const asked = { method: "PUT", path, body, idempotencyKey: order.id } as const;
      return noted(fundingIn(await call(order, asked)), order);
    },
    ...invoiceCalls(options, noted),
    async balances(address) {
      if (address.connection.features?.balance === false) return undefined;
      const exchanged = await call(address, { method: "GET", path: "/balances" });
      noteIf(exchanged.kind === "failed" || faultOf(exchanged) !== undefined, address);
      const isSound =
        exchanged.kind === "answered" && exchanged.isSigned && exchanged.status === 200;
      return isSound ? readBalances(exchanged.body) : undefined;
    },
    test: (address) => test(options, address),
  };
}

type InvoiceCalls = Pick<
  Connectors,
  "makeInvoice" | "invoiceState" | "cancelInvoice" | "inspectInvoice"
>;
type Noted = <Answer extends Pick<ConnectorAnswer, "outcome">>(
  answer: Answer,
  address: ConnectorAddress,
) => Answer;

function invoiceCalls(options: ConnectorClientOptions, noted: Noted): InvoiceCalls {
  return {
    async makeInvoice(order) {
      const { id } = order.invoice;
      const line = lineOf(options.sealer, order);
      const timeoutMs = Math.min(line.timeoutMs, INVOICE_TIMEOUT_MS);
      const body = invoiceBody(order);
      const asked = { method: "PUT", path: `/invoices/${id}`, body, idempotencyKey: id } as const;
      return noted(invoiceIn(await exchange(options, { ...line, timeoutMs }, asked)), order);
    },
    async invoiceState(order) {
      const path = `/invoices/${order.invoice.id}`;
      return noted(
        stateIn(
          await exchange(options, lineOf(options.sealer, order), { method: "GET", path }),
          order.invoice.id,
        ),
        order,
      );
    },
    async inspectInvoice(order) {
      const { layer, invoice } = order;
      const line = lineOf(options.sealer, order);
      const timeoutMs = Math.min(line.timeoutMs, INVOICE_TIMEOUT_MS);
      const body = Buffer.from(JSON.stringify({ layer, invoice }));
      const asked = { method: "POST", path: "/invoices/inspect", body } as const;
      return noted(inspectionIn(await exchange(options, { ...line, timeoutMs }, asked)), order);
    },
    async cancelInvoice(order) {
      const { id } = order.invoice;
      const path = `/invoices/${id}/cancel`;
      const body = Buffer.from("{}");
      const asked = { method: "POST", path, body, idempotencyKey: id } as const;
      return noted(
        stateIn(await exchange(options, lineOf(options.sealer, order), asked), id),
        order,
      );
    },
  };
}

function test(
  options: ConnectorClientOptions,
  address: ConnectorAddress,
): Promise<readonly ConnectorCheck[]> {
  const line = lineOf(options.sealer, address);
  const timeoutMs = Math.min(line.timeoutMs, DESCRIBE_TIMEOUT_MS);
  return testConnector({
    clock: options.clock,
    environment: address.environment,
    unknownId: randomIds().next(options.clock.now()),
    call(asked, secret) {
      const secrets = secret === undefined ? line.secrets : ([secret] as const);
      return exchange(options, { ...line, timeoutMs, secrets }, asked);
    },
  });
}

/** Whether a signed answer says that the connector has no such call; 404 not_received is about the payment. */
function cancelsNothing(answer: Exchanged): boolean {
  if (answer.kind === "failed" || !answer.isSigned) return false;
  const { status, body } = answer;
  return status === 405 || (status === 404 && !isNotReceived(body));
}

export const DESCRIBE: ConnectorCall = { method: "GET", path: "/florin-rail" };

/** The lines of connections by their rows: a cached row opens its secrets once, and a changed connection is another row. */
const lines = new WeakMap<RailConnection, ConnectorLine>();

function lineOf(sealer: Sealer, address: ConnectorAddress): ConnectorLine {
  const known = lines.get(address.connection) ?? openedLine(sealer, address);
  lines.set(address.connection, known);
  return known;
}

function openedLine(sealer: Sealer, { platformId, connection }: ConnectorAddress): ConnectorLine {
  const open = (name: SecretName): string | undefined => {
    const sealed = connection[sealedColumnOf(name)];
    if (sealed === null) return undefined;
    return sealer
      .open(sealed, secretIdentity(platformId, connection.sealId, name))
      .toString("utf8");
  };
  const { settings, id } = connection;
  const older = open("previousSigningSecret");
  return {
    baseUrl: present(settings.baseUrl, "the address of a connector"),
    secrets: [
      present(open("signingSecret"), "the secret of a connector"),
      ...(older === undefined ? [] : [older]),
    ],
    timeoutMs: settings.timeoutMs ?? CONNECTION_DEFAULTS.timeoutMs,
    concurrency: settings.concurrency ?? CONNECTION_DEFAULTS.concurrency,
    owner: `rail ${id}`,
  };
}

/** One signed exchange. Never throws. */
export async function exchange(
  { outbound, allowed, clock }: Pick<ConnectorClientOptions, "outbound" | "allowed" | "clock">,
  line: ConnectorLine,
  { method, path, body = NO_BODY, idempotencyKey = "", stamp = newStamp(clock) }: ConnectorCall,
): Promise<Exchanged> {
  const url = `${line.baseUrl.replace(/\/$/, "")}${path}`;
  const { pathname, search } = new URL(url);
  const signed = { method, path: `${pathname}${search}`, idempotencyKey, body };
  try {
    const answer = await outbound.send({
      method,
      url,
      headers: {
        accept: "application/json",
        ...(body.length === 0 ? {} : { "content-type": "application/json" }),
        ...(idempotencyKey === "" ? {} : { "idempotency-key": idempotencyKey }),
        [RAIL_SIGNATURE]: signRequest(line.secrets[0], signed, stamp),
      },
      ...(body.length === 0 ? {} : { body }),
      deadlineMs: line.timeoutMs,
      maxAnswerBytes: MAX_MESSAGE_BYTES,
      allowLoopback: false,
      allowed,
      owner: line.owner,
      connections: line.concurrency,
    });
    const { status, headers } = answer;
    const bytes = Buffer.from(answer.body, "utf8");
    const header = headers[RAIL_SIGNATURE];
    return {
      kind: "answered",
      status,
      isSigned: isSignedAnswer(line.secrets, { status, body: bytes, header }, stamp),
      body: readJsonObject(bytes),
    };
  } catch (error) {
    return { kind: "failed", outcome: failureOf(error, url) };
  }
}

const NO_BODY = Buffer.alloc(0);

export function newStamp(clock: Clock): SignatureStamp {
  return { time: Math.floor(clock.now() / 1_000), nonce: randomBytes(16).toString("hex") };
}

function failureOf(error: unknown, url: string): ExchangeOutcome {
  const isRefused = error instanceof OutboundRefused;
  return {
    kind: "failed",
    code: isRefused ? "HOST_NOT_ALLOWED" : "NO_ANSWER",
    message: isRefused
      ? `${failureInWords(error, url)} RAIL_ALLOWED_HOSTS lists hosts that connectors may have beside public ones.`
      : failureInWords(error, url),
    isFatal: isRefused,
  };
}

const GOOD: ExchangeOutcome = { kind: "good" };

function answerTo(exchanged: Exchanged, asked: "order" | "inquiry"): ConnectorAnswer {
  if (exchanged.kind === "failed") return toldNothing(exchanged.outcome);
  const { status, body } = exchanged;
  const fault = faultOf(exchanged);
  if (fault !== undefined) return toldNothing(fault);
  if (status === 404 && asked === "inquiry" && isNotReceived(body)) return told("not-received");
  if (status === 409 && isConflictAnswer(body)) return told("conflict");
  const read = status === 200 ? readReport(body) : undefined;
  if (read === undefined) {
    const message = `The connector answered ${status} with a body that is no report.`;
    return toldNothing({ kind: "failed", code: "NO_REPORT", message, isFatal: false });
  }
  return { outcome: GOOD, ...read };
}

function feedIn(exchanged: Exchanged, after: string | null): ConnectorFeed {
  if (exchanged.kind === "failed") return { outcome: exchanged.outcome, page: undefined };
  const fault = faultOf(exchanged);
  if (fault !== undefined) return { outcome: fault, page: undefined };
  const { status, body } = exchanged;
  if (status === 200) return { outcome: GOOD, page: readFeedPage(body, after) };
  return { outcome: GOOD, page: { fault: `The connector answered ${status} to the feed.` } };
}

export function fundingIn(exchanged: Exchanged): ConnectorFunding {
  if (exchanged.kind === "failed") return { outcome: exchanged.outcome, told: undefined };
  const { status, body } = exchanged;
  const fault = faultOf(exchanged);
  if (fault !== undefined) return { outcome: fault, told: undefined };
  const told = status === 200 ? readFunding(body) : undefined;
  if (told !== undefined) return { outcome: GOOD, told };
  const words = `The connector answered ${status} with a body that has no sound payment instructions.`;
  return { outcome: GOOD, told: { fault: words } };
}

function invoiceIn(exchanged: Exchanged): ConnectorInvoiceText {
  if (exchanged.kind === "failed") return { outcome: exchanged.outcome, made: undefined };
  const fault = faultOf(exchanged);
  if (fault !== undefined) return { outcome: fault, made: undefined };
  const read = exchanged.status === 200 ? readInvoice(exchanged.body) : undefined;
  if (read === undefined) return { outcome: GOOD, made: undefined };
  const { invoice: text, ...facts } = read;
  return { outcome: GOOD, made: { text, ...facts } };
}

function inspectionIn(exchanged: Exchanged): ConnectorInspection {
  if (exchanged.kind === "failed") return { outcome: exchanged.outcome, inspected: undefined };
  const { status, body } = exchanged;
  const fault = faultOf(exchanged);
  if (fault !== undefined) return { outcome: fault, inspected: undefined };
  if (status === 422) return { outcome: GOOD, inspected: "none" };
  return { outcome: GOOD, inspected: status === 200 ? readInspected(body) : undefined };
}

/** An entry that cannot be read makes the whole answer unusable: an invoice is closed only if all of its money is known. */
function stateIn(exchanged: Exchanged, invoiceId: string): ConnectorInvoiceState {
  const nothing = { status: undefined, entries: [] };
  if (exchanged.kind === "failed") return { outcome: exchanged.outcome, ...nothing };
  const { status, body } = exchanged;
  const fault = faultOf(exchanged);
  if (fault !== undefined) return { outcome: fault, ...nothing };
  if (status === 404 && isNotReceived(body)) {
    return { outcome: GOOD, status: "not-received", entries: [] };
  }
  const state = status === 200 ? readInvoiceState(body) : undefined;
  const read = (state?.entries ?? []).map(readEntry);
  const entries = read.flatMap((each) => ("entry" in each ? [{ ...each.entry, invoiceId }] : []));
  if (state === undefined || entries.length < read.length) {
    const message = `The connector answered ${status} with a body that is no state of an invoice.`;
    const outcome = { kind: "failed", code: "NO_REPORT", message, isFatal: false } as const;
    return { outcome, ...nothing };
  }
  const isEnded = state.status === "expired" || state.status === "cancelled";
  return { outcome: GOOD, status: isEnded ? "ended" : state.status, entries };
}

function told(status: RailReport["status"]): ConnectorAnswer {
  const report: RailReport = {
    status,
    scheme: "CONNECTOR",
    code: undefined,
    text: undefined,
    reference: undefined,
    settledOn: undefined,
    amountMinor: undefined,
  };
  return { outcome: GOOD, report, askAgainInMs: undefined };
}

function toldNothing(outcome: ExchangeOutcome): ConnectorAnswer {
  return { outcome, report: undefined, askAgainInMs: undefined };
}

/** The fault of an answer by its status or its signature, whatever its body says. */
function faultOf({
  status,
  isSigned,
}: Extract<Exchanged, { kind: "answered" }>): ExchangeOutcome | undefined {
  if (status === 401 || status === 403) {
    const message = `The connector answered ${status}: it does not accept our signature.`;
    return { kind: "failed", code: `HTTP_${status}`, message, isFatal: true };
  }
  if (status >= 500 || (status >= 300 && status < 400)) {
    const message = `The connector answered ${status}.`;
    return { kind: "failed", code: `HTTP_${status}`, message, isFatal: false };
  }
  if (isSigned) return undefined;
  const message = `The answer ${status} of the connector has no valid Florin-Rail-Signature.`;
  return { kind: "failed", code: "ANSWER_NOT_SIGNED", message, isFatal: false };
}

/** The description, or a sentence on why there is none. */
export function describedBy(exchanged: Exchanged, environment: string): Described {
  if (exchanged.kind === "failed") {
    const { outcome } = exchanged;
    return { ok: false, reason: outcome.kind === "failed" ? outcome.message : "" };
  }
  const fault = faultOf(exchanged);
  if (fault?.kind === "failed") return { ok: false, reason: fault.message };
  if (exchanged.status !== 200) {
    return { ok: false, reason: `The connector answered ${exchanged.status}.` };
  }
  const read = readDescription(exchanged.body, environment);
  return "fault" in read
    ? { ok: false, reason: `The description of the connector is not sound: ${read.fault}.` }
    : { ok: true, ...read };
}

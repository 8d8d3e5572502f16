/**
 * The conformance run of a connector: numbered checks of the rail protocol, version 1. The checks that move money run only against a
 * connector that describes itself as SANDBOX. Each check is reported by its name; a failed check does not stop the others.
 *
 * Bounds: every exchange has the timeout of the run, every wait ends after `waitMs`. Nothing is stored here; what the run orders stays
 * in the books of the connector.
 */
import type { ConnectorFeatures } from "../../../domain/rails/connections/rail-connection.ts";
import type { Clock } from "../../../std/clock.ts";
import { pause } from "../../../std/clock.ts";
import { randomIds } from "../../../std/ids.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import type { AllowedHosts } from "../../outbound-http/allowed-hosts.ts";
import type { OutboundClient } from "../../outbound-http/outbound-client.ts";
import {
  type ConnectorCall,
  type ConnectorLine,
  type Exchanged,
  exchange,
} from "../connector/connector-client.ts";
import { isConflictAnswer, isNotReceived } from "../connector/connector-messages.ts";
import { CALLBACK_CHECKS } from "./callback-checks.ts";
import type { CallbackEar } from "./callback-ear.ts";
import { FEED_CHECKS } from "./feed-checks.ts";
import { INVOICE_CHECKS } from "./invoice-checks.ts";
import { ORDER_CHECKS } from "./order-checks.ts";
import { PLAIN_CHECKS } from "./plain-checks.ts";

export interface ConformanceOptions {
  readonly outbound: OutboundClient;
  readonly allowed: AllowedHosts;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly secret: string;
  readonly currency: string;
  readonly timeoutMs: number;
  /** For how long the run waits until an order has ended, or a callback has come. */
  readonly waitMs: number;
  /** Undefined when nothing listens for callbacks. */
  readonly ear: CallbackEar | undefined;
}

/** `undefined`: passed; a text says what was wrong. */
export type CheckOutcome = string | undefined;

export interface Check {
  readonly name: string;
  /** Left out when the connector says that it does not have one of these. */
  readonly features?: readonly (keyof ConnectorFeatures | "invoices")[];
  /** Left out when the connector says that it has this one. */
  readonly unless?: keyof ConnectorFeatures;
  readonly run: (bench: Bench) => Promise<CheckOutcome>;
}

export interface CheckResult {
  readonly number: number;
  readonly name: string;
  readonly outcome: "passed" | "failed" | "left out";
  readonly message: string;
}

/** What the checks of a run share. */
export interface Bench {
  readonly options: ConformanceOptions;
  call(asked: ConnectorCall, change?: Partial<ConnectorLine>): Promise<Exchanged>;
  newId(): string;
  /** A valid order of this amount; `more` replaces members. */
  order(id: string, amount: string, more?: JsonObject): Buffer;
  put(id: string, body: Buffer, change?: Partial<ConnectorLine>): Promise<Exchanged>;
  /** Inquires until the order has ended; answers the last report. */
  ended(id: string): Promise<JsonObject | undefined>;
  /** Every entry of the feed, page by page. */
  feed(limit: number): Promise<readonly JsonObject[]>;
}

export async function runConformance(
  options: ConformanceOptions,
  tell: (result: CheckResult) => void,
): Promise<boolean> {
  const bench = createBench(options);
  const described = await bench.call({ method: "GET", path: "/florin-rail" });
  const environment = described.kind === "answered" ? described.body?.environment : undefined;
  const features = described.kind === "answered" ? described.body?.features : undefined;
  const movesMoney = environment === "SANDBOX";
  const reason = `the connector describes itself as ${String(environment)}, not as SANDBOX`;
  const withMoney = [...ORDER_CHECKS, ...FEED_CHECKS, ...INVOICE_CHECKS];
  const hears = options.ear !== undefined;
  let number = 0;
  let isSound = true;
  const run = async (checks: readonly Check[], leftOut: string | undefined) => {
    for (const check of checks) {
      number += 1;
      const without = leftOut ?? lackOf(features, check);
      const fault = without === undefined ? await check.run(bench) : undefined;
      const outcome =
        without !== undefined ? "left out" : fault === undefined ? "passed" : "failed";
      if (outcome === "failed") isSound = false;
      tell({ number, name: check.name, outcome, message: without ?? fault ?? "" });
    }
  };
  await run(PLAIN_CHECKS, undefined);
  await run(withMoney, movesMoney ? undefined : reason);
  await run(CALLBACK_CHECKS, movesMoney ? (hears ? undefined : "run with --listen") : reason);
  return isSound;
}

/** Why the check does not apply to this connector; undefined when it does. */
function lackOf(features: unknown, { features: needed = [], unless }: Check): string | undefined {
  const told = isJsonObject(features) ? features : {};
  if (unless !== undefined && told[unless] === true) return `the connector has features.${unless}`;
  const lacking = needed.filter((name) => told[name] !== true);
  return lacking.length === 0
    ? undefined
    : `the connector does not have ${lacking.map((name) => `features.${name}`).join(", ")}`;
}

const FINAL: ReadonlySet<unknown> = new Set(["settled", "declined", "returned", "cancelled"]);
const LOOK_EVERY_MS = 200;
const MOST_PAGES = 10_000;

function createBench(options: ConformanceOptions): Bench {
  const { outbound, allowed, clock, baseUrl, secret, timeoutMs, waitMs, currency } = options;
  const ids = randomIds();
  const line: ConnectorLine = {
    baseUrl,
    secrets: [secret],
    timeoutMs,
    concurrency: 32,
    owner: "conformance",
  };
  const call = (asked: ConnectorCall, change: Partial<ConnectorLine> = {}) =>
    exchange({ outbound, allowed, clock }, { ...line, ...change }, asked);
  return {
    options,
    call,
    newId: () => ids.next(clock.now()),
    order: (id, amount, more = {}) =>
      Buffer.from(JSON.stringify({ ...orderOf({ id, amount, currency }), ...more })),
    put: (id, body, change) =>
      call({ method: "PUT", path: `/payments/${id}`, body, idempotencyKey: id }, change),
    async ended(id) {
      const until = clock.now() + waitMs;
      for (;;) {
        const answer = await call({ method: "GET", path: `/payments/${id}` });
        const body = answer.kind === "answered" ? answer.body : undefined;
        if (FINAL.has(body?.status) || clock.now() > until) return body;
        await pause(clock, LOOK_EVERY_MS);
      }
    },
    async feed(limit) {
      const entries: JsonObject[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page++) {
        const after = cursor === undefined ? "" : `after=${encodeURIComponent(cursor)}&`;
        const answer = await call({ method: "GET", path: `/entries?${after}limit=${limit}` });
        const body = answer.kind === "answered" && answer.isSigned ? answer.body : undefined;
        if (body === undefined || !Array.isArray(body.entries)) return entries;
        entries.push(...body.entries.filter(isJsonObject));
        if (typeof body.nextCursor === "string") cursor = body.nextCursor;
        if (body.hasMore !== true) return entries;
      }
      return entries;
    },
  };
}

function orderOf(order: {
  readonly id: string;
  readonly amount: string;
  readonly currency: string;
}): JsonObject {
  const { id, amount, currency } = order;
  const isEuro = currency === "EUR";
  const accountInfo = isEuro
    ? { accountType: "EUR_ACCOUNT", iban: "DE89370400440532013000" }
    : {
        accountType: `${currency}_ACCOUNT`,
        accountNumber: "123456789",
        routingNumber: "021000021",
      };
  return {
    id,
    direction: "OUT",
    currency,
    decimals: 2,
    amount,
    paymentRail: isEuro ? "SEPA" : "ACH",
    counterparty: {
      accountType: `${currency}_ACCOUNT`,
      name: "Ana Ruiz",
      accountInfo,
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
    },
    ours: { holderName: "Acme Payments", label: "conformance" },
    reference: "FLCONFORMANCE00",
    endToEndId: id.replaceAll("-", "").toUpperCase(),
    requestedOn: "2026-11-25",
    environment: "SANDBOX",
  };
}

export function statusOf(answer: Exchanged): number | string {
  if (answer.kind === "answered") return answer.status;
  return answer.outcome.kind === "failed" ? answer.outcome.message : "no answer";
}

/** What is wrong with the answer to an id that was used for something else. */
export function conflictFault(answer: Exchanged): CheckOutcome {
  return signedFault(answer, 409, isConflictAnswer)
    ? `it must answer a signed 409 with the code conflict, not ${statusOf(answer)}`
    : undefined;
}

/** What is wrong with the answer to an inquiry about an unknown id. */
export function unknownFault(answer: Exchanged): CheckOutcome {
  return signedFault(answer, 404, isNotReceived)
    ? `it must answer a signed 404 with the code not_received, not ${statusOf(answer)}`
    : undefined;
}

function signedFault(answer: Exchanged, status: number, says: (body: unknown) => boolean): boolean {
  const isRight = answer.kind === "answered" && answer.status === status && answer.isSigned;
  return !isRight || !says(answer.body);
}

/** What is wrong with an answer that must be a signed report. */
export function reportFault(answer: Exchanged): CheckOutcome {
  if (answer.kind !== "answered" || answer.status !== 200) {
    return `it must answer 200 with a report, and answered ${statusOf(answer)}`;
  }
  if (!answer.isSigned) return "its answer has no valid Florin-Rail-Signature";
  return typeof answer.body?.status === "string" ? undefined : "its report has no status";
}

/** The messages of the rail protocol: orders as they are sent, and reports and descriptions as they are read. Invalid ones are refused. */

import type { PaidChannel } from "../../../domain/job-kinds.ts";
import type { OrderInvoice } from "../../../domain/payments/carrier/carrier.port.ts";
import {
  type ConnectorFeatures,
  connectorFeatures,
} from "../../../domain/rails/connections/rail-connection.ts";
import type { SettlementLayer } from "../../../domain/rails/connections/settlement.ts";
import type { ConnectorOrder } from "../../../domain/rails/orders/connector.port.ts";
import { endToEndIdOf } from "../../../domain/rails/orders/rail-payment.ts";
import type { RailReport } from "../../../domain/rails/orders/rail-report.ts";
import { getCurrency } from "../../../money/currency.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import { MOST_FAULTS, type ReadCapabilities, readCapabilities } from "./connector-capabilities.ts";
import { type ReadSettlement, readSettlement } from "./connector-settlement.ts";

/** The bytes of an order. They follow from committed rows alone, so an order that is sent again is the same. */
export function orderBody({ payment, environment, original }: ConnectorOrder): Buffer {
  const { accountType, accountInfo, name } = payment.counterparty;
  const { beneficiary = null, ...plainInfo } = accountInfo;
  return Buffer.from(
    JSON.stringify({
      id: payment.id,
      direction: payment.direction,
      currency: payment.currency,
      decimals: getCurrency(payment.currency).decimals,
      amount: payment.amountMinor.toString(),
      paymentRail: payment.paymentRail,
      counterparty: { accountType, name, accountInfo: plainInfo, beneficiary },
      ours: payment.ours,
      ...(payment.invoice === null ? {} : { settlement: settlementOfOrder(payment.invoice) }),
      ...(payment.remittance === null ? {} : { remittance: payment.remittance }),
      reference: payment.reference,
      endToEndId: endToEndIdOf(payment.id),
      requestedOn: payment.requestedOn,
      ...(original === undefined ? {} : { original: { entryId: original } }),
      environment,
    }),
  );
}

function settlementOfOrder({ layer, assetIdentifier, invoice, payBy }: OrderInvoice) {
  return { layer, assetIdentifier, invoice, payBy };
}

const STATUSES = [
  "accepted",
  "settled",
  "declined",
  "returned",
  "cancelled",
  "unknown",
] as const satisfies readonly RailReport["status"][];

export interface ReadReport {
  readonly report: RailReport;
  readonly askAgainInMs: number | undefined;
}

const MOST_ASK_AGAIN_SECONDS = 86_400;

/** Undefined when the body is no valid report: then nothing is known about the payment. */
export function readReport(body: unknown): ReadReport | undefined {
  if (!isJsonObject(body)) return undefined;
  const status = STATUSES.find((known) => known === body.status);
  if (status === undefined) return undefined;
  const amountMinor = amountIn(body.amount);
  if (amountMinor === "unsound") return undefined;
  const reason = isJsonObject(body.reason) ? body.reason : {};
  const report: RailReport = {
    status,
    scheme: "CONNECTOR",
    code: plainText(reason.code, 35),
    text: plainText(reason.text, 140),
    reference: plainText(body.providerReference, 140),
    settledOn: dateIn(body.settledOn),
    amountMinor,
    channels: channelsIn(body.utxos),
  };
  return { report, askAgainInMs: askAgainIn(body.askAgainSeconds) };
}

const MOST_CHANNELS = 100;
const MOST_CHANNEL_NAME = 200;
/** Below the largest whole number of 63 bits, and without a leading zero. */
const MSATS = /^(0|[1-9]\d{0,17})$/;

/** The channels of a payment over Lightning. No money depends on them, so those that are not sound are left out. */
export function channelsIn(value: unknown): readonly PaidChannel[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, MOST_CHANNELS).flatMap((each) => {
    const { utxo, amountMsats } = isJsonObject(each) ? each : {};
    const name = plainText(utxo, MOST_CHANNEL_NAME);
    const amount = Number.isSafeInteger(amountMsats) ? String(amountMsats) : amountMsats;
    const isSound = name !== undefined && typeof amount === "string" && MSATS.test(amount);
    return isSound ? [{ utxo: name, amountMsats: amount }] : [];
  });
}

export interface ReadDescription extends ReadCapabilities {
  /** Empty without the feature `invoices`. */
  readonly settlement: readonly SettlementLayer[];
  /** Undefined when the description does not name its features. */
  readonly features: ConnectorFeatures | undefined;
}

/** What a connector carries, and what it can do; a sentence where its description is not sound. */
export function readDescription(
  body: unknown,
  environment: string,
): ReadDescription | { readonly fault: string } {
  if (!isJsonObject(body)) return { fault: "the description is no JSON object" };
  if (body.protocol !== 1) return { fault: "protocol must be 1" };
  if (body.environment !== environment) {
    return { fault: `environment must be ${environment}, that of the platform` };
  }
  const features = featuresIn(body.features);
  if (features === "unsound") {
    return {
      fault: `features must be an object of ${connectorFeatures.join(", ")}: true or false`,
    };
  }
  const settlement = settlementOf(body, features);
  const isSettling = settlement.layers.length > 0;
  const capabilities = body.capabilities ?? (isSettling ? [] : undefined);
  if (!Array.isArray(capabilities) || (capabilities.length === 0 && !isSettling)) {
    return { fault: "capabilities must be a list of at least one" };
  }
  if (capabilities.length > MOST_CAPABILITIES) {
    return { fault: `capabilities must be at most ${MOST_CAPABILITIES}` };
  }
  const read = readCapabilities(capabilities);
  const leftOut = [...read.leftOut, ...settlement.leftOut].slice(0, MOST_FAULTS);
  if (read.capabilities.length === 0 && !isSettling) {
    return { fault: `no capability can be taken: ${leftOut.join("; ")}` };
  }
  return { capabilities: read.capabilities, features, settlement: settlement.layers, leftOut };
}

function settlementOf(
  { settlement }: JsonObject,
  features: ConnectorFeatures | undefined,
): ReadSettlement {
  if (features?.invoices === true) return readSettlement(settlement);
  const leftOut = settlement === undefined ? [] : ["settlement: needs the feature invoices"];
  return { layers: [], leftOut };
}

/** The connector lacks each feature that it does not name. */
function featuresIn(value: unknown): ConnectorFeatures | undefined | "unsound" {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) return "unsound";
  const isSound = connectorFeatures.every((name) =>
    /^(undefined|boolean)$/.test(typeof value[name]),
  );
  if (!isSound) return "unsound";
  const has = (name: keyof ConnectorFeatures) => value[name] === true;
  return {
    cancel: has("cancel"),
    feed: has("feed"),
    balance: has("balance"),
    instructions: has("instructions"),
    settlesReturns: has("settlesReturns"),
    invoices: has("invoices"),
  };
}

const MOST_CAPABILITIES = 200;

/** An amount is decimal text: a JSON number may have lost digits on its way. */
function amountIn(value: unknown): bigint | undefined | "unsound" {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" && /^\d{1,18}$/.test(value) ? BigInt(value) : "unsound";
}

function askAgainIn(value: unknown): number | undefined {
  const isSound =
    typeof value === "number" &&
    Number.isInteger(value) &&
    value >= 1 &&
    value <= MOST_ASK_AGAIN_SECONDS;
  return isSound ? value * 1_000 : undefined;
}

export function dateIn(value: unknown): string | undefined {
  const isSound =
    typeof value === "string" &&
    /^\d{4}-\d\d-\d\d$/.test(value) &&
    !Number.isNaN(Date.parse(value));
  return isSound ? value : undefined;
}

/** The text without control characters, cut to the length. */
export function plainText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== "string") return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  const plain = value.replace(/[\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/gu, "").trim();
  return plain === "" ? undefined : [...plain].slice(0, maxLength).join("");
}

export function isNotReceived(body: unknown): boolean {
  return isJsonObject(body) && body.code === "not_received";
}

export function isConflictAnswer(body: unknown): boolean {
  return isJsonObject(body) && body.code === "conflict";
}

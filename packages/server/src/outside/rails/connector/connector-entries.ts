/** Entries and balances as connectors report them. An entry with a missing or invalid member is refused; the others are accepted. */

import type { ConnectorBalance } from "../../../domain/rails/books/record-rail-balances.ts";
import type { RefusedEntry } from "../../../domain/rails/connections/rail-connection.ts";
import type { Payer, ToldEntry } from "../../../domain/rails/entries/rail-entry.ts";
import { entryDirections } from "../../../domain/rails/entries/rail-entry.ts";
import { FEED_PAGE, type FeedPage } from "../../../domain/rails/entries/record-rail-feed.ts";
import { quotedReferences } from "../../../domain/rails/funding/payment-reference.ts";
import { plainNumber } from "../../../domain/rails/funding/virtual-account.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import { isUuid } from "../../../std/ids.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import { channelsIn, dateIn, plainText } from "./connector-messages.ts";

const MOST_REFERENCE = 140;
const MOST_REMITTANCE = 1_000;
const MOST_NUMBER = 64;
/** The end of the year 9999. */
const LAST_MS = 253_402_300_799_999;

/** The entry, or the name of a member that is missing or invalid. */
export function readEntry(
  body: unknown,
): { readonly entry: ToldEntry } | { readonly fault: string } {
  if (!isJsonObject(body)) return { fault: "entry" };
  const { id, currency, bookedAt } = body;
  const bankReference = plainText(id, MOST_REFERENCE);
  if (bankReference === undefined || bankReference !== id) return { fault: "entry.id" };
  if (typeof currency !== "string") return { fault: "entry.currency" };
  const amountMinor = amountIn(body.amount);
  if (amountMinor === undefined) return { fault: "entry.amount" };
  const direction = entryDirections.find((known) => known === body.direction);
  if (direction === undefined) return { fault: "entry.direction" };
  const bookedOn = dayIn(bookedAt);
  if (bookedOn === undefined) return { fault: "entry.bookedAt" };
  const reference = plainText(body.reference, MOST_REFERENCE) ?? null;
  const remittance = plainText(body.remittance, MOST_REMITTANCE) ?? null;
  const entry: ToldEntry = {
    bankReference,
    direction,
    currency,
    amountMinor,
    bookedOn,
    bookedAt: timeIn(bookedAt),
    valueDate: dateIn(body.valueDate) ?? null,
    reference,
    remittance,
    payer: payerIn(body.payer),
    virtualAccount: numberIn(body.virtualAccount),
    references: quotedReferences({ reference, remittance }),
    instructionId: uuidIn(body.instructionId),
    invoiceId: uuidIn(body.invoiceId) ?? null,
    feeOf: uuidIn(body.feeOf) ?? null,
    paymentId: paymentIn(body),
    returnOf: plainText(body.returnOf, MOST_REFERENCE),
    channels: channelsIn(body.utxos),
  };
  return { entry };
}

const CURSOR = /^[\x21-\x7e]{1,200}$/;

/** A page of the feed, with the faults of single entries beside the others; or a sentence on what is wrong with the page. */
export function readFeedPage(
  body: JsonObject | undefined,
  after: string | null,
): FeedPage | { readonly fault: string } {
  const { entries, nextCursor, hasMore = false } = body ?? {};
  if (!Array.isArray(entries) || entries.length > FEED_PAGE) {
    return { fault: `The page of entries must have a list of at most ${FEED_PAGE} as entries.` };
  }
  const isCursor = typeof nextCursor === "string" && CURSOR.test(nextCursor);
  if (!isCursor && (entries.length > 0 || hasMore !== false)) {
    return { fault: "nextCursor must be 1 to 200 visible ASCII characters." };
  }
  const cursor = isCursor ? nextCursor : after;
  // Otherwise the same page would be requested without end.
  if (hasMore === true && cursor === after) {
    return { fault: "hasMore is true, and nextCursor is the cursor that was asked for." };
  }
  const told: ToldEntry[] = [];
  const refused: RefusedEntry[] = [];
  for (const each of entries) {
    const read = readEntry(each);
    if ("entry" in read) told.push(read.entry);
    else refused.push(refusedEntry(each, read.fault));
  }
  return { entries: told, refused, nextCursor: cursor, hasMore: hasMore === true };
}

function refusedEntry(told: unknown, fault: string): RefusedEntry {
  const entryId = isJsonObject(told) ? plainText(told.id, MOST_REFERENCE) : undefined;
  const member = fault.replace(/^entry\.?/, "");
  const message = `${member || "it"} is missing or not sound.`;
  return { ...(entryId === undefined ? {} : { entryId }), message };
}

/** More balances than a connection has currencies. */
const MOST_BALANCES = 100;

/** The balances of a connector; undefined when one of them is invalid. */
export function readBalances(
  body: JsonObject | undefined,
): readonly ConnectorBalance[] | undefined {
  const { balances } = body ?? {};
  if (!Array.isArray(balances) || balances.length > MOST_BALANCES) return undefined;
  const read = balances.map(balanceIn);
  const sound = read.filter((balance) => balance !== undefined);
  const isSound = new Set(sound.map(({ currency }) => currency)).size === read.length;
  return isSound ? sound : undefined;
}

/** The amount may be negative: the account outside may be overdrawn. */
function balanceIn(value: unknown): ConnectorBalance | undefined {
  if (!isJsonObject(value)) return undefined;
  const { currency, booked } = value;
  if (typeof currency !== "string" || typeof booked !== "string") return undefined;
  return /^-?\d{1,18}$/.test(booked) ? { currency, bookedMinor: BigInt(booked) } : undefined;
}

/** The order that the entry is about, or that it gives back. */
function paymentIn({ paymentId, returnOf }: JsonObject): string | undefined {
  return [paymentId, returnOf].find(
    (named): named is string => typeof named === "string" && isUuid(named),
  );
}

function amountIn(value: unknown): bigint | undefined {
  if (typeof value !== "string" || !/^\d{1,18}$/.test(value)) return undefined;
  const minor = BigInt(value);
  return minor > 0n && minor <= MAX_AMOUNT_MINOR ? minor : undefined;
}

/** The day of a date or a date-time, as the connector wrote it. */
function dayIn(value: unknown): string | undefined {
  const isSound = typeof value === "string" && !Number.isNaN(Date.parse(value));
  return isSound ? dateIn(value.slice(0, 10)) : undefined;
}

/** Null for a date without a time. */
function timeIn(value: unknown): number | null {
  const time = typeof value === "string" && value.includes("T") ? Date.parse(value) : Number.NaN;
  return time >= 0 && time <= LAST_MS ? time : null;
}

function numberIn(value: unknown): string | null {
  const text = plainText(value, MOST_NUMBER);
  return text === undefined ? null : plainNumber(text);
}

function uuidIn(value: unknown): string | undefined {
  return typeof value === "string" && isUuid(value) ? value : undefined;
}

function payerIn(value: unknown): Payer | null {
  if (!isJsonObject(value)) return null;
  const name = plainText(value.name, 140);
  const account = plainText(value.account, 64);
  if (name === undefined && account === undefined) return null;
  return {
    ...(name === undefined ? {} : { name }),
    ...(account === undefined ? {} : { account }),
  };
}

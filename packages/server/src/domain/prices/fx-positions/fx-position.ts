/**
 * A platform's position in a currency from exchanging for its customers, positive when it holds the currency. It is the balance of the
 * ledger's `fx` account plus the amounts of executed quotes that have not ended: execution adds them, the end removes them. Limits are
 * checked in the commit that executes a quote, so quotes that are executed at once cannot exceed them together.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import { INT8_MAX } from "../../../ledger/postings.ts";
import { sha256Hex } from "../../../std/digest.ts";
import {
  type AnyRef,
  defineTable,
  fixed,
  mutable,
  type Ref,
  type RowOf,
} from "../../../tables/tables.ts";
import { platforms } from "../../platform.ts";

const columns = {
  id: fixed("uuid"),
  currency: fixed("text"),
  committedMinor: mutable("int8"),
  /** Null: no limit. */
  maxLong: mutable<bigint | null>("int8"),
  maxShort: mutable<bigint | null>("int8"),
  updatedAt: mutable("time"),
};

export interface FxPosition extends RowOf<typeof columns> {}

export const fxPositions = defineTable<FxPosition>("fx_positions", columns);

/** The id of a currency's position, the same on every platform. */
export function positionId(currency: string): string {
  const hex = sha256Hex(`florin fx position ${currency}`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function positionRef(currency: string): Ref<FxPosition> {
  return fxPositions.ref(positionId(currency));
}

export function positionOf(world: World, currency: string): FxPosition {
  const found = world.find(positionRef(currency));
  if (found !== undefined) return found;
  const id = positionId(currency);
  return { id, currency, committedMinor: 0n, maxLong: null, maxShort: null, updatedAt: world.at };
}

/** The parts of an exchange that change positions. */
export interface Exchange {
  readonly sendingCurrency: string;
  readonly receivingCurrency: string;
  readonly convertedMinor: bigint;
  readonly receivingMinor: bigint;
}

/** Whether positions count this exchange. They do not in a sandbox, nor within one currency. */
export function isCounted(
  world: Loaded,
  { sendingCurrency, receivingCurrency }: Pick<Exchange, "sendingCurrency" | "receivingCurrency">,
): boolean {
  const platform = world.find(platforms.ref(world.platformId));
  return platform?.environment === "PRODUCTION" && sendingCurrency !== receivingCurrency;
}

/** The rows that counting an exchange between these currencies needs. */
export function currencyNeeds(
  world: Loaded,
  sendingCurrency: string,
  receivingCurrency: string,
): readonly AnyRef[] {
  const platform = platforms.ref(world.platformId);
  if (!isCounted(world, { sendingCurrency, receivingCurrency })) return [platform];
  return [
    platform,
    ...[sendingCurrency, receivingCurrency].flatMap((currency) => [
      positionRef(currency),
      systemAccount("fx", currency),
    ]),
  ];
}

/** The changes to two positions: the platform gains what the customer sells, and loses what the customer buys. */
function movesOf(exchange: Exchange): readonly (readonly [currency: string, minor: bigint])[] {
  const { sendingCurrency, receivingCurrency, convertedMinor, receivingMinor } = exchange;
  return [
    [sendingCurrency, convertedMinor],
    [receivingCurrency, -receivingMinor],
  ];
}

/** Half of the column's range: the other half is headroom for opposite exchanges that end later. */
const COUNTED_UP_TO_MINOR = INT8_MAX / 2n;

/** Throws FX_LIMIT when the exchange moves a position beyond its limit, AMOUNT_OUT_OF_RANGE when the committed total is too large. */
export function refuseBeyondLimits(world: World, exchange: Exchange): void {
  if (!isCounted(world, exchange)) return;
  for (const [currency, minor] of movesOf(exchange)) {
    const { committedMinor, maxLong, maxShort } = positionOf(world, currency);
    const balanceMinor = world.find(systemAccount("fx", currency))?.balanceMinor ?? 0n;
    const netMinor = balanceMinor + committedMinor + minor;
    const committed = committedMinor + minor;
    if (committed > COUNTED_UP_TO_MINOR || committed < -COUNTED_UP_TO_MINOR) {
      const message = `The exchanges under way have reached the largest total that can be counted in ${currency}.`;
      throw new Refusal("AMOUNT_OUT_OF_RANGE", { currency }, message);
    }
    const isTooLong = minor > 0n && maxLong !== null && netMinor > maxLong;
    const isTooShort = minor < 0n && maxShort !== null && -netMinor > maxShort;
    if (!isTooLong && !isTooShort) continue;
    const [side, limit] = isTooLong ? ["maxLong", maxLong] : ["maxShort", maxShort];
    throw new Refusal(
      "FX_LIMIT",
      { currency, [String(side)]: Number(limit), net: netMinor.toString() },
      `The position in ${currency} would be ${netMinor}, past its limit ${side} of ${limit}; close a part of it or raise the limit with PUT /fx/limits.`,
    );
  }
}

/** Counts the exchange of a quote that is executed. */
export function commitExchange(world: World, exchange: Exchange): void {
  move(world, exchange, 1n);
}

/** Removes the exchange of a quote that has ended: it is in the ledger, or never will be. */
export function releaseExchange(world: World, exchange: Exchange): void {
  move(world, exchange, -1n);
}

function move(world: World, exchange: Exchange, sign: bigint): void {
  if (!isCounted(world, exchange)) return;
  for (const [currency, minor] of movesOf(exchange)) {
    const position = positionOf(world, currency);
    const committedMinor = position.committedMinor + sign * minor;
    world.put(fxPositions, { ...position, committedMinor, updatedAt: world.at });
  }
}

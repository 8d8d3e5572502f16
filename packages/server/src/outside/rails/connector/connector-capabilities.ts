/**
 * The capabilities of a connector's description. A capability, or a name in one, that this version does not know is left out with
 * its fault; the others are taken, so a connector may be newer than the server.
 */

import { accountTypes, railsOfType } from "../../../domain/accounts/external/account-types.ts";
import {
  type Capability,
  orderDirections,
} from "../../../domain/rails/connections/rail-connection.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import { plainText } from "./connector-messages.ts";

export interface ReadCapabilities {
  readonly capabilities: readonly Capability[];
  /** `path: sentence` of each value that was left out, at most `MOST_FAULTS`. */
  readonly leftOut: readonly string[];
}

export const MOST_FAULTS = 20;
const MOST_NAMES = 100;
const MOST_SHOWN = 40;

type Note = (member: string, message: string) => void;

export function readCapabilities(told: readonly unknown[]): ReadCapabilities {
  const leftOut: string[] = [];
  const capabilities = told.flatMap((value, index) => {
    const note: Note = (member, message) => {
      if (leftOut.length < MOST_FAULTS) leftOut.push(`capabilities[${index}]${member}: ${message}`);
    };
    if (isJsonObject(value)) return readCapability(value, note);
    note("", "is no object");
    return [];
  });
  return { capabilities, leftOut };
}

function readCapability(told: JsonObject, note: Note): readonly Capability[] {
  const direction = orderDirections.find((known) => known === told.direction);
  if (direction === undefined) {
    note(".direction", `${shown(told.direction)} is none of ${orderDirections.join(", ")}`);
  }
  const { currency } = told;
  if (typeof currency !== "string") note(".currency", `${shown(currency)} is no text`);
  const types = namesIn(told, { member: "accountTypes", known: ACCOUNT_TYPES }, note);
  const rails = namesIn(told, { member: "paymentRails", known: RAILS }, note);
  const limits = limitsIn(told, note);
  const isWhole = direction !== undefined && types.length > 0 && rails.length > 0;
  if (!isWhole || typeof currency !== "string" || limits === undefined) return [];
  return [{ direction, currency, accountTypes: types, paymentRails: rails, ...limits }];
}

const ACCOUNT_TYPES: ReadonlySet<string> = new Set(accountTypes);
const RAILS: ReadonlySet<string> = new Set(accountTypes.flatMap(railsOfType));

interface Names {
  readonly member: "accountTypes" | "paymentRails";
  readonly known: ReadonlySet<string>;
}

/** The known names of a list, each once; empty when there is none. */
function namesIn(told: JsonObject, { member, known }: Names, note: Note): readonly string[] {
  const value = told[member];
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_NAMES) {
    note(`.${member}`, `must be a list of 1 to ${MOST_NAMES} names`);
    return [];
  }
  const isKnown = (name: unknown): name is string => typeof name === "string" && known.has(name);
  for (const [index, name] of value.entries()) {
    if (!isKnown(name)) note(`.${member}[${index}]`, `${shown(name)} is unknown`);
  }
  return [...new Set(value.filter(isKnown))];
}

/**
 * Undefined when a limit is not an amount, or no amount fits the limits. A maximum above every amount of this server bounds nothing, so
 * only the maximum is left out.
 */
export function limitsIn(
  { minAmount, maxAmount }: JsonObject,
  note: Note,
): Pick<Capability, "minAmount" | "maxAmount"> | undefined {
  const least = limitIn(minAmount);
  const most = limitIn(maxAmount);
  if (least === undefined || (least ?? 0n) > MAX_AMOUNT_MINOR) {
    note(".minAmount", `${shown(minAmount)} is no amount`);
    return undefined;
  }
  if (most === undefined || (most !== null && most < (least ?? 0n))) {
    note(".maxAmount", `${shown(maxAmount)} is no amount, or below minAmount`);
    return undefined;
  }
  const isBeyond = most !== null && most > MAX_AMOUNT_MINOR;
  if (isBeyond) note(".maxAmount", `is above ${MAX_AMOUNT_MINOR}, the greatest amount`);
  return {
    ...(least === null ? {} : { minAmount: Number(least) }),
    ...(most === null || isBeyond ? {} : { maxAmount: Number(most) }),
  };
}

/** A limit in the smallest unit, as a number or its decimal text: null when it is absent, undefined when it is neither. */
function limitIn(value: unknown): bigint | null | undefined {
  if (value === undefined || value === null) return null;
  const text = Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === "string" && /^\d{1,40}$/.test(text) ? BigInt(text) : undefined;
}

function shown(value: unknown): string {
  return plainText(JSON.stringify(value), MOST_SHOWN) ?? "nothing";
}

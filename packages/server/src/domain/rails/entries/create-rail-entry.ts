import type { Command, Loaded, World } from "../../../engine/command.ts";
import { invalidFields, Refusal } from "../../../engine/refusal.ts";
import { type Asserter, asserterOf } from "../../payments/quotes/parties/quote-maker.ts";
import { refuseOtherImporter } from "../connections/importers.ts";
import { requireLiveConnection } from "../connections/rail-connection.ts";
import { quotedReferences } from "../funding/payment-reference.ts";
import { type Asked, askForMark, needsSecondToken } from "../marks/rail-mark.ts";
import { bookEntry, entryNeeds, findEntry, refuseEntryWithoutRoom } from "./book-entry.ts";
import {
  type EntryDirection,
  type Payer,
  type RailEntry,
  type ToldEntry,
  toRailEntryId,
} from "./rail-entry.ts";

export interface CreateRailEntryInput {
  readonly connectionId: string;
  readonly told: ToldEntry;
  /** Whether the workspace has another person who could have typed it in. */
  readonly isGuarded?: boolean;
}

/** The entry as a waiting mark stores it. */
export type EntryRequest = {
  readonly connectionId: string;
  readonly told: {
    readonly bankReference: string;
    readonly direction: EntryDirection;
    readonly currency: string;
    /** A decimal string. */
    readonly amount: string;
    readonly bookedOn: string;
    readonly valueDate: string | null;
    readonly reference: string | null;
    readonly remittance: string | null;
    readonly payer: Payer | null;
    readonly virtualAccount: string | null;
  };
};

/**
 * Books an entry that a person read at the bank; at a connection with FOUR_EYES it waits for another token. Refuses, in this order: an
 * unknown connection, an archived one, a caller that may not import entries, a connection whose connector reports the entries, a currency
 * that it does not have, a bank reference that was used, an amount for which its books have no room.
 */
export const createRailEntry: Command<CreateRailEntryInput, Asked<RailEntry>> = {
  name: "create-rail-entry",
  needs: entryNeeds,
  decide(world, input) {
    const { connectionId, told } = input;
    refuseOtherImporter(world, requireLiveConnection(world, connectionId, "booked to"));
    refuseEntry(world, input);
    if (!needsSecondToken(world, connectionId)) {
      const typedBy = input.isGuarded === true ? [asserterOf(world)] : [];
      return { kind: "done", done: enterLine(world, input, typedBy) };
    }
    const {
      amountMinor,
      bookedAt: _,
      paymentId: __,
      returnOf: ___,
      instructionId: ____,
      references: _____,
      invoiceId: ______,
      feeOf: _______,
      ...line
    } = told;
    const request: EntryRequest = { connectionId, told: { ...line, amount: String(amountMinor) } };
    const mark = askForMark(world, { connectionId, kind: "ENTRY", request });
    return { kind: "waiting", mark };
  },
};

export function refuseEntry(world: Loaded, input: CreateRailEntryInput): void {
  const { kind, currencies } = requireLiveConnection(world, input.connectionId, "booked to");
  if (kind !== "MANUAL") {
    const message = `The connection is of the kind ${kind}, whose connector tells its entries; only those of a MANUAL one are typed in.`;
    throw new Refusal("CONFLICT", { kind }, message);
  }
  const { currency, bankReference } = input.told;
  if (!currencies.includes(currency)) throw foreignCurrency(currencies);
  const known = findEntry(world, input);
  if (known !== undefined) {
    throw new Refusal(
      "DUPLICATE_ENTRY",
      { field: "bankReference", entryId: toRailEntryId(known.id) },
      `bankReference: the connection has an entry ${bankReference} already; an entry is booked once.`,
    );
  }
  refuseEntryWithoutRoom(world, input);
}

/** Books an entry that passed the checks. It funds no quote that one of these callers made. */
export function enterLine(
  world: World,
  { connectionId, told }: CreateRailEntryInput,
  typedBy: readonly Asserter[],
): RailEntry {
  return bookEntry(world, { connectionId, told, typedBy }, "MANUAL").entry;
}

export function entryInputIn({ connectionId, told }: EntryRequest): CreateRailEntryInput {
  const { amount, ...line } = told;
  // Fields that only a connector supplies; a typed-in entry lacks them.
  const absent = {
    bookedAt: null,
    paymentId: undefined,
    returnOf: undefined,
    instructionId: undefined,
    invoiceId: null,
    feeOf: null,
  };
  const references = quotedReferences(line);
  return { connectionId, told: { ...line, ...absent, references, amountMinor: BigInt(amount) } };
}

export function foreignCurrency(currencies: readonly string[]): Refusal {
  const message = `is not a currency of the connection, which has ${currencies.join(", ")}`;
  return invalidFields([{ field: "currency", message }]);
}

/**
 * The ledger moves of a quote. What the sender pays is set aside from the moment the platform holds it until the payment ends: in
 * `in-flight` when it is an account's, in `paid-in` when it came from outside. Only a payment that arrives is taken apart into fees,
 * exchange and dust.
 *
 *   hold     source account → in-flight, marked with the account
 *   fund     rail-clearing, or clearing of a connection → paid-in
 *   convert  what was set aside → fees, fx, rounding; fx → the destination: an account, rail-clearing, or clearing of a connection
 *   return   when a payment comes back: the conversion reversed; or the amount returned by a connection, exchanged → set aside
 *   refund   what was set aside → an account, or → rail-clearing when it goes back where it came from
 */

import type { SystemAccountKind, SystemAccountName } from "../../../ledger/chart.ts";
import type { Leg, Posting } from "../../../ledger/postings.ts";
import type { SystemMove } from "../../accounts/internal/system-room.ts";
import { simulatedClearing } from "../carrier/clearing.ts";
import { payoutCurrency, payoutOf } from "./outside-terms.ts";
import type { Quote } from "./quote.ts";

export function holdPosting(quote: Quote, accountId: string): Posting {
  const { sendingCurrency: currency, sendingMinor: minor } = quote;
  return {
    reason: "quote.hold",
    legs: [
      { account: accountId, minor: -minor },
      { system: "in-flight", currency, minor, heldFor: accountId },
    ],
  };
}

/** Books the amount that arrived, which can differ from the sending amount, against the clearing account that it came through. */
export function fundPosting(
  quote: Quote,
  arrivedMinor: bigint,
  clearing: SystemAccountName = simulatedClearing(quote.sendingCurrency),
): Posting {
  const { sendingCurrency: currency } = quote;
  return {
    reason: "quote.fund",
    legs: [
      { ...clearing, minor: -arrivedMinor },
      { system: "paid-in", currency, minor: arrivedMinor },
    ],
  };
}

export interface ConversionSides {
  /** The internal account whose money is in flight; undefined for money from outside. */
  readonly heldFor: string | undefined;
  /** The internal account that is credited; undefined when a rail pays out. */
  readonly creditTo: string | undefined;
  /** The account of the connection that pays out; undefined for the simulated rail. */
  readonly clearing?: SystemAccountName | undefined;
}

export function convertPosting(quote: Quote, sides: ConversionSides): Posting {
  return { reason: "quote.convert", legs: conversion(quote, sides) };
}

export function returnPosting(quote: Quote, sides: ConversionSides): Posting {
  const legs = conversion(quote, sides).map((leg) => ({ ...leg, minor: -leg.minor }));
  return { reason: "quote.return", legs };
}

/** Books the returned amount at the exchange rate of the return. The fees and the first exchange are not reversed. */
export function convertedReturnPosting(
  quote: Quote,
  { heldFor, clearing }: Pick<ConversionSides, "heldFor" | "clearing">,
  { cameMinor, refundMinor }: { readonly cameMinor: bigint; readonly refundMinor: bigint },
): Posting {
  const { sendingCurrency } = quote;
  const paidCurrency = payoutCurrency(quote);
  const from = clearing ?? simulatedClearing(paidCurrency);
  const exchange: readonly Leg[] = [
    { system: "fx", currency: paidCurrency, minor: cameMinor },
    { system: "fx", currency: sendingCurrency, minor: -refundMinor },
  ];
  return {
    reason: "quote.return",
    legs: [
      { ...from, minor: -cameMinor },
      ...(sendingCurrency === paidCurrency ? [] : exchange),
      asideLeg({ currency: sendingCurrency, minor: refundMinor, heldFor }),
    ],
  };
}

function conversion(
  quote: Quote,
  { heldFor, creditTo, clearing }: ConversionSides,
): readonly Leg[] {
  const { sendingCurrency, sendingMinor, convertedMinor } = quote;
  const ownFeesMinor = quote.fixedFeeMinor + quote.variableFeeMinor;
  const paid = payoutOf(quote);
  const legs: readonly Leg[] = [
    asideLeg({ currency: sendingCurrency, minor: -sendingMinor, heldFor }),
    { system: "fees", currency: sendingCurrency, minor: ownFeesMinor },
    { system: "fx", currency: sendingCurrency, minor: convertedMinor },
    {
      system: "rounding",
      currency: sendingCurrency,
      minor: sendingMinor - ownFeesMinor - convertedMinor,
    },
    { system: "fx", currency: paid.currency, minor: -paid.minor },
    creditTo === undefined
      ? { ...(clearing ?? simulatedClearing(paid.currency)), minor: paid.minor }
      : { account: creditTo, minor: paid.minor },
  ];
  return legs.filter(({ minor }) => minor !== 0n);
}

/**
 * The moves of system accounts at settlement. The holding account is left out: acceptance books it, and refuses a payment for which it has
 * no room.
 */
export function settlementMoves(quote: Quote, sides: ConversionSides): readonly SystemMove[] {
  const { heldFor } = sides;
  const funding = heldFor === undefined ? fundPosting(quote, quote.sendingMinor).legs : [];
  const moves: SystemMove[] = [];
  for (const leg of [...funding, ...conversion(quote, sides)])
    if ("system" in leg && leg.system !== holdingAccountOf(heldFor)) moves.push(leg);
  return moves;
}

export function refundPosting(
  quote: Quote,
  {
    minor,
    heldFor,
    refundTo,
  }: {
    readonly minor: bigint;
    readonly heldFor: string | undefined;
    /** The internal account that gets the refund; undefined when it goes back where it came from. */
    readonly refundTo: string | undefined;
  },
): Posting {
  const { sendingCurrency: currency } = quote;
  return {
    reason: "quote.refund",
    legs: [
      asideLeg({ currency, minor: -minor, heldFor }),
      refundTo === undefined
        ? { system: "rail-clearing", currency, minor }
        : { account: refundTo, minor },
    ],
  };
}

function asideLeg(leg: {
  readonly currency: string;
  readonly minor: bigint;
  readonly heldFor: string | undefined;
}): Leg {
  const { currency, minor, heldFor } = leg;
  const mark = heldFor === undefined ? {} : { heldFor };
  return { system: holdingAccountOf(heldFor), currency, minor, ...mark };
}

/** The system account in which a quote's money is set aside. */
export function holdingAccountOf(heldFor: string | undefined): SystemAccountKind {
  return heldFor === undefined ? "paid-in" : "in-flight";
}

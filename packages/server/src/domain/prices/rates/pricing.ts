/**
 * The price of a payment through a corridor, to the unit. Fractions stay exact until each figure is rounded once. The platform
 * keeps what a rounding leaves over: the sender is rounded up, the receiver down.
 *
 *   variable fee      (sent − fixed fee) × rate, half up, within its bounds
 *   counterparty fee  its amount in the receiving currency, turned into the sending one, up
 *   received          (sent − all three) ÷ exchange rate, down
 */

import { type Ratio, scale } from "../../../money/ratio.ts";
import { mulDiv } from "../../../money/rounding.ts";
import { type Corridor, MILLION } from "./corridor.ts";

export type LockedSide = "SENDING" | "RECEIVING";

export interface Price {
  readonly sendingMinor: bigint;
  readonly receivingMinor: bigint;
  /** All fees, in the sending currency. */
  readonly feesMinor: bigint;
  readonly fixedFeeMinor: bigint;
  readonly variableFeeMinor: bigint;
  /** The amount that is converted at the exchange rate, rounded down; with both fees and `dustMinor` it adds up to the sent amount. */
  readonly convertedMinor: bigint;
  readonly dustMinor: bigint;
}

/** Undefined when fees would leave the receiver nothing. */
export function priceOf(
  corridor: Corridor,
  locked: { readonly side: LockedSide; readonly minor: bigint },
): Price | undefined {
  const perUnit = corridor.smallestUnitRate;
  if (locked.side === "SENDING") {
    const receivingMinor = received(corridor, { sendingMinor: locked.minor, perUnit });
    return receivingMinor <= 0n
      ? undefined
      : partsOf(corridor, { sendingMinor: locked.minor, receivingMinor, perUnit });
  }
  const sendingMinor = leastSending(corridor, { receivingMinor: locked.minor, perUnit });
  if (sendingMinor === undefined) return undefined;
  return partsOf(corridor, { sendingMinor, receivingMinor: locked.minor, perUnit });
}

function received(
  corridor: Corridor,
  { sendingMinor, perUnit }: { readonly sendingMinor: bigint; readonly perUnit: Ratio },
): bigint {
  const net = netOf(corridor, { sendingMinor, perUnit });
  return net <= 0n ? 0n : mulDiv(net, perUnit.denominator, perUnit.numerator, "down");
}

/** The amount to convert after all fees. */
function netOf(
  corridor: Corridor,
  { sendingMinor, perUnit }: { readonly sendingMinor: bigint; readonly perUnit: Ratio },
): bigint {
  const counterpartyFee = scale(corridor.counterpartyFeeMinor, perUnit, "up");
  return (
    sendingMinor - corridor.fixedFeeMinor - variableFee(corridor, sendingMinor) - counterpartyFee
  );
}

function variableFee(corridor: Corridor, sendingMinor: bigint): bigint {
  const { leastVariableFeeMinor = 0n, mostVariableFeeMinor } = corridor;
  const share = shareOf(corridor, sendingMinor);
  const least = share < leastVariableFeeMinor ? leastVariableFeeMinor : share;
  return mostVariableFeeMinor !== undefined && least > mostVariableFeeMinor
    ? mostVariableFeeMinor
    : least;
}

/** The variable fee before its bounds. */
function shareOf(corridor: Corridor, sendingMinor: bigint): bigint {
  const base = sendingMinor - corridor.fixedFeeMinor;
  return base <= 0n ? 0n : mulDiv(base, corridor.variableFeeMillionths, MILLION, "half-up");
}

interface Receiving {
  readonly receivingMinor: bigint;
  readonly perUnit: Ratio;
}

/**
 * The least sending amount for a receiving amount; undefined when none suffices, because the variable fee takes all that is sent. The fee
 * is at least its lower bound and at least its share, but at most its upper bound. So an amount suffices if it does with the lower bound
 * and with the share, or with the upper bound, and the result follows from the least amounts with each of the three.
 */
function leastSending(corridor: Corridor, receiving: Receiving): bigint | undefined {
  const { leastVariableFeeMinor, mostVariableFeeMinor, fixedFeeMinor } = corridor;
  const withoutFees =
    scale(receiving.receivingMinor, receiving.perUnit, "up") +
    scale(corridor.counterpartyFeeMinor, receiving.perUnit, "up");
  const withFee = (feeMinor: bigint) => withoutFees + fixedFeeMinor + feeMinor;
  const most = mostVariableFeeMinor === undefined ? undefined : withFee(mostVariableFeeMinor);
  if (corridor.variableFeeMillionths >= MILLION) return most;
  const byShare = leastSendingByShare(corridor, receiving);
  const byLeast = leastVariableFeeMinor === undefined ? byShare : withFee(leastVariableFeeMinor);
  const bounded = byLeast > byShare ? byLeast : byShare;
  return most !== undefined && most < bounded ? most : bounded;
}

/**
 * The least sending amount when the variable fee is its share. The estimate below is off by at most a unit of the net amount, because fees
 * are rounded one by one. That is a unit or two of the sent amount when the fee is less than half of it, and 10,000 units at the highest
 * fee of a rule, 99.99 %. The net amount never falls when more is sent, so stepping finds the least amount.
 */
function leastSendingByShare(corridor: Corridor, { receivingMinor, perUnit }: Receiving): bigint {
  const counterpartyFee = scale(corridor.counterpartyFeeMinor, perUnit, "up");
  const suffices = (sendingMinor: bigint) => {
    const feesMinor = corridor.fixedFeeMinor + shareOf(corridor, sendingMinor) + counterpartyFee;
    return (sendingMinor - feesMinor) * perUnit.denominator >= receivingMinor * perUnit.numerator;
  };
  let sendingMinor =
    mulDiv(
      (receivingMinor + corridor.counterpartyFeeMinor) * perUnit.numerator,
      MILLION,
      perUnit.denominator * (MILLION - corridor.variableFeeMillionths),
      "up",
    ) + corridor.fixedFeeMinor;
  while (!suffices(sendingMinor)) sendingMinor += 1n;
  while (suffices(sendingMinor - 1n)) sendingMinor -= 1n;
  return sendingMinor;
}

function partsOf(
  corridor: Corridor,
  amounts: {
    readonly sendingMinor: bigint;
    readonly receivingMinor: bigint;
    readonly perUnit: Ratio;
  },
): Price {
  const { sendingMinor, receivingMinor, perUnit } = amounts;
  const { fixedFeeMinor, counterpartyFeeMinor } = corridor;
  const variableFeeMinor = variableFee(corridor, sendingMinor);
  const convertedMinor = scale(receivingMinor + counterpartyFeeMinor, perUnit, "down");
  return {
    sendingMinor,
    receivingMinor,
    feesMinor: fixedFeeMinor + variableFeeMinor + scale(counterpartyFeeMinor, perUnit, "up"),
    fixedFeeMinor,
    variableFeeMinor,
    convertedMinor,
    dustMinor: sendingMinor - fixedFeeMinor - variableFeeMinor - convertedMinor,
  };
}

/**
 * The price of a payment from dollars to a euro account, from the published terms of the sandbox: one dollar is 0.92 euros; the
 * fee is ten cents and 0.3 % of the rest, rounded half up; the payout fee is ten euro cents. Shares no code with the product.
 */
export interface ModelPrice {
  readonly sent: bigint;
  readonly received: bigint;
  /** All fees, with the payout fee. */
  readonly allFees: bigint;
  readonly ownFees: bigint;
  readonly exchanged: bigint;
  readonly paidOut: bigint;
  readonly dust: bigint;
}

export interface Locked {
  readonly side: "SENDING" | "RECEIVING";
  readonly minor: bigint;
  /** In-house payments have no payout fee. */
  readonly isInHouse: boolean;
}

const FIXED_FEE = 10n;
/** The rate 0.92 in lowest terms: 23 euros for 25 dollars. */
const EUROS = 23n;
const DOLLARS = 25n;

/** Undefined when the receiver would get nothing. */
export function modelPrice({ side, minor, isInHouse }: Locked): ModelPrice | undefined {
  const payoutFee = isInHouse ? 0n : 10n;
  const sent = side === "SENDING" ? minor : leastFor(minor, payoutFee);
  const { ownFees, left } = takeFees(sent, payoutFee);
  const received = side === "SENDING" ? (left * EUROS) / DOLLARS : minor;
  if (left <= 0n || received <= 0n) return undefined;
  const paidOut = received + payoutFee;
  const exchanged = (paidOut * DOLLARS) / EUROS;
  const dust = sent - ownFees - exchanged;
  return { sent, received, allFees: sent - left, ownFees, exchanged, paidOut, dust };
}

function takeFees(sent: bigint, payoutFee: bigint) {
  const base = sent > FIXED_FEE ? sent - FIXED_FEE : 0n;
  const ownFees = FIXED_FEE + (base * 3n + 500n) / 1000n;
  const payoutFeeInDollars = (payoutFee * DOLLARS + EUROS - 1n) / EUROS;
  return { ownFees, left: sent - ownFees - payoutFeeInDollars };
}

/** Binary search for the smallest sufficient amount: the received amount grows with the sent one. */
function leastFor(received: bigint, payoutFee: bigint): bigint {
  let tooLittle = 0n;
  let enough = 2n * received + 100n;
  while (enough - tooLittle > 1n) {
    const middle = (tooLittle + enough) / 2n;
    if (takeFees(middle, payoutFee).left * EUROS >= received * DOLLARS) enough = middle;
    else tooLittle = middle;
  }
  return enough;
}

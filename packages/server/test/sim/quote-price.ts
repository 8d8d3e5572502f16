/**
 * What it costs to send dollars to a euro account, worked out from the terms that the sandbox publishes: a dollar is 0.92
 * euros; sending takes ten cents and 0.3 % of the rest, half up; whoever pays out keeps ten euro cents. Shares no code
 * with the product.
 */
export interface ModelPrice {
  readonly sent: bigint;
  readonly received: bigint;
  /** What the fees come to, the one of whoever pays out among them. */
  readonly allFees: bigint;
  readonly ownFees: bigint;
  /** Dollars that are exchanged. */
  readonly exchanged: bigint;
  /** Euros that they become. */
  readonly paidOut: bigint;
  readonly dust: bigint;
}

export interface Locked {
  readonly side: "SENDING" | "RECEIVING";
  readonly minor: bigint;
  /** Nobody else pays out, so nobody else takes a fee. */
  readonly isInHouse: boolean;
}

const FIXED_FEE = 10n;
/** 0.92 in lowest terms: so many euros for so many dollars. */
const EUROS = 23n;
const DOLLARS = 25n;

/** Undefined when nothing would be left for the receiver. */
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

/** What is left never falls when more is sent, so halving finds the least amount that suffices. */
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

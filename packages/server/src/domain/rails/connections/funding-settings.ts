/** How money comes in at a connection: by what a credit is recognised, and what becomes of money for quotes. */
import { invalidField } from "../../../engine/refusal.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { RateSource } from "../../prices/rate-sources/rate-source.ts";
import type { ConnectionKind, RailConnection } from "./rail-connection.ts";

/**
 *   REFERENCE         payers pay to our account there and quote a reference
 *   VIRTUAL_ACCOUNTS  each payee has an account number of its own, from a pool
 *   CONNECTOR         the connector tells where to pay to
 *   NONE              it is not shown to payers
 */
export const fundingModes = ["REFERENCE", "VIRTUAL_ACCOUNTS", "CONNECTOR", "NONE"] as const;
export type FundingMode = (typeof fundingModes)[number];

export const lateModes = ["SUSPENSE", "RETURN"] as const;
export type LateMode = (typeof lateModes)[number];

export type FundingSettings = {
  readonly mode: FundingMode;
  /** Whether several credits may add up to what a quote needs. */
  readonly collectParts?: boolean;
  /** What becomes of money that came too late for its quote. */
  readonly onLate?: LateMode;
  readonly windowMinutes?: number;
  readonly graceMinutes?: number;
};

export const NO_FUNDING: FundingSettings = { mode: "NONE" };

export const MOST_WINDOW_MINUTES = 4_320;
export const MOST_GRACE_MINUTES = 10_080;

/** People type entries in a day later; a connector tells them at once. */
const TIMES: Readonly<
  Record<ConnectionKind, { readonly windowMinutes: number; readonly graceMinutes: number }>
> = {
  HTTP: { windowMinutes: 15, graceMinutes: 0 },
  MANUAL: { windowMinutes: 1_440, graceMinutes: 2_880 },
};

const MINUTE_MS = 60_000;

/** How long a quote waits for its money, and how long after that for an entry that tells of money in time. */
export function fundingTimes(kind: ConnectionKind, funding: FundingSettings) {
  const { windowMinutes, graceMinutes } = { ...TIMES[kind], ...funding };
  return { windowMs: windowMinutes * MINUTE_MS, graceMs: graceMinutes * MINUTE_MS };
}

/** The number under which payers reach the account. */
const REACHED_BY = ["iban", "otherId", "accountNumber"] as const;

/**
 * Refuses, in this order: the mode CONNECTOR of a connection without a connector, the mode REFERENCE without an account number, a
 * window that no rate source of the platform permits.
 */
export function refuseFunding(
  { kind, account, funding }: Pick<RailConnection, "kind" | "account" | "funding">,
  sources: readonly RateSource[],
): void {
  if (funding.mode === "CONNECTOR" && kind !== "HTTP") {
    throw invalidField("funding.mode", `is CONNECTOR, and a ${kind} connection has no connector`);
  }
  if (funding.mode === "REFERENCE" && !isReachable(account)) {
    const message = `needs one of account.${REACHED_BY.join(", account.")}, to which payers send the money`;
    throw invalidField("funding.mode", message);
  }
  const { windowMinutes } = funding;
  const longest = Math.max(...sources.map(({ lockMinutes }) => lockMinutes));
  if (windowMinutes !== undefined && sources.length > 0 && windowMinutes > longest) {
    throw invalidField(
      "funding.windowMinutes",
      `must not be above ${longest}, the longest lockMinutes of the platform's rate sources`,
    );
  }
}

function isReachable(account: JsonObject): boolean {
  return REACHED_BY.some((name) => typeof account[name] === "string");
}

/** Funding at a connection: how a credit is matched to its payee, and what happens to money for quotes. */
import { invalidField } from "../../../engine/refusal.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { RateSource } from "../../prices/rate-sources/rate-source.ts";
import type { ConnectionKind, RailConnection } from "./rail-connection.ts";

/**
 *   REFERENCE         payers pay to our account there and quote a reference
 *   VIRTUAL_ACCOUNTS  each payee has an account number of its own, from a pool
 *   CONNECTOR         the connector gives the payment instructions
 *   NONE              payers are not shown the connection
 */
export const fundingModes = ["REFERENCE", "VIRTUAL_ACCOUNTS", "CONNECTOR", "NONE"] as const;
export type FundingMode = (typeof fundingModes)[number];

export const lateModes = ["SUSPENSE", "RETURN"] as const;
export type LateMode = (typeof lateModes)[number];

export type FundingSettings = {
  readonly mode: FundingMode;
  /** Whether several credits may add up to what a quote needs. */
  readonly collectParts?: boolean;
  /** What happens to money that came too late for its quote. */
  readonly onLate?: LateMode;
  readonly windowMinutes?: number;
  readonly graceMinutes?: number;
};

export const NO_FUNDING: FundingSettings = { mode: "NONE" };

export const MOST_WINDOW_MINUTES = 4_320;
export const MOST_GRACE_MINUTES = 10_080;

/** The default times: people type entries in a day later, a connector reports them at once. */
const TIMES: Readonly<
  Record<ConnectionKind, { readonly windowMinutes: number; readonly graceMinutes: number }>
> = {
  HTTP: { windowMinutes: 15, graceMinutes: 0 },
  MANUAL: { windowMinutes: 1_440, graceMinutes: 2_880 },
  SANDBOX: { windowMinutes: 15, graceMinutes: 0 },
};

const MINUTE_MS = 60_000;

/** How long a quote waits for its money, and how much longer for an entry that reports money paid in time. */
export function fundingTimes(kind: ConnectionKind, funding: FundingSettings) {
  const { windowMinutes, graceMinutes } = { ...TIMES[kind], ...funding };
  return { windowMs: windowMinutes * MINUTE_MS, graceMs: graceMinutes * MINUTE_MS };
}

/** The account numbers to which payers can send money. */
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

/** The overview of a platform, which only the console reads. */
import type { DeskSummary } from "./desk-operations.ts";

export const PERIODS = ["24h", "7d", "30d", "90d"] as const;
export type Period = (typeof PERIODS)[number];

/** An amount in the smallest unit, as decimal digits. */
type Minor = string;

interface Holdings {
  readonly available: Minor;
  readonly held: Minor;
}

export interface CurrencyBalance {
  readonly currency: string;
  readonly customers: Holdings;
  readonly platform: Holdings;
}

export interface Flow {
  readonly payments: number;
  readonly amount: Minor;
}

export interface Flows {
  readonly incoming: Flow;
  readonly outgoing: Flow;
}

export interface VolumeBar extends Flows {
  readonly startsAt: string;
}

export interface Volume {
  /** Ordered by frequency, the most frequent first. */
  readonly currencies: readonly string[];
  readonly currency?: string;
  readonly bars: readonly VolumeBar[];
  /** The sums of the previous period. */
  readonly before: Flows;
}

export interface Success {
  readonly completed: number;
  readonly failed: number;
  readonly groups: readonly {
    readonly type: "INCOMING" | "OUTGOING";
    readonly rail?: string;
    readonly completed: number;
    readonly failed: number;
    readonly cancelled: number;
  }[];
  readonly reasons: readonly { readonly code: string; readonly payments: number }[];
}

export interface WaitingLine {
  readonly kind: string;
  /** The count stops at 100, which means 100 or more. */
  readonly count: number;
  readonly oldestAt?: string;
  readonly endsAt?: string;
}

export interface Overview {
  /** The last event that the sums contain. `lastSequence` is the platform's last event. */
  readonly asOfSequence: number;
  readonly lastSequence: number;
  readonly balances: readonly CurrencyBalance[];
  readonly volume: Volume;
  readonly success: Success;
  readonly waiting: readonly WaitingLine[];
  /** Absent without a rail connection, or for a person who may not read rails. */
  readonly desk?: DeskSummary;
}

export interface OverviewOperations {
  readonly getOverview: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["overview"];
      readonly query: { readonly period: Period; readonly currency?: string };
    };
    readonly answer: Overview;
  };
}

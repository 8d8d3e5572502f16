/** The overview of a platform, which the console alone has. */
export const PERIODS = ["24h", "7d", "30d", "90d"] as const;
export type Period = (typeof PERIODS)[number];

/** In the smallest unit, in digits. */
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
  /** The most frequent one first. */
  readonly currencies: readonly string[];
  readonly currency?: string;
  readonly bars: readonly VolumeBar[];
  /** Of the period before. */
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
  /** 100 stands for as many and more. */
  readonly count: number;
  readonly oldestAt?: string;
  readonly endsAt?: string;
}

export interface Overview {
  /** The last event that the sums contain, and the last one of the platform. */
  readonly asOfSequence: number;
  readonly lastSequence: number;
  readonly balances: readonly CurrencyBalance[];
  readonly volume: Volume;
  readonly success: Success;
  readonly waiting: readonly WaitingLine[];
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

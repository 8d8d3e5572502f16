/** The console's own operations of the desk, which works off queues, suspense and reconciliation. */
import type { Operations, Page, RailEntry, RailItem, RailPayment } from "@florin/client";

type Operation<C, A> = { readonly call: C; readonly answer: A };
type DeskCall<M extends string, Rest extends readonly string[]> = {
  readonly method: M;
  readonly path: readonly ["rails", "desk", ...Rest];
};

export interface WorkedBy {
  readonly id: string;
  readonly name: string;
  readonly until: string;
}

export interface DeskConnection {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  /** Counted up to a limit of the server. */
  readonly queued: number;
  readonly oldestQueuedAt?: string;
  readonly items: number;
  readonly oldestItemAt?: string;
  readonly cutOffAt?: string;
  readonly lastCutOffAt?: string;
  readonly breaks: number;
}

export interface Desk {
  readonly connections: readonly DeskConnection[];
  readonly leases: readonly { readonly paymentId: string; readonly workedBy: WorkedBy }[];
}

export interface BankDetail {
  readonly field: string;
  readonly value: string;
}

/** What became of the mark of one order. */
export interface MarkedOrder {
  readonly paymentId: string;
  readonly result: "MARKED" | "WAITING" | "REFUSED";
  readonly payment?: RailPayment;
  readonly markId?: string;
  readonly expiresAt?: string;
  readonly code?: string;
  readonly message?: string;
}

/** What the money of an item may be for. */
export interface Suggestion {
  readonly kind: "ACCOUNT" | "QUOTE" | "PAYMENT";
  readonly accountId?: string;
  readonly quoteId?: string;
  readonly paymentId?: string;
  readonly outcome?: string;
  readonly customerName?: string;
  readonly platformCustomerId?: string;
  readonly reference?: string;
  readonly reasons: readonly {
    readonly reason: string;
    readonly reference?: string;
    readonly count?: number;
  }[];
}

export interface DeskItem {
  readonly item: RailItem;
  readonly entry?: RailEntry;
  readonly suggestions: readonly Suggestion[];
  readonly resolvedBy?: string;
}

export interface DeskAccount {
  readonly accountId: string;
  readonly currency: string;
  readonly customerName?: string;
  readonly platformCustomerId?: string;
}

interface LedgerAmount {
  readonly amount: string;
  readonly currency: string;
}

export interface ReconciledDay {
  readonly day: string;
  readonly state: "GREEN" | "RED" | "CARRIED" | "NONE";
  readonly closing?: LedgerAmount;
  readonly unexplained?: LedgerAmount;
  /** What of it began on this day. */
  readonly begun?: LedgerAmount;
  readonly items: number;
  readonly untold: number;
}

export interface DailyBook {
  readonly connectionId: string;
  readonly connectionName: string;
  readonly currency: string;
  readonly days: readonly ReconciledDay[];
}

export interface DailyBooks {
  readonly days: readonly string[];
  readonly books: readonly DailyBook[];
}

export interface DayBreaks {
  readonly daily?: ReconciledDay;
  readonly explanations: readonly {
    readonly kind: string;
    readonly entry?: RailEntry;
    readonly payment?: RailPayment;
  }[];
  readonly items: readonly { readonly item: RailItem; readonly entry: RailEntry }[];
  readonly untold: readonly RailPayment[];
}

export interface DeskSummary {
  readonly queued: number;
  readonly oldestQueuedAt?: string;
  readonly missed: number;
  readonly items: number;
  readonly oldestItemAt?: string;
  readonly breaks: number;
  readonly cutOffs: readonly {
    readonly connectionId: string;
    readonly connectionName: string;
    readonly at: string;
    readonly queued: number;
  }[];
}

export interface DeskOperations {
  readonly getDailyReconciliation: Operation<
    DeskCall<"GET", ["reconciliation"]> & {
      readonly query?: { readonly to?: string; readonly days?: number };
    },
    DailyBooks
  >;
  readonly getDayBreaks: Operation<
    DeskCall<"GET", ["breaks"]> & {
      readonly query: {
        readonly connectionId: string;
        readonly currency: string;
        readonly day: string;
      };
    },
    DayBreaks
  >;
  readonly listDeskItems: Operation<
    DeskCall<"GET", ["items"]> & {
      readonly isList?: true;
      readonly query?: {
        readonly connectionId?: string;
        readonly state?: string;
        readonly order?: string;
        readonly limit?: number;
        readonly cursor?: string;
      };
    },
    Page<DeskItem>
  >;
  readonly getDeskItem: Operation<DeskCall<"GET", ["items", string]>, DeskItem>;
  readonly listDeskAccounts: Operation<
    DeskCall<"GET", ["accounts"]> & {
      readonly query: { readonly currency: string; readonly q: string };
    },
    { readonly data: readonly DeskAccount[] }
  >;
  readonly getRailDesk: Operation<DeskCall<"GET", []>, Desk>;
  readonly markDeskOrders: Operation<
    DeskCall<"POST", ["marks"]> & {
      readonly body: {
        readonly paymentIds: readonly string[];
      } & Operations["markRailPayment"]["call"]["body"];
    },
    { readonly data: readonly MarkedOrder[] }
  >;
  readonly leaseDeskOrders: Operation<
    DeskCall<"POST", ["leases"]> & {
      readonly body: { readonly paymentIds: readonly string[]; readonly isRelease?: boolean };
    },
    { readonly data: readonly { readonly paymentId: string; readonly workedBy?: WorkedBy }[] }
  >;
  readonly revealDeskOrder: Operation<
    DeskCall<"GET", ["orders", string, "bank-details"]>,
    { readonly lines: readonly BankDetail[] }
  >;
}

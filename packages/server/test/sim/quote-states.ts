/** The state machine of a quote and its payment, with the events of each state. */

type Refunding = "mispaid" | "declined" | "uncreditable" | "returned" | "called off";

export type QuoteState =
  | "waiting"
  | "expired"
  | "paying"
  | "arrived"
  | Refunding
  | `${Refunding}, repaid`
  | `${Refunding}, stuck`;

/** The known facts: expiry, and the rail's answers about payout and refund. */
export interface QuoteNews {
  readonly isTimeOver: boolean;
  readonly payout: ReadonlySet<string>;
  readonly refund: ReadonlySet<string>;
}

interface StateFacts {
  /** Status of the quote, of its transaction and of the refund. */
  readonly rows: string;
  readonly story: string;
  /** `home`: with the payer, or refunded; `aside`: held; `gone`: paid out. */
  readonly money: "home" | "aside" | "gone";
  readonly job?: "expire-quote" | "pay-quote" | "refund-quote";
  readonly failureReason?: string;
}

const BEGUN = "PENDING PROCESSING";
const ARRIVED = `${BEGUN} COMPLETED`;
const payoutFailed = { failureReason: "COUNTERPARTY_POST_TX_FAILED" } as const;
const mispaid = { failureReason: "FUNDING_AMOUNT_MISMATCH" } as const;

/** A refund for one reason, with its three stages. */
function refunds<Name extends Refunding>(
  name: Name,
  { pending, failed, completed, before, after = "", ...more }: RefundFacts,
): Readonly<Record<Name | `${Name}, repaid` | `${Name}, stuck`, StateFacts>> {
  const events = `${before} REFUND_PENDING`;
  const all: Readonly<Record<string, StateFacts>> = {
    [name]: {
      ...more,
      rows: `${pending} PENDING`,
      story: events,
      money: "aside",
      job: "refund-quote",
    },
    [`${name}, repaid`]: {
      ...more,
      rows: `${completed} COMPLETED`,
      story: `${events} REFUND_COMPLETED${after}`,
      money: "home",
    },
    [`${name}, stuck`]: {
      ...more,
      rows: `${failed} FAILED`,
      story: `${events} REFUND_FAILED`,
      money: "aside",
    },
  };
  return all as Readonly<Record<Name | `${Name}, repaid` | `${Name}, stuck`, StateFacts>>;
}

interface RefundFacts {
  readonly before: string;
  readonly pending: string;
  readonly failed: string;
  readonly completed: string;
  readonly after?: string;
  readonly failureReason?: string;
}

const both = (rows: string) => ({ pending: rows, failed: rows, completed: rows });

const STATES: Readonly<Record<QuoteState, StateFacts>> = {
  waiting: { rows: "PENDING PENDING -", story: "PENDING", money: "home", job: "expire-quote" },
  expired: {
    rows: "EXPIRED EXPIRED -",
    story: "PENDING EXPIRED",
    money: "home",
    failureReason: "QUOTE_EXPIRED",
  },
  paying: { rows: "PROCESSING PROCESSING -", story: BEGUN, money: "aside", job: "pay-quote" },
  arrived: { rows: "COMPLETED COMPLETED -", story: ARRIVED, money: "gone" },
  ...refunds("mispaid", { ...both("FAILED FAILED"), before: "PENDING FAILED", ...mispaid }),
  ...refunds("declined", { ...both("FAILED FAILED"), before: `${BEGUN} FAILED`, ...payoutFailed }),
  ...refunds("uncreditable", {
    ...both("FAILED FAILED"),
    before: `${BEGUN} FAILED`,
    failureReason: "QUOTE_EXECUTION_FAILED",
  }),
  ...refunds("returned", {
    ...both("COMPLETED FAILED"),
    before: `${ARRIVED} FAILED`,
    ...payoutFailed,
  }),
  ...refunds("called off", {
    ...both("PROCESSING PROCESSING"),
    completed: "COMPLETED COMPLETED",
    before: BEGUN,
    after: " COMPLETED",
  }),
};

export function factsOf(state: QuoteState): StateFacts {
  return STATES[state];
}

type Way = readonly [to: QuoteState, when: (news: QuoteNews) => boolean];

const repaidOrStuck = <Name extends Refunding>(name: Name): readonly Way[] => [
  [`${name}, repaid`, ({ refund }) => refund.has("settled")],
  [`${name}, stuck`, ({ refund }) => refund.has("declined")],
];

/** Transitions without an order. */
const WAYS: Partial<Record<QuoteState, readonly Way[]>> = {
  waiting: [["expired", ({ isTimeOver }) => isTimeOver]],
  paying: [
    ["arrived", ({ payout }) => payout.has("settled") || payout.has("returned")],
    ["declined", ({ payout }) => payout.has("declined")],
    ["uncreditable", ({ payout }) => payout.has("uncreditable")],
    ["called off", ({ payout }) => payout.has("cancelled")],
  ],
  arrived: [["returned", ({ payout }) => payout.has("returned")]],
  mispaid: repaidOrStuck("mispaid"),
  declined: repaidOrStuck("declined"),
  uncreditable: repaidOrStuck("uncreditable"),
  returned: repaidOrStuck("returned"),
  "called off": repaidOrStuck("called off"),
};

/** The state itself and all states that are reachable with these facts. */
export function reachable(from: QuoteState, news: QuoteNews): readonly QuoteState[] {
  const ways = (WAYS[from] ?? []).filter(([, when]) => when(news));
  return [from, ...ways.flatMap(([to]) => reachable(to, news))];
}

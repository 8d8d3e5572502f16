/** Decides which data of a page a notice of the live stream makes stale. */
export interface Notice {
  readonly seq: number;
  readonly kind: string;
  readonly id: string;
  readonly status: string;
}

/** The objects that have changed; undefined when notices were missed and anything may have. */
export type Change = readonly Notice[] | undefined;

const BALANCES = [
  "customers/internal-accounts",
  "platform/internal-accounts",
  "internal-accounts",
  "ledger",
];

/** Paths whose answers contain objects of this kind, or sums of them. A kind that is not listed may affect every path. */
const READ_BELOW: Readonly<Record<string, readonly string[]>> = {
  Transaction: ["transactions", "quotes", "agents", "rails", "uma/payments", ...BALANCES],
  InternalAccount: BALANCES,
  Hold: ["holds", ...BALANCES],
  Customer: ["customers"],
  Verification: ["verifications", "customers"],
  BulkJob: ["customers"],
  Invitation: ["invitations"],
  UmaDomain: ["uma/domains"],
  UmaKey: ["uma/keys"],
  UmaCounterparty: ["uma/counterparties", "uma-providers"],
  AgentAction: ["agents", "workspace/approvals"],
  WebhookEndpoint: ["webhook-endpoints"],
  RailConnection: ["rails"],
  RailPayment: ["rails"],
  RailItem: ["rails", "ledger"],
  RailStatement: ["rails"],
  RateSource: ["exchange-rates"],
  Approval: ["workspace/approvals", "approvals", "adjustments", "tokens", "workspace/people"],
  Adjustment: ["adjustments", ...BALANCES],
  Checkpoint: ["audit-entries"],
};

/** Paths that show every event, so each event makes them stale. */
const OF_EVERY_EVENT = ["overview", "events", "webhook-deliveries"];

/** Whether the data read at this path may have changed. */
export function concerns(path: readonly string[], change: Change): boolean {
  if (change === undefined) return true;
  const joined = path.join("/");
  return change.some(({ kind, id }) => {
    const isOfAnother = path.some((part) => part.startsWith(`${kind}:`)) && !path.includes(id);
    if (isOfAnother) return false;
    const below = READ_BELOW[kind];
    if (below === undefined || path.includes(id)) return true;
    return [...OF_EVERY_EVENT, ...below].some(
      (place) => joined === place || joined.startsWith(`${place}/`),
    );
  });
}

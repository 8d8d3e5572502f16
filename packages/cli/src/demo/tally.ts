/** What a demo has made, for people or as JSON. */
export interface Tally {
  readonly from: string;
  readonly to: string;
  readonly customers: number;
  readonly externalAccounts: number;
  readonly connections: number;
  readonly agents: number;
  readonly payments: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly refunds: number;
  readonly marked: number;
  readonly queued: number;
  readonly unexplained: number;
  readonly approvals: number;
  readonly frozen: number;
  readonly endpoints: number;
  readonly umaPayments: number;
  /** How often the API refused a payment or a mark, by code. */
  readonly refused: Readonly<Record<string, number>>;
  readonly seconds: number;
}

const KINDS: Readonly<Record<string, string>> = {
  payout: "payouts",
  quote: "quotes in another currency",
  collection: "collections",
  transfer: "transfers between customers",
  agent: "payments of agents",
  desk: "payouts that people carry out",
  "open-quote": "quotes that were not accepted",
};

const counted = (value: number) => value.toLocaleString("en-US");

export function tellTally(tally: Tally, isJson: boolean): string {
  if (isJson) return `${JSON.stringify(tally)}\n`;
  const rows: (readonly [number, string])[] = [
    [tally.customers, "customers"],
    [tally.externalAccounts, "external accounts"],
    [tally.connections, "rail connections"],
    [tally.agents, "agents"],
    [tally.payments, "payments asked for"],
    ...Object.entries(tally.byKind).map(
      ([kind, count]) => [count, `  ${KINDS[kind] ?? kind}`] as const,
    ),
    [tally.refunds, "refunds"],
    [tally.marked, "payments marked by people at the bank"],
    ...Object.entries(tally.refused).map(([code, count]) => [count, `refused: ${code}`] as const),
    [tally.queued, "payouts that wait for the bank"],
    [tally.unexplained, "bank entries that nothing explains"],
    [tally.approvals, "orders that wait for an approval"],
    [tally.frozen, "frozen customers"],
    [tally.umaPayments, "incoming UMA payments"],
    [tally.endpoints, "endpoints that do not take every event"],
  ];
  const lines = rows.map(([count, what]) => `${counted(count).padStart(8)}  ${what}\n`);
  const span = `from ${tally.from.slice(0, 10)} to ${tally.to.slice(0, 10)}, in ${tally.seconds} s\n`;
  return `${lines.join("")}${span}`;
}

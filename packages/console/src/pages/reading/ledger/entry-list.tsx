import type { Call } from "../../../api/operations.ts";
import type { ListSpec } from "../../../list/list-spec.ts";
import { wordOf } from "../../../text/messages.ts";
import { IdLink } from "../../../ui/place-link.tsx";
import { Amount, Missing, Time } from "../../../ui/values.tsx";

/** Entries of one ledger account, with the balance after each. A row links to the posting with all legs. */
export function entryList(accountId: string): ListSpec<"listLedgerEntries"> {
  return {
    name: "entries",
    title: "ledger.entries",
    call: (query) =>
      ({
        method: "GET",
        path: ["ledger", "accounts", accountId, "entries"],
        query,
      }) as Call<"listLedgerEntries">,
    rowId: ({ version }) => String(version),
    place: ({ posting }) => `postings/${posting}`,
    columns: [
      {
        id: "amount",
        title: "column.amount",
        isEnd: true,
        cell: ({ amount }) => <Amount amount={amount} isStrong />,
      },
      {
        id: "reason",
        title: "column.reason",
        cell: ({ reason }) => <span className="font-mono text-code">{reason}</span>,
      },
      {
        id: "after",
        title: "ledger.after",
        isEnd: true,
        cell: ({ balanceAfter }) => <Amount amount={balanceAfter} />,
      },
      { id: "time", title: "column.time", isEnd: true, cell: ({ at }) => <Time at={at} /> },
      {
        id: "payment",
        title: "kind.Transaction",
        cell: ({ transactionId }) =>
          transactionId === undefined ? <Missing /> : <IdLink id={transactionId} />,
      },
      {
        id: "version",
        title: "ledger.version",
        isEnd: true,
        cell: ({ version }) => <span className="tabular-nums">{version}</span>,
      },
    ],
    filters: [
      { name: "reason", label: "column.reason", kind: "text", placeholder: "transfer.hold" },
      { name: "since", label: "column.time", kind: "period" },
    ],
    card: (row) => ({
      lead: <Amount amount={row.amount} isStrong />,
      under: wordOf("posting", row.reason),
      end: <Amount amount={row.balanceAfter} />,
      endUnder: <Time at={row.at} />,
    }),
    empty: "ledger.noEntry",
    curl: `/ledger/accounts/${accountId}/entries`,
  };
}

import type { Call } from "../../../api/operations.ts";
import type { ListSpec } from "../../../list/list-spec.ts";
import { wordOf } from "../../../text/messages.ts";
import { IdLink, IdText } from "../../../ui/place-link.tsx";
import { Amount, Missing, Time } from "../../../ui/values.tsx";

export const ledgerList: ListSpec<"listLedgerAccounts"> = {
  name: "ledger",
  title: "ledger.title",
  call: (query) =>
    ({ method: "GET", path: ["ledger", "accounts"], query }) as Call<"listLedgerAccounts">,
  rowId: ({ id }) => id,
  place: ({ id }) => `ledger/${id}`,
  columns: [
    {
      id: "balance",
      title: "column.balance",
      isEnd: true,
      cell: ({ balance }) => <Amount amount={balance} isStrong />,
    },
    { id: "kind", title: "ledger.kind", cell: ({ kind }) => wordOf("ledgerKind", kind) },
    {
      id: "held",
      title: "accounts.held",
      isEnd: true,
      cell: ({ held }) => <Amount amount={held} />,
    },
    {
      id: "account",
      title: "column.account",
      cell: ({ internalAccountId, connectionId }) => {
        const owner = internalAccountId ?? connectionId;
        return owner === undefined ? <Missing /> : <IdLink id={owner} />;
      },
    },
    {
      id: "entries",
      title: "ledger.entries",
      isEnd: true,
      cell: ({ version }) => <span className="tabular-nums">{version}</span>,
    },
    { id: "id", title: "column.id", isExtra: true, cell: ({ id }) => <IdText id={id} /> },
    {
      id: "updated",
      title: "column.updated",
      isEnd: true,
      cell: ({ updatedAt }) => <Time at={updatedAt} />,
    },
  ],
  filters: [
    {
      name: "kind",
      label: "ledger.kind",
      kind: "choice",
      choices: [
        "internal",
        "in-flight",
        "paid-in",
        "rail-clearing",
        "clearing",
        "suspense",
        "own-funds",
        "uma-clearing",
        "uma-transit",
        "sandbox-funding",
        "fx",
        "fees",
        "rounding",
      ].map((value) => ({ value, label: wordOf("ledgerKind", value) })),
    },
    { name: "currency", label: "column.currency", kind: "text", placeholder: "USD" },
    { name: "customerId", label: "column.customer", kind: "text", placeholder: "Customer:" },
  ],
  card: (row) => ({
    lead: <Amount amount={row.balance} isStrong />,
    under: wordOf("ledgerKind", row.kind),
    endUnder: <Time at={row.updatedAt} />,
  }),
  empty: "ledger.empty",
  curl: "/ledger/accounts",
};

import type { Call, Item } from "../../../api/operations.ts";
import type { ListSpec } from "../../../list/list-spec.ts";
import { wordOf } from "../../../text/messages.ts";
import { IdLink, IdText, ObjectName } from "../../../ui/place-link.tsx";
import { Amount, Missing, Time } from "../../../ui/values.tsx";

/** The internal account or the rail connection whose books the account keeps. */
function ownerOf({ internalAccountId, connectionId }: Item<"listLedgerAccounts">) {
  return internalAccountId ?? connectionId;
}

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
    {
      id: "held",
      title: "accounts.held",
      isEnd: true,
      cell: ({ held }) => <Amount amount={held} />,
    },
    {
      id: "account",
      title: "column.account",
      cell: (row) => {
        const owner = ownerOf(row);
        return owner === undefined ? <Missing /> : <IdLink id={owner} />;
      },
    },
    { id: "kind", title: "ledger.kind", cell: ({ kind }) => wordOf("ledgerKind", kind) },
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
  card: (row) => {
    const owner = ownerOf(row);
    const kind = wordOf("ledgerKind", row.kind);
    return {
      lead: <Amount amount={row.balance} isStrong />,
      under: owner === undefined ? kind : <ObjectName id={owner} />,
      end: owner === undefined ? undefined : <span className="text-caption">{kind}</span>,
      endUnder: <Time at={row.updatedAt} />,
    };
  },
  empty: "ledger.empty",
  curl: "/ledger/accounts",
};

import type { Call, Item } from "../../../api/operations.ts";
import { ListPage } from "../../../detail/list-page.tsx";
import type { ListSpec } from "../../../list/list-spec.ts";
import { t } from "../../../text/messages.ts";
import { IdLink, ObjectName } from "../../../ui/place-link.tsx";
import { Amount, Missing, Time } from "../../../ui/values.tsx";
import { ExportButton } from "../exports/export-button.tsx";

function Moved({ posting: { legs } }: { readonly posting: Item<"listPostings"> }) {
  const credit = legs.find(({ amount }) => !amount.amount.startsWith("-"));
  return credit === undefined ? <Missing /> : <Amount amount={credit.amount} isStrong />;
}

const spec: ListSpec<"listPostings"> = {
  name: "postings",
  title: "postings.title",
  call: (query) => ({ method: "GET", path: ["ledger", "postings"], query }) as Call<"listPostings">,
  rowId: ({ id }) => id,
  place: ({ id }) => `postings/${id}`,
  columns: [
    {
      id: "reason",
      title: "column.reason",
      cell: ({ reason }) => <span className="font-mono text-code">{reason}</span>,
    },
    {
      id: "moved",
      title: "postings.moved",
      isEnd: true,
      cell: (row) => <Moved posting={row} />,
    },
    {
      id: "legs",
      title: "postings.legs",
      isEnd: true,
      cell: ({ legs }) => <span className="tabular-nums">{legs.length}</span>,
    },
    {
      id: "payment",
      title: "kind.Transaction",
      cell: ({ transactionId }) =>
        transactionId === undefined ? <Missing /> : <IdLink id={transactionId} />,
    },
    {
      id: "command",
      title: "ledger.command",
      isEnd: true,
      cell: ({ id }) => <span className="font-mono text-code text-soft">{id}</span>,
    },
    { id: "time", title: "column.time", isEnd: true, cell: ({ at }) => <Time at={at} /> },
  ],
  filters: [
    { name: "reason", label: "column.reason", kind: "text", placeholder: "transfer.hold" },
    { name: "accountId", label: "column.account", kind: "text", placeholder: "LedgerAccount:" },
    {
      name: "transactionId",
      label: "kind.Transaction",
      kind: "text",
      placeholder: "Transaction:",
    },
    { name: "since", label: "column.time", kind: "period" },
  ],
  card: (row) => ({
    lead: <Moved posting={row} />,
    under:
      row.transactionId === undefined ? (
        t("postings.legCount", { count: row.legs.length })
      ) : (
        <ObjectName id={row.transactionId} />
      ),
    end: <span className="font-mono text-code">{row.reason}</span>,
    endUnder: <Time at={row.at} />,
  }),
  empty: "postings.empty",
  curl: "/ledger/postings",
};

export function PostingsPage() {
  return (
    <ListPage spec={spec} place="postings" tools={<ExportButton kind="LEDGER" list={spec} />} />
  );
}

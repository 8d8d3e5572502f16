/** Debts of holders whose collected payment was taken back after they had spent its money. */
import type { RailReceivable } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import type { Call } from "../../api/operations.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { Facts } from "../../detail/facts.tsx";
import { ListPage } from "../../detail/list-page.tsx";
import type { ListSpec } from "../../list/list-spec.ts";
import { t } from "../../text/messages.ts";
import { amountLine } from "../../text/money.ts";
import { PartyName, partyName } from "../../ui/party.tsx";
import { StatePill } from "../../ui/pill.tsx";
import { IdLink } from "../../ui/place-link.tsx";
import { Amount, OutsideText, OutsideWord, Time } from "../../ui/values.tsx";
import { RailTabs } from "./rail-tabs.tsx";
import { waitingNote } from "./waiting.tsx";

const spec: ListSpec<"listReceivables"> = {
  name: "receivables",
  title: "rails.receivables",
  call: (query) =>
    ({
      method: "GET",
      path: ["rails", "receivables"],
      query: { ...query, expand: "parties" },
    }) as Call<"listReceivables">,
  rowId: ({ id }) => id,
  place: ({ id }) => `rail-receivables/${id}`,
  columns: [
    {
      id: "open",
      title: "rails.owed",
      isEnd: true,
      cell: ({ open }) => <Amount amount={open} isStrong />,
    },
    { id: "state", title: "column.status", cell: ({ state }) => <StatePill state={state} /> },
    {
      id: "of",
      title: "rails.takenBack",
      isEnd: true,
      cell: ({ amount }) => <Amount amount={amount} />,
    },
    {
      id: "account",
      title: "column.account",
      cell: ({ parties }) => <PartyName party={parties?.from} />,
    },
    {
      id: "payment",
      title: "kind.Transaction",
      cell: ({ transactionId }) => <IdLink id={transactionId} />,
    },
    {
      id: "created",
      title: "column.created",
      isEnd: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ],
  tabs: [
    { id: "open", title: "tab.open", query: { state: "OPEN" } },
    { id: "collected", title: "tab.collected", query: { state: "COLLECTED" } },
    { id: "writtenOff", title: "tab.writtenOff", query: { state: "WRITTEN_OFF" } },
    { id: "all", title: "tab.all", query: {} },
  ],
  filters: [
    { name: "customerId", label: "column.customer", kind: "text", placeholder: "Customer:" },
    {
      name: "internalAccountId",
      label: "column.account",
      kind: "text",
      placeholder: "InternalAccount:",
    },
  ],
  card: (row) => ({
    lead: <Amount amount={row.open} isStrong />,
    under: <OutsideWord text={partyName(row.parties?.from)} />,
    end: <StatePill state={row.state} />,
    endUnder: <Time at={row.createdAt} />,
  }),
  empty: "rails.emptyReceivables",
  curl: "/rails/receivables",
};

export function ReceivablesPage() {
  return <ListPage spec={spec} place="rail-receivables" above={<RailTabs />} />;
}

export function ReceivableDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getReceivable">({ method: "GET", path: ["rails", "receivables", id] });
  return (
    <DetailOf reading={reading}>
      {(receivable) => (
        <Detail
          kind={t("kind.RailReceivable")}
          isAmount
          lead={<Amount amount={receivable.open} />}
          under={t("rails.owedOf", { whole: amountLine(receivable.amount) })}
          state={<StatePill state={receivable.state} />}
          id={receivable.id}
          acts={<Acts receivable={receivable} />}
          json={receivable}
          path={`/rails/receivables/${receivable.id}`}
          tabs={[
            {
              id: "overview",
              title: t("detail.overview"),
              content: <Overview receivable={receivable} />,
            },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ receivable }: { readonly receivable: RailReceivable }) {
  const { customerId, note, decidedBy } = receivable;
  return (
    <Facts
      facts={[
        [t("rails.takenBack"), <Amount key="amount" amount={receivable.amount} />],
        [t("rails.collected"), <Amount key="collected" amount={receivable.collected} />],
        [t("rails.writtenOff"), <Amount key="written" amount={receivable.writtenOff} />],
        [t("rails.owed"), <Amount key="open" amount={receivable.open} isStrong />],
        customerId !== undefined && [
          t("column.customer"),
          <IdLink key="customer" id={customerId} />,
        ],
        [t("column.account"), <IdLink key="account" id={receivable.internalAccountId} />],
        [t("kind.Transaction"), <IdLink key="payment" id={receivable.transactionId} />],
        [t("kind.RailPayment"), <IdLink key="order" id={receivable.paymentId} />],
        [t("kind.RailConnection"), <IdLink key="connection" id={receivable.connectionId} />],
        note !== undefined && [t("form.note"), <OutsideText key="note" text={note} />],
        decidedBy !== undefined && [t("rails.decidedBy"), decidedBy],
        [t("column.created"), <Time key="created" at={receivable.createdAt} isExact />],
        [t("column.updated"), <Time key="updated" at={receivable.updatedAt} isExact />],
      ]}
    />
  );
}

function Acts({ receivable }: { readonly receivable: RailReceivable }) {
  const may = useMay("reconciliation.write");
  if (receivable.state !== "OPEN" || !may) return undefined;
  return (
    <>
      <ActButton spec={collect(receivable)} weight="primary">
        {t("rails.collect")}
      </ActButton>
      <ActButton spec={writeOff(receivable)} weight="danger">
        {t("rails.writeOff")}
      </ActButton>
    </>
  );
}

function collect({ id }: RailReceivable): ActSpec<"collectReceivable"> {
  return {
    title: t("rails.collect"),
    verb: t("rails.collect"),
    intro: t("rails.collectIntro"),
    fields: [],
    toCall: () => ({ method: "POST", path: ["rails", "receivables", id, "collect"] }),
    after: waitingNote,
  };
}

function writeOff({ id, open }: RailReceivable): ActSpec<"writeReceivableOff"> {
  return {
    title: t("rails.writeOff"),
    verb: t("rails.writeOff"),
    intro: t("rails.writeOffIntro", { whole: amountLine(open) }),
    isDanger: true,
    typedName: amountLine(open),
    fields: [{ name: "note", label: "form.note", kind: "long" }],
    toCall: ({ note = "" }) => ({
      method: "POST",
      path: ["rails", "receivables", id, "write-off"],
      body: { note },
    }),
    after: waitingNote,
  };
}

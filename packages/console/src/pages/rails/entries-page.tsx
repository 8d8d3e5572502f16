/** Statement lines of external bank accounts, from a connector or entered by a person, with their bookings. */
import type { RailEntry } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import type { Call } from "../../api/operations.ts";
import { useRead } from "../../api/platform.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { Facts } from "../../detail/facts.tsx";
import { ListPage } from "../../detail/list-page.tsx";
import type { ListSpec } from "../../list/list-spec.ts";
import { t, wordOf } from "../../text/messages.ts";
import { stateChoices } from "../../ui/choices.ts";
import { Pill } from "../../ui/pill.tsx";
import { IdLink } from "../../ui/place-link.tsx";
import { Amount, Day, Missing, OutsideText, OutsideWord, Time } from "../../ui/values.tsx";
import { RailTabs } from "./rail-tabs.tsx";

const TONES = {
  PAYMENT: "good",
  DEPOSIT: "good",
  FUNDING: "good",
  RETURN: "bad",
  SUSPENSE: "wait",
} as const;

function Booking({ entry }: { readonly entry: RailEntry }) {
  const tone =
    (TONES as Readonly<Record<string, "good" | "bad" | "wait">>)[entry.bookedAs] ?? "plain";
  return <Pill word={wordOf("booking", entry.bookedAs)} tone={tone} />;
}

function EntryAmount({
  entry,
  isStrong,
}: {
  readonly entry: RailEntry;
  readonly isStrong?: boolean;
}) {
  const sign = entry.direction === "CREDIT" ? "plus" : "minus";
  return <Amount amount={entry.amount} sign={sign} isStrong={isStrong === true} />;
}

const spec: ListSpec<"listRailEntries"> = {
  name: "entries-of-rails",
  title: "rails.entries",
  call: (query) =>
    ({ method: "GET", path: ["rails", "entries"], query }) as Call<"listRailEntries">,
  rowId: ({ id }) => id,
  place: ({ id }) => `rail-entries/${id}`,
  columns: [
    {
      id: "amount",
      title: "column.amount",
      isEnd: true,
      cell: (row) => <EntryAmount entry={row} isStrong />,
    },
    { id: "booked", title: "rails.bookedAs", cell: (row) => <Booking entry={row} /> },
    {
      id: "payer",
      title: "entry.payer",
      cell: ({ payer }) =>
        payer === undefined ? (
          <Missing />
        ) : (
          <OutsideText text={`${payer.name ?? ""} ${payer.accountMasked ?? ""}`} isLine />
        ),
    },
    {
      id: "reference",
      title: "column.reference",
      cell: ({ reference, remittance }) => {
        const text = reference ?? remittance;
        return text === undefined ? <Missing /> : <OutsideText text={text} isLine />;
      },
    },
    {
      id: "bank",
      title: "rails.bankReference",
      cell: ({ bankReference }) => (
        <span className="font-mono text-code text-soft">
          <OutsideText text={bankReference} isLine />
        </span>
      ),
    },
    {
      id: "connection",
      title: "kind.RailConnection",
      isExtra: true,
      cell: ({ connectionId }) => <IdLink id={connectionId} />,
    },
    {
      id: "on",
      title: "entry.bookedOn",
      isEnd: true,
      cell: ({ bookedOn }) => <Day on={bookedOn} />,
    },
  ],
  search: "rails.searchReference",
  filters: [
    {
      name: "direction",
      label: "entry.direction",
      kind: "choice",
      choices: stateChoices(["CREDIT", "DEBIT"], "direction"),
    },
    {
      name: "connectionId",
      label: "kind.RailConnection",
      kind: "connection",
    },
    { name: "bankReference", label: "rails.bankReference", kind: "text" },
    { name: "from", label: "column.created", kind: "period" },
  ],
  card: (row) => ({
    lead: <EntryAmount entry={row} isStrong />,
    under: (
      <OutsideWord
        text={[row.payer?.name, row.reference ?? row.remittance ?? row.bankReference]
          .filter((part) => part !== undefined)
          .join(" \u00b7 ")}
      />
    ),
    end: <Booking entry={row} />,
    endUnder: <Day on={row.bookedOn} />,
  }),
  empty: "rails.emptyEntries",
  curl: "/rails/entries",
};

export function EntriesPage() {
  return <ListPage spec={spec} place="rail-entries" above={<RailTabs />} />;
}

export function EntryDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getRailEntry">({ method: "GET", path: ["rails", "entries", id] });
  return (
    <DetailOf reading={reading}>
      {(entry) => (
        <Detail
          kind={t("kind.RailEntry")}
          isAmount
          lead={<EntryAmount entry={entry} />}
          state={<Booking entry={entry} />}
          id={entry.id}
          json={entry}
          path={`/rails/entries/${entry.id}`}
          tabs={[
            { id: "overview", title: t("detail.overview"), content: <Overview entry={entry} /> },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ entry }: { readonly entry: RailEntry }) {
  const { payer, paymentId, transactionId, bookedAt, valueDate, virtualAccount } = entry;
  const text = (name: Parameters<typeof t>[0], value: string | undefined) =>
    value !== undefined && ([t(name), <OutsideText key={name} text={value} />] as const);
  return (
    <Facts
      facts={[
        [t("kind.RailConnection"), <IdLink key="connection" id={entry.connectionId} />],
        paymentId !== undefined && [t("kind.RailPayment"), <IdLink key="order" id={paymentId} />],
        transactionId !== undefined && [
          t("kind.Transaction"),
          <IdLink key="payment" id={transactionId} />,
        ],
        payer !== undefined && [
          t("entry.payer"),
          <OutsideText key="payer" text={`${payer.name ?? ""} ${payer.accountMasked ?? ""}`} />,
        ],
        text("entry.reference", entry.reference),
        text("entry.remittance", entry.remittance),
        text("rails.bankReference", entry.bankReference),
        text("entry.virtualAccount", virtualAccount),
        [t("entry.bookedOn"), <Day key="booked" on={entry.bookedOn} />],
        bookedAt !== undefined && [t("entry.bookedAt"), <Time key="at" at={bookedAt} isExact />],
        valueDate !== undefined && [t("entry.valueDate"), valueDate],
        [t("entry.source"), wordOf("entrySource", entry.source)],
        [t("column.created"), <Time key="created" at={entry.createdAt} isExact />],
      ]}
    />
  );
}

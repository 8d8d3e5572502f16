/** Acts on connections that one person or token requested. Another one confirms or refuses them within 72 hours. */
import type { RailMark } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import type { Call } from "../../api/operations.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { type Fact, Facts, Section } from "../../detail/facts.tsx";
import { ListPage } from "../../detail/list-page.tsx";
import type { ListSpec } from "../../list/list-spec.ts";
import { t, wordOf } from "../../text/messages.ts";
import { amountLine } from "../../text/money.ts";
import { StatePill } from "../../ui/pill.tsx";
import { IdLink, IdText } from "../../ui/place-link.tsx";
import { Amount, Missing, OutsideText, Time } from "../../ui/values.tsx";
import { RailTabs } from "./rail-tabs.tsx";

const spec: ListSpec<"listRailMarks"> = {
  name: "marks",
  title: "rails.marks",
  call: (query) => ({ method: "GET", path: ["rails", "marks"], query }) as Call<"listRailMarks">,
  rowId: ({ id }) => id,
  place: ({ id }) => `rail-marks/${id}`,
  columns: [
    {
      id: "what",
      title: "rails.asked",
      cell: (row) => (
        <span className="block truncate font-medium">{wordOf("markKind", row.kind)}</span>
      ),
    },
    { id: "of", title: "rails.of", cell: (row) => <About mark={row} /> },
    { id: "state", title: "column.status", cell: ({ state }) => <StatePill state={state} /> },
    { id: "by", title: "rails.askedBy", cell: ({ requestedBy }) => <Actor name={requestedBy} /> },
    {
      id: "connection",
      title: "kind.RailConnection",
      cell: ({ connectionId }) => <IdLink id={connectionId} />,
    },
    {
      id: "expires",
      title: "column.expires",
      isEnd: true,
      cell: ({ state, expiresAt }) => (state === "WAITING" ? <Time at={expiresAt} /> : <Missing />),
    },
    {
      id: "created",
      title: "column.created",
      isEnd: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ],
  tabs: [
    { id: "waiting", title: "tab.waiting", query: { state: "WAITING" } },
    { id: "confirmed", title: "tab.confirmed", query: { state: "CONFIRMED" } },
    { id: "refused", title: "tab.refused", query: { state: "REFUSED" } },
    { id: "all", title: "tab.all", query: {} },
  ],
  filters: [
    {
      name: "connectionId",
      label: "kind.RailConnection",
      kind: "text",
      placeholder: "RailConnection:",
    },
  ],
  card: (row) => ({
    lead: <span className="font-medium text-ink">{wordOf("markKind", row.kind)}</span>,
    under: <About mark={row} />,
    end: <StatePill state={row.state} />,
    endUnder: <Time at={row.createdAt} />,
  }),
  empty: "rails.emptyMarks",
  curl: "/rails/marks",
};

export function MarksPage() {
  return <ListPage spec={spec} place="rail-marks" above={<RailTabs />} />;
}

/** Formats an actor as `token 019a…` or `person 019a…`. */
function Actor({ name }: { readonly name: string }) {
  const [kind = "", id = ""] = name.split(" ");
  return (
    <span className="flex min-w-0 gap-1 whitespace-nowrap">
      {wordOf("actor", kind)}{" "}
      <IdText id={`${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}:${id}`} />
    </span>
  );
}

/** Describes the object of the act in one line. */
function About({ mark: { request } }: { readonly mark: RailMark }) {
  const { marks, itemId, paymentId, receivableId, currency, legs } = request;
  const amount = request.amount ?? request.booked;
  const [first] = marks ?? [];
  if (marks !== undefined && marks.length > 1)
    return t("rails.manyOrders", { count: marks.length });
  const id = first?.paymentId ?? itemId ?? paymentId ?? receivableId;
  if (id !== undefined) return <IdLink id={id} />;
  if (amount !== undefined && currency !== undefined)
    return <Amount amount={{ amount: String(amount), currency }} />;
  return (legs ?? [])
    .map((leg) => amountLine({ amount: String(leg.amount), currency: leg.currency }))
    .join(", ");
}

export function MarkDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getRailMark">({ method: "GET", path: ["rails", "marks", id] });
  return (
    <DetailOf reading={reading}>
      {(mark) => (
        <Detail
          kind={t("kind.RailMark")}
          lead={wordOf("markKind", mark.kind)}
          state={<StatePill state={mark.state} />}
          id={mark.id}
          acts={<Acts mark={mark} />}
          json={mark}
          path={`/rails/marks/${mark.id}`}
          tabs={[
            { id: "overview", title: t("detail.overview"), content: <Overview mark={mark} /> },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ mark }: { readonly mark: RailMark }) {
  const { decidedBy, decidedAt, note, result } = mark;
  return (
    <>
      <Facts
        facts={[
          [t("rails.askedBy"), <Actor key="by" name={mark.requestedBy} />],
          [t("kind.RailConnection"), <IdLink key="connection" id={mark.connectionId} />],
          [t("column.created"), <Time key="created" at={mark.createdAt} isExact />],
          mark.state === "WAITING" && [
            t("column.expires"),
            <Time key="expires" at={mark.expiresAt} isExact />,
          ],
          decidedBy !== undefined && [
            t("rails.decidedBy"),
            <Actor key="decided" name={decidedBy} />,
          ],
          decidedAt !== undefined && [
            t("rails.decidedAt"),
            <Time key="at" at={decidedAt} isExact />,
          ],
          note !== undefined && [t("form.note"), <OutsideText key="note" text={note} />],
          result?.entryId !== undefined && [
            t("rails.entry"),
            <IdLink key="entry" id={result.entryId} />,
          ],
        ]}
      />
      <Section title={t("rails.toBeDone")}>
        <Facts facts={requestFacts(mark)} />
      </Section>
    </>
  );
}

function requestFacts({ request }: RailMark): readonly Fact[] {
  const { marks, itemId, parts, paymentId, legs, amount, currency, note, payer } = request;
  const plain = [
    "direction",
    "bankReference",
    "bookedOn",
    "valueDate",
    "reference",
    "remittance",
  ] as const;
  return [
    ...(marks ?? []).map(
      (one): Fact => [
        wordOf("state", one.outcome),
        <span key={one.paymentId}>
          <IdLink id={one.paymentId} />{" "}
          {one.reference !== undefined && <OutsideText text={one.reference} />}{" "}
          {one.reason !== undefined && (
            <OutsideText text={`${one.reason.code} ${one.reason.text ?? ""}`} />
          )}
        </span>,
      ],
    ),
    itemId !== undefined && [t("kind.RailItem"), <IdLink key="item" id={itemId} />],
    paymentId !== undefined && [t("kind.RailPayment"), <IdLink key="order" id={paymentId} />],
    ...booksFacts(request),
    ...(parts ?? []).map(
      (part, index): Fact => [
        `${index + 1}. ${wordOf("partKind", part.kind)}`,
        <span key={part.kind} className="flex flex-wrap justify-end gap-x-2">
          <span className="tabular-nums">{part.amount}</span>
          {part.accountId !== undefined && <IdLink id={part.accountId} />}
          {part.paymentId !== undefined && <IdLink id={part.paymentId} />}
          {part.receivableId !== undefined && <IdLink id={part.receivableId} />}
          {part.entryId !== undefined && <IdLink id={part.entryId} />}
          {part.invoiceId !== undefined && <IdLink id={part.invoiceId} />}
          {part.price !== undefined && wordOf("partPrice", part.price)}
          {part.label !== undefined && <OutsideText text={part.label} />}
        </span>,
      ],
    ),
    amount !== undefined &&
      currency !== undefined && [
        t("column.amount"),
        <Amount key="amount" amount={{ amount: String(amount), currency }} />,
      ],
    ...plain.map((name): Fact => {
      const value = request[name];
      return value === undefined
        ? undefined
        : [t(`entry.${name}`), <OutsideText key={name} text={value} />];
    }),
    payer !== undefined && [
      t("entry.payer"),
      <OutsideText key="payer" text={`${payer.name ?? ""} ${payer.accountMasked ?? ""}`} />,
    ],
    ...(legs ?? []).map(
      (leg): Fact => [
        leg.currency,
        <Amount
          key={leg.currency}
          amount={{ amount: String(leg.amount), currency: leg.currency }}
        />,
      ],
    ),
    note !== undefined && [t("form.note"), <OutsideText key="note" text={note} />],
  ];
}

/** Facts of an act on a receivable or on a balance. */
function booksFacts({
  receivableId,
  asOf,
  booked,
  currency,
}: RailMark["request"]): readonly Fact[] {
  return [
    receivableId !== undefined && [
      t("kind.RailReceivable"),
      <IdLink key="receivable" id={receivableId} />,
    ],
    asOf !== undefined && [t("rails.asOf"), asOf],
    booked !== undefined &&
      currency !== undefined && [
        t("column.balance"),
        <Amount key="balance" amount={{ amount: String(booked), currency }} />,
      ],
  ];
}

function Acts({ mark }: { readonly mark: RailMark }) {
  const may = useMay("payments.approve");
  if (mark.state !== "WAITING" || !may) return undefined;
  return (
    <>
      <ActButton spec={confirm(mark)} weight="primary">
        {t("rails.confirm")}
      </ActButton>
      <ActButton spec={refuse(mark)} weight="danger">
        {t("rails.refuse")}
      </ActButton>
    </>
  );
}

function confirm({ id }: RailMark): ActSpec<"confirmRailMark"> {
  return {
    title: t("rails.confirm"),
    verb: t("rails.confirm"),
    intro: t("rails.confirmIntro"),
    fields: [],
    toCall: () => ({ method: "POST", path: ["rails", "marks", id, "confirm"] }),
  };
}

function refuse({ id }: RailMark): ActSpec<"refuseRailMark"> {
  return {
    title: t("rails.refuse"),
    verb: t("rails.refuse"),
    intro: t("rails.refuseIntro"),
    isDanger: true,
    fields: [{ name: "note", label: "form.note", kind: "long" }],
    toCall: ({ note = "" }) => ({
      method: "POST",
      path: ["rails", "marks", id, "refuse"],
      body: { note },
    }),
  };
}

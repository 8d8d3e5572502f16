/**
 * Items in suspense: money of unexplained entries, with the line of the bank and what it may be for. A person assigns it in parts, which
 * must add up to the whole amount.
 */
import type { RailItem } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { ActDialog } from "../../act/act-dialog.tsx";
import type { DeskItem, Suggestion } from "../../api/desk-operations.ts";
import type { Call } from "../../api/operations.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { type Fact, Facts, Section } from "../../detail/facts.tsx";
import { ListPage } from "../../detail/list-page.tsx";
import type { ListSpec } from "../../list/list-spec.ts";
import { t, wordOf } from "../../text/messages.ts";
import { Button } from "../../ui/button.tsx";
import { StatePill } from "../../ui/pill.tsx";
import { IdLink } from "../../ui/place-link.tsx";
import { Amount, Day, Missing, OutsideText, OutsideWord, Time } from "../../ui/values.tsx";
import { Age, type DeskView, useDesk } from "./desk.tsx";
import { RailTabs } from "./rail-tabs.tsx";
import { resolveItem } from "./resolve.tsx";
import { SuggestionLine, Suggestions } from "./suggested.tsx";

function ItemAmount({ item, isStrong }: { readonly item: RailItem; readonly isStrong?: boolean }) {
  const sign = item.direction === "CREDIT" ? "plus" : "minus";
  return <Amount amount={item.amount} sign={sign} isStrong={isStrong === true} />;
}

/** Who paid, or was paid: the side outside. */
function outsideOf({ direction, parties }: RailItem) {
  return direction === "CREDIT" ? parties?.from : parties?.to;
}

/** What the dialog resolves, and with which choice filled in. */
interface Resolving {
  readonly item: RailItem;
  readonly suggestion?: Suggestion;
}

type Open = ((resolving: Resolving) => void) | undefined;

/** `onResolve` is absent where the person may not resolve. */
function itemList(desk: DeskView, onResolve: Open): ListSpec<"listDeskItems"> {
  return {
    name: "desk-items",
    title: "rails.items",
    call: (query) =>
      ({ method: "GET", path: ["rails", "desk", "items"], query }) as Call<"listDeskItems">,
    rowId: ({ item }) => item.id,
    place: ({ item }) => `rail-items/${item.id}`,
    columns: columnsOf(desk, onResolve),
    tabs: [
      { id: "open", title: "tab.open", query: { state: "OPEN", order: "OLDEST" } },
      { id: "held", title: "tab.held", query: { state: "HELD", order: "OLDEST" } },
      { id: "resolved", title: "tab.resolved", query: { state: "RESOLVED" } },
      { id: "all", title: "tab.all", query: {} },
    ],
    search: "rails.search",
    filters: [
      {
        name: "connectionId",
        label: "kind.RailConnection",
        kind: "choice",
        choices: desk.connections.map(({ id, name }) => ({ value: id, label: name })),
      },
    ],
    card: ({ item, suggestions: [first] }) => ({
      lead: <ItemAmount item={item} isStrong />,
      under: (
        <span className="flex flex-col items-start gap-1">
          <OutsideWord text={outsideOf(item)?.name ?? wordOf("itemReason", item.reason)} />
          {first !== undefined && (
            <SuggestionLine
              suggestion={first}
              onChoose={onResolve && (() => onResolve({ item, suggestion: first }))}
            />
          )}
        </span>
      ),
      end: item.state === "OPEN" ? undefined : <StatePill state={item.state} />,
      endUnder: <Age at={item.openedAt} />,
    }),
    empty: "rails.emptyItems",
    curl: "/rails/items",
  };
}

const text = (value: string | undefined) =>
  value === undefined ? <Missing /> : <OutsideText text={value} isLine />;
const day = (on: string | undefined) => (on === undefined ? <Missing /> : <Day on={on} />);
const narrow = (value: string | undefined) => <div className="max-w-48">{text(value)}</div>;

function columnsOf(desk: DeskView, onResolve: Open): ListSpec<"listDeskItems">["columns"] {
  return [
    {
      id: "amount",
      title: "column.amount",
      isEnd: true,
      cell: ({ item }) => <ItemAmount item={item} isStrong />,
    },
    {
      id: "payer",
      title: "desk.payer",
      cell: ({ item }) => narrow(outsideOf(item)?.name),
    },
    {
      id: "remittance",
      title: "desk.remittance",
      cell: ({ entry }) => narrow(entry?.remittance ?? entry?.reference),
    },
    {
      id: "suggested",
      title: "desk.suggested",
      cell: (row) => <Outcome row={row} onResolve={onResolve} />,
    },
    { id: "age", title: "rails.age", isEnd: true, cell: ({ item }) => <Age at={item.openedAt} /> },
    { id: "booked", title: "desk.bookedOn", cell: ({ entry }) => day(entry?.bookedOn) },
    {
      id: "bank",
      title: "rails.bankReference",
      cell: ({ entry }) => narrow(entry?.bankReference),
    },
    {
      id: "connection",
      title: "kind.RailConnection",
      cell: ({ item }) => text(desk.connectionOf(item.connectionId)?.name),
    },
    {
      id: "reason",
      title: "column.reason",
      isExtra: true,
      cell: ({ item }) => wordOf("itemReason", item.reason),
    },
    {
      id: "state",
      title: "column.status",
      isExtra: true,
      cell: ({ item }) => <StatePill state={item.state} />,
    },
  ];
}

/** Of an open item what it may be for; of a resolved one what it was, and who said so. */
function Outcome({ row, onResolve }: { readonly row: DeskItem; readonly onResolve: Open }) {
  const { item, suggestions, resolvedBy } = row;
  const [first] = suggestions;
  if (item.resolution !== undefined) {
    const kinds = item.resolution.parts.map(({ kind }) => wordOf("partKind", kind)).join(", ");
    const credited = item.parties?.[item.direction === "CREDIT" ? "to" : "from"]?.name;
    const told = [kinds, credited, resolvedBy].filter((part) => part !== undefined);
    return text(told.join(" \u00b7 "));
  }
  if (first === undefined) return <Missing />;
  return (
    <SuggestionLine
      suggestion={first}
      onChoose={onResolve && (() => onResolve({ item, suggestion: first }))}
    />
  );
}

export function ItemsPage() {
  const desk = useDesk();
  const may = useMay("reconciliation.write");
  const [resolving, setResolving] = useState<Resolving>();
  const spec = useMemo(() => itemList(desk, may ? setResolving : undefined), [desk, may]);
  return (
    <>
      <ListPage spec={spec} place="rail-items" above={<RailTabs />} />
      <ResolveDialog resolving={resolving} onClose={() => setResolving(undefined)} />
    </>
  );
}

/** Held by the page: a resolved item leaves the list before its dialog has closed. */
function ResolveDialog({
  resolving,
  onClose,
}: {
  readonly resolving: Resolving | undefined;
  readonly onClose: () => void;
}) {
  if (resolving === undefined) return null;
  const spec = resolveItem(resolving.item, resolving.suggestion);
  return <ActDialog spec={spec} isOpen onClose={onClose} />;
}

export function RailItemDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const may = useMay("reconciliation.write");
  const [resolving, setResolving] = useState<Resolving>();
  const reading = useRead<"getDeskItem">({ method: "GET", path: ["rails", "desk", "items", id] });
  return (
    <DetailOf reading={reading}>
      {(row) => (
        <Detail
          kind={t("kind.RailItem")}
          isAmount
          lead={<ItemAmount item={row.item} />}
          under={wordOf("itemReason", row.item.reason)}
          state={<StatePill state={row.item.state} />}
          id={row.item.id}
          acts={
            may && row.item.state !== "RESOLVED" ? (
              <Button weight="primary" opensDialog onPress={() => setResolving({ item: row.item })}>
                {t("rails.resolve")}
              </Button>
            ) : undefined
          }
          json={row.item}
          path={`/rails/items/${row.item.id}`}
          tabs={[
            {
              id: "overview",
              title: t("detail.overview"),
              content: (
                <>
                  <Overview row={row} onResolve={may ? setResolving : undefined} />
                  <ResolveDialog resolving={resolving} onClose={() => setResolving(undefined)} />
                </>
              ),
            },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ row, onResolve }: { readonly row: DeskItem; readonly onResolve: Open }) {
  const { item, suggestions } = row;
  return (
    <>
      {suggestions.length > 0 && (
        <Section title={t("desk.suggestedTitle")}>
          <Suggestions
            suggestions={suggestions}
            onChoose={onResolve && ((suggestion) => onResolve({ item, suggestion }))}
          />
        </Section>
      )}
      {item.resolution !== undefined && (
        <Section title={t("rails.resolved")}>
          <Facts facts={resolutionFacts(row)} />
        </Section>
      )}
      <Section title={t("rails.entry")}>
        <Facts facts={lineFacts(row)} />
      </Section>
    </>
  );
}

function resolutionFacts({ item: { resolution }, resolvedBy }: DeskItem): readonly Fact[] {
  if (resolution === undefined) return [];
  return [
    ...resolution.parts.map((part, index): Fact => {
      const { accountId, quoteId, paymentId, receivableId, transactionId } = part;
      const id = accountId ?? quoteId ?? paymentId ?? receivableId ?? transactionId;
      return [
        `${index + 1}. ${wordOf("partKind", part.kind)}`,
        <span key={part.kind}>
          <Amount amount={part.amount} />{" "}
          {part.label !== undefined && <OutsideWord text={part.label} />}
          {part.price !== undefined && `${wordOf("partPrice", part.price)} `}
          {id !== undefined && <IdLink id={id}>{t("desk.show")}</IdLink>}
        </span>,
      ];
    }),
    [t("form.note"), <OutsideText key="note" text={resolution.note} />],
    resolvedBy !== undefined && [t("desk.by"), <OutsideText key="by" text={resolvedBy} />],
    [t("column.time"), <Time key="at" at={resolution.at} isExact />],
  ];
}

function lineFacts({ item, entry }: DeskItem): readonly Fact[] {
  const link = (name: string, id: string | undefined, shown: ReactNode): Fact =>
    id !== undefined && [
      name,
      <IdLink key={name} id={id}>
        {shown}
      </IdLink>,
    ];
  const line = (name: string, value: string | undefined): Fact =>
    value !== undefined && [name, <OutsideText key={name} text={value} />];
  return [
    line(t("desk.payer"), entry?.payer?.name),
    line(t("external.number"), entry?.payer?.accountMasked),
    line(t("desk.remittance"), entry?.remittance),
    line(t("column.reference"), entry?.reference),
    entry !== undefined && [t("desk.bookedOn"), <Day key="booked" on={entry.bookedOn} />],
    link(t("rails.entry"), item.entryId, <OutsideWord text={entry?.bankReference ?? ""} />),
    [t("kind.RailConnection"), <ConnectionLink key="connection" id={item.connectionId} />],
    link(t("kind.RailPayment"), item.paymentId, t("desk.show")),
    link(t("rails.suggested"), item.suggestedPaymentId, t("desk.show")),
    [t("rails.opened"), <Time key="opened" at={item.openedAt} isExact />],
    [t("rails.agedDays"), t("unit.days", { count: item.agedDays })],
  ];
}

function ConnectionLink({ id }: { readonly id: string }) {
  const name = useDesk().connectionOf(id)?.name;
  return <IdLink id={id}>{name !== undefined && <OutsideWord text={name} />}</IdLink>;
}

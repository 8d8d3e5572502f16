/** Items in suspense: money of unexplained entries. A person assigns it in parts, which must add up to the whole amount. */
import type { RailItem } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import { ActButton } from "../../act/act-dialog.tsx";
import type { Call } from "../../api/operations.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { Facts } from "../../detail/facts.tsx";
import { ListPage } from "../../detail/list-page.tsx";
import type { ListSpec } from "../../list/list-spec.ts";
import { t, wordOf } from "../../text/messages.ts";
import { StatePill } from "../../ui/pill.tsx";
import { IdLink } from "../../ui/place-link.tsx";
import { Amount, OutsideText, Time } from "../../ui/values.tsx";
import { RailTabs } from "./rail-tabs.tsx";
import { resolveItem } from "./resolve.tsx";

function ItemAmount({ item, isStrong }: { readonly item: RailItem; readonly isStrong?: boolean }) {
  const sign = item.direction === "CREDIT" ? "plus" : "minus";
  return <Amount amount={item.amount} sign={sign} isStrong={isStrong === true} />;
}

const spec: ListSpec<"listRailItems"> = {
  name: "items",
  title: "rails.items",
  call: (query) => ({ method: "GET", path: ["rails", "items"], query }) as Call<"listRailItems">,
  rowId: ({ id }) => id,
  place: ({ id }) => `rail-items/${id}`,
  columns: [
    {
      id: "amount",
      title: "column.amount",
      isEnd: true,
      cell: (row) => <ItemAmount item={row} isStrong />,
    },
    { id: "state", title: "column.status", cell: ({ state }) => <StatePill state={state} /> },
    { id: "reason", title: "column.reason", cell: ({ reason }) => wordOf("itemReason", reason) },
    {
      id: "connection",
      title: "kind.RailConnection",
      cell: ({ connectionId }) => <IdLink id={connectionId} />,
    },
    {
      id: "age",
      title: "rails.age",
      isEnd: true,
      cell: ({ agedDays }) => t("unit.days", { count: agedDays }),
    },
    {
      id: "opened",
      title: "rails.opened",
      isEnd: true,
      cell: ({ openedAt }) => <Time at={openedAt} />,
    },
  ],
  tabs: [
    { id: "open", title: "tab.open", query: { state: "OPEN" } },
    { id: "resolved", title: "tab.resolved", query: { state: "RESOLVED" } },
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
    lead: <ItemAmount item={row} isStrong />,
    under: wordOf("itemReason", row.reason),
    end: <StatePill state={row.state} />,
    endUnder: <Time at={row.openedAt} />,
  }),
  empty: "rails.emptyItems",
  curl: "/rails/items",
};

export function ItemsPage() {
  return <ListPage spec={spec} place="rail-items" above={<RailTabs />} />;
}

export function RailItemDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const may = useMay("reconciliation.write");
  const reading = useRead<"getRailItem">({ method: "GET", path: ["rails", "items", id] });
  return (
    <DetailOf reading={reading}>
      {(item) => (
        <Detail
          kind={t("kind.RailItem")}
          isAmount
          lead={<ItemAmount item={item} />}
          under={wordOf("itemReason", item.reason)}
          state={<StatePill state={item.state} />}
          id={item.id}
          acts={
            may && item.state !== "RESOLVED" ? (
              <ActButton spec={resolveItem(item)} weight="primary">
                {t("rails.resolve")}
              </ActButton>
            ) : undefined
          }
          json={item}
          path={`/rails/items/${item.id}`}
          tabs={[
            { id: "overview", title: t("detail.overview"), content: <Overview item={item} /> },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ item }: { readonly item: RailItem }) {
  const { resolution } = item;
  return (
    <Facts
      facts={[
        [t("kind.RailConnection"), <IdLink key="connection" id={item.connectionId} />],
        ...(item.entryId === undefined
          ? []
          : [[t("rails.entry"), <IdLink key="entry" id={item.entryId} />] as const]),
        ...(item.paymentId === undefined
          ? []
          : [[t("kind.RailPayment"), <IdLink key="order" id={item.paymentId} />] as const]),
        ...(item.suggestedPaymentId === undefined
          ? []
          : [
              [
                t("rails.suggested"),
                <IdLink key="suggested" id={item.suggestedPaymentId} />,
              ] as const,
            ]),
        [t("rails.opened"), <Time key="opened" at={item.openedAt} isExact />],
        [t("rails.age"), t("unit.days", { count: item.agedDays })],
        ...(resolution?.parts ?? []).map(
          (part, index) =>
            [
              `${index + 1}. ${wordOf("partKind", part.kind)}`,
              <span key={part.kind}>
                <Amount amount={part.amount} />{" "}
                {part.accountId !== undefined && <IdLink id={part.accountId} />}
              </span>,
            ] as const,
        ),
        resolution !== undefined && [
          t("form.note"),
          <OutsideText key="note" text={resolution.note} />,
        ],
        resolution !== undefined && [
          t("rails.resolved"),
          <Time key="resolved" at={resolution.at} isExact />,
        ],
      ]}
    />
  );
}

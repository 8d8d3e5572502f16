import type { Call, Item } from "../../api/operations.ts";
import type { ListSpec } from "../../list/list-spec.ts";
import { t } from "../../text/messages.ts";
import { Pill } from "../../ui/pill.tsx";
import { IdLink, ObjectName } from "../../ui/place-link.tsx";
import { Time } from "../../ui/values.tsx";
import { eventTypeChoices } from "./event-types.ts";

/** All events of the platform, or the events of one object. */
export function eventList(fixed: Readonly<Record<string, string>> = {}): ListSpec<"listEvents"> {
  return {
    name: "events",
    title: "events.title",
    call: (query) =>
      ({ method: "GET", path: ["events"], query: { ...query, ...fixed } }) as Call<"listEvents">,
    rowId: ({ id }) => id,
    place: ({ id }) => `events/${id}`,
    columns: [
      {
        id: "sequence",
        title: "column.sequence",
        isEnd: true,
        cell: ({ sequence }) => <span className="font-semibold tabular-nums">{sequence}</span>,
      },
      {
        id: "type",
        title: "column.type",
        cell: ({ type }) => <span className="font-mono text-code">{type}</span>,
      },
      {
        id: "object",
        title: "column.object",
        cell: ({ resourceId }) => <IdLink id={resourceId} />,
      },
      { id: "deliveries", title: "deliveries.title", cell: (row) => <Delivered row={row} /> },
      {
        id: "time",
        title: "column.time",
        isEnd: true,
        cell: ({ timestamp }) => <Time at={timestamp} />,
      },
    ],
    filters: [
      {
        name: "type",
        label: "column.type",
        kind: "choice",
        choices: eventTypeChoices(),
      },
      ...(fixed.resourceId === undefined
        ? ([{ name: "resourceId", label: "column.object", kind: "text" }] as const)
        : []),
      { name: "since", label: "column.time", kind: "period" },
    ],
    card: (row) => ({
      lead: <span className="block truncate font-mono text-code text-ink">{row.type}</span>,
      under: <ObjectName id={row.resourceId} />,
      end: <Delivered row={row} />,
      endUnder: <Time at={row.timestamp} />,
    }),
    empty: "events.empty",
    curl: "/events",
  };
}

function Delivered({ row }: { readonly row: Item<"listEvents"> }) {
  const { endpoints, delivered, failed } = row.deliverySummary;
  if (endpoints === 0) return <span className="text-soft">{t("events.noEndpoint")}</span>;
  const tone = failed > 0 ? "bad" : delivered === endpoints ? "good" : "wait";
  return <Pill word={t("events.delivered", { delivered, endpoints })} tone={tone} />;
}

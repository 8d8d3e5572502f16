import type { WebhookDelivery } from "@florin/client";
import type { Call } from "../../../api/operations.ts";
import type { Column, ListSpec } from "../../../list/list-spec.ts";
import { t } from "../../../text/messages.ts";
import { isMovingState } from "../../../text/moving.ts";
import { statusTone } from "../../../text/tones.ts";
import { plainChoices, stateChoices } from "../../../ui/choices.ts";
import { Pill, StatePill } from "../../../ui/pill.tsx";
import { IdLink, ObjectName } from "../../../ui/place-link.tsx";
import { Missing, OutsideText, Time } from "../../../ui/values.tsx";
import { ResendButton } from "./resend.tsx";
import { ResendSelected } from "./resend-many.tsx";

const columns: readonly Column<WebhookDelivery>[] = [
  {
    id: "type",
    title: "column.event",
    cell: ({ eventType }) => <span className="font-mono text-code">{eventType}</span>,
  },
  { id: "state", title: "column.status", cell: ({ state }) => <StatePill state={state} /> },
  { id: "answer", title: "deliveries.answer", cell: (row) => <LastAnswer {...row} /> },
  {
    id: "object",
    title: "column.object",
    cell: ({ resourceId }) => <IdLink id={resourceId} />,
  },
  {
    id: "endpoint",
    title: "column.endpoint",
    cell: ({ endpointId }) => <IdLink id={endpointId} />,
    isExtra: true,
  },
  {
    id: "attempts",
    title: "deliveries.tries",
    isEnd: true,
    cell: ({ attempts }) => <span className="tabular-nums">{attempts}</span>,
  },
  {
    id: "latency",
    title: "column.latency",
    isEnd: true,
    isExtra: true,
    cell: ({ lastLatencyMs }) =>
      lastLatencyMs === undefined ? <Missing /> : t("unit.ms", { ms: lastLatencyMs }),
  },
  {
    id: "next",
    title: "deliveries.next",
    isEnd: true,
    isExtra: true,
    cell: ({ nextAttemptAt }) =>
      nextAttemptAt === undefined ? <Missing /> : <Time at={nextAttemptAt} />,
  },
  {
    id: "time",
    title: "deliveries.last",
    isEnd: true,
    cell: ({ lastAttemptAt }) =>
      lastAttemptAt === undefined ? <Missing /> : <Time at={lastAttemptAt} />,
  },
  {
    id: "acts",
    title: "column.acts",
    isEnd: true,
    cell: (row) =>
      row.state === "DELIVERED" || !row.canResend ? <Missing /> : <ResendButton delivery={row} />,
  },
];

/** Deliveries to all endpoints, or to one. Rows can be selected by people who may resend many at once. */
export function deliveryList(
  fixed: Readonly<Record<string, string>> = {},
  mayResendMany = false,
): ListSpec<"listWebhookDeliveries"> {
  return {
    name: "deliveries",
    title: "deliveries.title",
    call: (query) =>
      ({
        method: "GET",
        path: ["webhook-deliveries"],
        query: { ...query, ...fixed },
      }) as Call<"listWebhookDeliveries">,
    rowId: ({ id }) => id,
    place: ({ id }) => `deliveries/${id}`,
    columns,
    ...(fixed.endpointId === undefined ? { search: "deliveries.search" } : {}),
    tabs: [
      { id: "all", title: "tab.all", query: {} },
      { id: "not-arrived", title: "tab.notArrived", query: { state: "NOT_ARRIVED" } },
      { id: "delivered", title: "tab.delivered", query: { state: "DELIVERED" } },
    ],
    filters: [
      {
        name: "eventType",
        label: "column.event",
        kind: "text",
        placeholder: "OUTGOING_PAYMENT.FAILED",
      },
      ...(fixed.endpointId === undefined
        ? ([
            {
              name: "endpointId",
              label: "kind.WebhookEndpoint",
              kind: "text",
              placeholder: "WebhookEndpoint:",
            },
          ] as const)
        : []),
      { name: "resourceId", label: "column.object", kind: "text" },
      {
        name: "state",
        label: "column.status",
        kind: "choice",
        choices: stateChoices(["DELIVERED", "WAITING", "BEHIND", "FAILED"]),
      },
      {
        name: "statusClass",
        label: "deliveries.answer",
        kind: "choice",
        choices: plainChoices(["2xx", "3xx", "4xx", "5xx", "none"]),
      },
      { name: "since", label: "column.time", kind: "period" },
    ],
    card: (row) => ({
      lead: <span className="block truncate font-mono text-code text-ink">{row.eventType}</span>,
      under: <ObjectName id={row.resourceId} />,
      end: <StatePill state={row.state} />,
      endUnder: <LastAttempt {...row} />,
    }),
    isMoving: ({ state }) => isMovingState(state),
    actsLater: true,
    ...(mayResendMany
      ? { selection: (rows, onDone) => <ResendSelected rows={rows} onDone={onDone} /> }
      : {}),
    empty: "deliveries.empty",
    curl: "/webhook-deliveries",
  };
}

function LastAttempt({ attempts, lastAttemptAt }: WebhookDelivery) {
  if (lastAttemptAt === undefined) return t("deliveries.attempts", { count: attempts });
  return <Time at={lastAttemptAt} />;
}

/** The HTTP status of the receiver's last answer, or the error when no answer came. */
export function LastAnswer({
  lastStatus,
  lastError,
}: {
  readonly lastStatus?: number;
  readonly lastError?: string;
}) {
  if (lastStatus !== undefined) {
    return <Pill word={String(lastStatus)} tone={statusTone(lastStatus)} />;
  }
  return lastError === undefined ? <Missing /> : <OutsideText text={lastError} isLine />;
}

import type { Call } from "../../../api/operations.ts";
import type { ListQuery, ListSpec } from "../../../list/list-spec.ts";
import { readId, shortenIds } from "../../../std/ids.ts";
import { t } from "../../../text/messages.ts";
import { statusTone } from "../../../text/tones.ts";
import { plainChoices, stateChoices } from "../../../ui/choices.ts";
import { Pill } from "../../../ui/pill.tsx";
import { IdLink, IdText } from "../../../ui/place-link.tsx";
import { Missing, OutsideText, Time } from "../../../ui/values.tsx";

/** The caller's parameter is named by the kind of its id. */
function callerQuery(who: ListQuery[string] | undefined) {
  if (who === undefined) return {};
  return readId(String(who))?.kind === "Agent" ? { agentId: who } : { tokenId: who };
}

export const requestList: ListSpec<"listRequestLogs"> = {
  name: "requests",
  title: "requests.title",
  call: ({ who, ...query }) =>
    ({
      method: "GET",
      path: ["request-logs"],
      query: { ...query, ...callerQuery(who) },
    }) as Call<"listRequestLogs">,
  rowId: ({ id }) => id,
  place: ({ id }) => `requests/${id}`,
  columns: [
    {
      id: "call",
      title: "column.call",
      cell: ({ method, path, sampledOneIn }) => (
        <span className="flex min-w-0 gap-2 font-mono text-code">
          <span className="w-14 shrink-0 text-soft">{method}</span>
          <OutsideText text={shortenIds(path)} isLine />
          {sampledOneIn > 1 && (
            <Pill word={t("requests.standsFor", { count: sampledOneIn })} tone="note" />
          )}
        </span>
      ),
    },
    {
      id: "status",
      title: "column.status",
      cell: ({ status }) => <Pill word={String(status)} tone={statusTone(status)} />,
    },
    {
      id: "code",
      title: "requests.code",
      cell: ({ errorCode }) =>
        errorCode === undefined ? (
          <Missing />
        ) : (
          <span className="font-mono text-code">{errorCode}</span>
        ),
    },
    {
      id: "object",
      title: "column.object",
      cell: ({ resourceId }) =>
        resourceId === undefined ? <Missing /> : <IdLink id={resourceId} />,
    },
    {
      id: "who",
      title: "column.who",
      cell: ({ tokenId, agentId, personId }) => {
        const id = tokenId ?? agentId ?? personId;
        return id === undefined ? <Missing /> : <IdText id={id} />;
      },
    },
    {
      id: "address",
      title: "requests.address",
      isExtra: true,
      cell: ({ address }) => <span className="font-mono text-code">{address}</span>,
    },
    {
      id: "latency",
      title: "column.latency",
      isEnd: true,
      cell: ({ durationMs }) => (
        <span className="tabular-nums">{t("unit.ms", { ms: durationMs })}</span>
      ),
    },
    {
      id: "time",
      title: "column.time",
      isEnd: true,
      cell: ({ createdAt }) => <Time at={createdAt} isOfServer />,
    },
  ],
  tabs: [
    { id: "all", title: "tab.all", query: {} },
    { id: "refused", title: "tab.refused", query: { statusClass: "4xx" } },
    { id: "failed", title: "tab.failed", query: { statusClass: "5xx" } },
    { id: "replayed", title: "tab.replayed", query: { replayed: "true" } },
  ],
  filters: [
    {
      name: "method",
      label: "requests.method",
      kind: "choice",
      choices: plainChoices(["GET", "POST", "PATCH", "PUT", "DELETE"]),
    },
    { name: "path", label: "requests.path", kind: "text", placeholder: "/transactions" },
    { name: "status", label: "column.status", kind: "text", placeholder: "409" },
    {
      name: "errorCode",
      label: "requests.code",
      kind: "text",
      placeholder: "INSUFFICIENT_BALANCE",
    },
    { name: "requestId", label: "kind.requestId", kind: "text" },
    { name: "idempotencyKey", label: "requests.key", kind: "text" },
    { name: "resourceId", label: "column.object", kind: "text" },
    { name: "who", label: "column.who", kind: "caller" },
    {
      name: "source",
      label: "requests.source",
      kind: "choice",
      choices: stateChoices(["API", "CONSOLE"], "requests.source"),
    },
    { name: "minLatencyMs", label: "requests.minLatency", kind: "text", placeholder: "250" },
    { name: "since", label: "column.time", kind: "period" },
  ],
  card: (row) => ({
    lead: (
      <span className="font-mono text-code text-ink">
        <OutsideText text={`${row.method} ${shortenIds(row.path)}`} isLine />
      </span>
    ),
    under: row.errorCode ?? t("unit.ms", { ms: row.durationMs }),
    end: <Pill word={String(row.status)} tone={statusTone(row.status)} />,
    endUnder: <Time at={row.createdAt} isOfServer />,
  }),
  empty: "requests.empty",
  curl: "/request-logs",
};

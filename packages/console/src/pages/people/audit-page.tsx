/** The audit log of the open platform, or of the workspace's people. Entries are immutable, so there are no acts. */
import type { AuditEntry } from "@florin/client";
import { useSearch } from "@tanstack/react-router";
import type { Call } from "../../api/operations.ts";
import { useMay } from "../../api/platform.ts";
import type { Column, Filter, ListSpec } from "../../list/list-spec.ts";
import { ResourceList } from "../../list/resource-list.tsx";
import { t, wordOf } from "../../text/messages.ts";
import { LinkTabs } from "../../ui/link-tabs.tsx";
import { IdLink } from "../../ui/place-link.tsx";
import { Missing, OutsideText, OutsideWord, Time } from "../../ui/values.tsx";
import { VerifySection } from "../platforms/system/verify.tsx";

const SHOWN_CHANGES = 3;

/** Formats the first few changes as `name: Ana → Bea`. */
function Changes({ changes }: Pick<AuditEntry, "changes">) {
  if (changes.length === 0) return <Missing />;
  const rest = changes.length - SHOWN_CHANGES;
  return (
    <ul className="flex min-w-64 flex-col gap-0.5 whitespace-normal">
      {changes.slice(0, SHOWN_CHANGES).map(({ field, before, after }) => (
        <li key={field} className="text-caption">
          <span className="text-soft">{field}</span>{" "}
          <OutsideText text={`${valueText(before)} \u2192 ${valueText(after)}`} />
        </li>
      ))}
      {rest > 0 && <li className="text-caption text-soft">{t("audit.more", { count: rest })}</li>}
    </ul>
  );
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return "\u2013";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function actorText({ kind, name, id }: AuditEntry["actor"]): string {
  return name ?? (kind === "person" || kind === "token" ? id : wordOf("actor", kind));
}

const columns: readonly Column<AuditEntry>[] = [
  {
    id: "act",
    title: "audit.act",
    cell: ({ act }) => <span className="font-medium">{actText(act)}</span>,
  },
  {
    id: "actor",
    title: "audit.actor",
    cell: ({ actor }) => <OutsideText text={actorText(actor)} isLine />,
  },
  {
    id: "target",
    title: "column.object",
    cell: ({ target }) =>
      target === undefined ? (
        <Missing />
      ) : (
        <IdLink id={target.id}>
          {target.label === undefined ? undefined : <OutsideText text={target.label} isLine />}
        </IdLink>
      ),
  },
  { id: "changes", title: "audit.changes", cell: ({ changes }) => <Changes changes={changes} /> },
  {
    id: "reason",
    title: "column.reason",
    cell: ({ reason }) =>
      reason === undefined ? <Missing /> : <OutsideText text={reason} isLine />,
  },
  {
    id: "address",
    title: "requests.address",
    isExtra: true,
    cell: ({ source }) =>
      source === undefined ? (
        <Missing />
      ) : (
        <span className="font-mono text-code">{source.address}</span>
      ),
  },
  {
    id: "command",
    title: "ledger.command",
    isEnd: true,
    isExtra: true,
    cell: ({ commandSeq }) => <span className="tabular-nums">{commandSeq}</span>,
  },
  { id: "time", title: "column.time", isEnd: true, cell: ({ at }) => <Time at={at} /> },
];

/** Formats `create-token` as `Create token`. */
function actText(act: string): string {
  const words = act
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("-", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const filters: readonly Filter[] = [
  { name: "act", label: "audit.act", kind: "text", placeholder: "create-token" },
  { name: "actorId", label: "audit.actor", kind: "text", placeholder: "Person:" },
  { name: "targetId", label: "column.object", kind: "text" },
  { name: "since", label: "column.time", kind: "period" },
];

const shared = {
  name: "audit",
  title: "audit.title",
  columns,
  filters,
  rowId: ({ id }: AuditEntry) => id,
  card: (row: AuditEntry) => ({
    lead: <span className="font-medium text-ink">{actText(row.act)}</span>,
    under: <OutsideWord text={actorText(row.actor)} />,
    endUnder: <Time at={row.at} />,
  }),
  empty: "audit.empty",
} as const;

const ofPlatform: ListSpec<"listAuditEntries"> = {
  ...shared,
  call: (query) => ({ method: "GET", path: ["audit-entries"], query }) as Call<"listAuditEntries">,
  curl: "/audit-entries",
};

const ofWorkspace: ListSpec<"listWorkspaceAudit"> = {
  ...shared,
  call: (query) =>
    ({ method: "GET", path: ["workspace", "audit"], query }) as Call<"listWorkspaceAudit">,
};

export function AuditPage() {
  const { of }: { readonly of?: string } = useSearch({ strict: false });
  const isWorkspace = of === "workspace";
  const seesChain = useMay("system.read");
  const tabs = (
    <LinkTabs
      place="audit"
      name="of"
      current={isWorkspace ? "workspace" : "platform"}
      choices={[
        ["platform", t("audit.ofPlatform")],
        ["workspace", t("audit.ofWorkspace")],
      ]}
    />
  );
  const above = (
    <>
      {seesChain && (
        <div className="max-w-2xl pb-6">
          <VerifySection isBrief />
        </div>
      )}
      {tabs}
    </>
  );
  return isWorkspace ? (
    <ResourceList spec={ofWorkspace} above={above} />
  ) : (
    <ResourceList spec={ofPlatform} above={above} />
  );
}

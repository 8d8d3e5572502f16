/** The audit log of the open platform, or of the workspace's people. Entries are immutable, so there are no acts. */
import type { AuditEntry } from "@florin/client";
import { useSearch } from "@tanstack/react-router";
import { useObjectName } from "../../api/names.ts";
import type { Call } from "../../api/operations.ts";
import { useMay } from "../../api/platform.ts";
import type { Column, Filter, ListSpec } from "../../list/list-spec.ts";
import { ResourceList } from "../../list/resource-list.tsx";
import { placeOf, readId } from "../../std/ids.ts";
import { t, wordOf } from "../../text/messages.ts";
import { LinkTabs } from "../../ui/link-tabs.tsx";
import { IdLink } from "../../ui/place-link.tsx";
import { Missing, OutsideText, OutsideWord, Time } from "../../ui/values.tsx";
import { VerifySection } from "../platforms/system/verify.tsx";
import { actorText, changeText, deedText, toldOf } from "./audit-sentence.ts";

/** The changes, which the person opens where the sentence is not enough. */
function Changes({ changes }: Pick<AuditEntry, "changes">) {
  if (changes.length === 0) return <Missing />;
  return (
    <details className="pointer-events-auto relative z-10 min-w-48 whitespace-normal">
      <summary className="cursor-pointer text-caption text-soft">
        {t("audit.beforeAfter", { count: changes.length })}
      </summary>
      <ul className="flex flex-col gap-0.5 pt-1">
        {changes.map(({ field, before, after }) => (
          <li key={field} className="text-caption">
            <span className="text-soft">{field}</span>{" "}
            <OutsideText text={changeText(before, after)} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What was done, as a link to the object where it has a page. Its name stands behind it, never its id. */
function Deed({ act, target }: Pick<AuditEntry, "act" | "target">) {
  const deed = deedText(act);
  const name = useLabel(target);
  if (target === undefined) return deed;
  const isLinked = placeOf(target.id) !== undefined;
  if (name === undefined) return isLinked ? <IdLink id={target.id}>{deed}</IdLink> : deed;
  const shown = <OutsideWord text={name} />;
  return (
    <>
      {deed} {isLinked ? <IdLink id={target.id}>{shown}</IdLink> : <strong>{shown}</strong>}
    </>
  );
}

/** What the object is called: as the entry tells it, or as it is called now, which is not kept of customers. */
function useLabel(target: AuditEntry["target"]): string | undefined {
  const isAsked = target !== undefined && target.label === undefined && readId(target.id);
  const { party, label } = useObjectName(isAsked ? target.id : undefined) ?? {};
  return target?.label ?? party?.name ?? label;
}

function Label({ target }: Pick<AuditEntry, "target">) {
  const name = useLabel(target);
  return name === undefined ? "" : <OutsideWord text={name} />;
}

/** Who did what, with the amount, the account and the reason. */
function Sentence({ entry }: { readonly entry: AuditEntry }) {
  const { actor, act, target, reason, changes } = entry;
  const { amount, accountId } = toldOf(changes, target?.id);
  return (
    <div className="min-w-64 whitespace-normal">
      <span className="font-medium">
        <OutsideWord text={actorText(actor)} />
      </span>{" "}
      <Deed act={act} target={target} />
      {amount !== undefined && <span className="tabular-nums">{` \u00b7 ${amount}`}</span>}
      {accountId !== undefined && (
        <>
          {" \u00b7 "}
          <IdLink id={accountId} />
        </>
      )}
      {reason !== undefined && (
        <p className="text-caption text-soft">
          <OutsideText text={wordOf("auditReason", reason)} />
        </p>
      )}
    </div>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  { id: "entry", title: "audit.entry", cell: (entry) => <Sentence entry={entry} /> },
  { id: "changes", title: "audit.changes", cell: ({ changes }) => <Changes changes={changes} /> },
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
  { id: "time", title: "column.time", isEnd: true, cell: ({ at }) => <Time at={at} isExact /> },
];

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
    lead: (
      <span className="font-medium text-ink">
        <OutsideWord text={`${actorText(row.actor)} ${deedText(row.act)}`} />
      </span>
    ),
    under: <Label target={row.target} />,
    endUnder: <Time at={row.at} isExact />,
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

/** Orders that need approval, over all platforms of the workspace. Other things that need an answer are listed above them. */
import type { Call } from "../../../api/operations.ts";
import { ListPage } from "../../../detail/list-page.tsx";
import type { ListSpec } from "../../../list/list-spec.ts";
import { wordOf } from "../../../text/messages.ts";
import { stateChoices } from "../../../ui/choices.ts";
import { StatePill } from "../../../ui/pill.tsx";
import { IdText } from "../../../ui/place-link.tsx";
import { Time } from "../../../ui/values.tsx";
import { Asking } from "./asking.tsx";
import { PlatformName, Who } from "./people.tsx";

const KINDS = [
  "ADJUSTMENT",
  "PAYMENT",
  "PAYEE",
  "AGENT_POLICY",
  "UNFREEZE",
  "KYC_OVERRIDE",
  "TOKEN",
  "ROLE_GRANT",
  "REENROLMENT",
  "ISSUER",
  "OWNER_CHANGE",
  "POLICY",
  "CONTROL",
];

const spec: ListSpec<"listWorkspaceApprovals"> = {
  name: "approvals",
  title: "approvals.title",
  call: (query) =>
    ({ method: "GET", path: ["workspace", "approvals"], query }) as Call<"listWorkspaceApprovals">,
  rowId: ({ id }) => id,
  place: ({ id }) => `approvals/${id}`,
  columns: [
    {
      id: "kind",
      title: "column.type",
      cell: ({ kind }) => <span className="font-medium">{wordOf("approvalKind", kind)}</span>,
    },
    {
      id: "summary",
      title: "approvals.asked",
      cell: ({ summary }) => (
        <span className="block max-w-96 truncate" title={summary}>
          {summary}
        </span>
      ),
    },
    { id: "state", title: "column.status", cell: ({ state }) => <StatePill state={state} /> },
    { id: "by", title: "approvals.askedBy", cell: ({ requestedBy }) => <Who id={requestedBy} /> },
    {
      id: "place",
      title: "approvals.place",
      cell: ({ platformId }) => <PlatformName id={platformId} />,
    },
    {
      id: "expires",
      title: "column.expires",
      isEnd: true,
      isExtra: true,
      cell: ({ expiresAt }) => <Time at={expiresAt} />,
    },
    { id: "id", title: "column.id", isExtra: true, cell: ({ id }) => <IdText id={id} /> },
    {
      id: "asked",
      title: "approvals.askedAt",
      isEnd: true,
      cell: ({ requestedAt }) => <Time at={requestedAt} />,
    },
  ],
  tabs: [
    { id: "decide", title: "approvals.mine", query: { shown: "MINE_TO_DECIDE" } },
    { id: "requested", title: "approvals.requested", query: { shown: "MINE_REQUESTED" } },
    { id: "decided", title: "approvals.decided", query: { shown: "DECIDED" } },
    { id: "all", title: "tab.all", query: {} },
  ],
  filters: [
    {
      name: "kind",
      label: "column.type",
      kind: "choice",
      choices: stateChoices(KINDS, "approvalKind"),
    },
  ],
  card: (row) => ({
    lead: <span className="font-medium text-ink">{wordOf("approvalKind", row.kind)}</span>,
    under: row.summary,
    end: <StatePill state={row.state} />,
    endUnder: <Time at={row.requestedAt} />,
  }),
  empty: "approvals.empty",
  curl: "/approvals",
};

export function ApprovalsPage() {
  return <ListPage spec={spec} place="approvals" above={<Asking />} />;
}

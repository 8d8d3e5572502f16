/** Orders of people, tokens and agents that need approval, over all platforms of the workspace. Incoming payments that ask stand above them. */
import type { OwnApproval } from "../../../api/approval-operations.ts";
import type { Call } from "../../../api/operations.ts";
import { ListPage } from "../../../detail/list-page.tsx";
import type { ListSpec } from "../../../list/list-spec.ts";
import { wordOf } from "../../../text/messages.ts";
import { stateChoices } from "../../../ui/choices.ts";
import { PartyName, partyName } from "../../../ui/party.tsx";
import { StatePill } from "../../../ui/pill.tsx";
import { Missing, OutsideWord, Time } from "../../../ui/values.tsx";
import { IncomingPayments } from "./incoming-payments.tsx";
import { PlatformName } from "./people.tsx";

const KINDS = [
  "ADJUSTMENT",
  "PAYMENT",
  "AGENT_ORDER",
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
      id: "title",
      title: "approvals.asked",
      cell: ({ title }) => <span className="font-medium">{title}</span>,
    },
    {
      id: "amount",
      title: "column.amount",
      isEnd: true,
      cell: ({ amount }) => (amount === undefined ? <Missing /> : <AmountWords text={amount} />),
    },
    {
      id: "about",
      title: "approvals.about",
      cell: ({ parties = {} }) => <PartyName party={parties.to ?? parties.from} />,
    },
    { id: "state", title: "column.status", cell: ({ state }) => <StatePill state={state} /> },
    {
      id: "by",
      title: "approvals.askedBy",
      cell: ({ parties = {} }) => <PartyName party={parties.by} />,
    },
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
    {
      id: "kind",
      title: "column.type",
      isExtra: true,
      cell: ({ kind }) => wordOf("approvalKind", kind),
    },
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
    lead: <span className="font-medium text-ink">{row.amount ?? row.title}</span>,
    under: <OutsideWord text={cardLine(row)} />,
    end: <StatePill state={row.state} />,
    endUnder: <Time at={row.requestedAt} />,
  }),
  empty: "approvals.empty",
  curl: "/approvals",
};

function AmountWords({ text }: { readonly text: string }) {
  return <span className="whitespace-nowrap tabular-nums">{text}</span>;
}

/** What it is, whom it is for and who asked, as far as the first line does not say it. */
function cardLine({ title, amount, parties: { from, to, by } = {} }: OwnApproval): string {
  const about = to ?? from;
  return [
    ...(amount === undefined ? [] : [title]),
    ...(about === undefined ? [] : [partyName(about)]),
    ...(by === undefined ? [] : [partyName(by)]),
  ].join(" · ");
}

export function ApprovalsPage() {
  return <ListPage spec={spec} place="approvals" above={<IncomingPayments />} />;
}

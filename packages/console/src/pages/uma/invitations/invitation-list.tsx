import type { Call } from "../../../api/operations.ts";
import type { SentInvitation } from "../../../api/own-operations.ts";
import type { ListSpec } from "../../../list/list-spec.ts";
import { stateChoices } from "../../../ui/choices.ts";
import { StatePill } from "../../../ui/pill.tsx";
import { IdText } from "../../../ui/place-link.tsx";
import { Amount, OutsideText, Time } from "../../../ui/values.tsx";

export function Inviter({ invitation }: { readonly invitation: SentInvitation }) {
  const { inviter, inviterUma } = invitation;
  return (
    <span className="font-medium text-ink">
      <OutsideText text={inviter.fullName === "" ? inviterUma : inviter.fullName} isLine />
    </span>
  );
}

export const invitationList: ListSpec<"listSentInvitations"> = {
  name: "invitations",
  title: "invitations.title",
  call: (query) =>
    ({ method: "GET", path: ["sent-invitations"], query }) as Call<"listSentInvitations">,
  rowId: ({ id }) => id,
  place: ({ id }) => `invitations/${id}`,
  columns: [
    {
      id: "amount",
      title: "column.amount",
      isEnd: true,
      cell: ({ amountToSend }) => amountToSend && <Amount amount={amountToSend} isStrong />,
    },
    { id: "status", title: "column.status", cell: ({ status }) => <StatePill state={status} /> },
    { id: "inviter", title: "invitations.inviter", cell: (row) => <Inviter invitation={row} /> },
    {
      id: "claimed",
      title: "invitations.claimedBy",
      cell: ({ inviteeUma }) =>
        inviteeUma !== undefined && <OutsideText text={inviteeUma} isLine />,
    },
    { id: "id", title: "column.id", isExtra: true, cell: ({ id }) => <IdText id={id} /> },
    {
      id: "expires",
      title: "column.expires",
      isEnd: true,
      cell: ({ status, expiresAt }) =>
        status === "PENDING" && expiresAt !== undefined && <Time at={expiresAt} />,
    },
    {
      id: "created",
      title: "column.created",
      isEnd: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ],
  filters: [
    {
      name: "status",
      label: "column.status",
      kind: "choice",
      choices: stateChoices(["PENDING", "CLAIMED", "EXPIRED", "CANCELLED"]),
    },
  ],
  card: (row) => ({
    lead: <Inviter invitation={row} />,
    under: row.amountToSend && <Amount amount={row.amountToSend} />,
    end: <StatePill state={row.status} />,
    endUnder: <Time at={row.createdAt} />,
  }),
  empty: "invitations.empty",
  curl: "/invitations",
};

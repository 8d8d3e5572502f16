/** Invitations to set up an address for payments. The link is shown once, because only a hash of its code is stored. */
import { useParams } from "@tanstack/react-router";
import { ActButton } from "../../../act/act-dialog.tsx";
import type { ActSpec } from "../../../act/act-spec.ts";
import type { SentInvitation } from "../../../api/own-operations.ts";
import { useMay, usePlatform, useRead } from "../../../api/platform.ts";
import { Detail, DetailOf } from "../../../detail/detail.tsx";
import { Facts } from "../../../detail/facts.tsx";
import { ListPage } from "../../../detail/list-page.tsx";
import { t } from "../../../text/messages.ts";
import { StatePill } from "../../../ui/pill.tsx";
import { IdLink } from "../../../ui/place-link.tsx";
import { Amount, OutsideText, Time } from "../../../ui/values.tsx";
import { Inviter, invitationList } from "./invitation-list.tsx";
import { inviteAct } from "./invite-act.tsx";

export function InvitationsPage() {
  return <ListPage spec={invitationList} place="invitations" acts={<NewInvitation />} />;
}

function NewInvitation() {
  const { send } = usePlatform();
  if (!useMay("invitations.write")) return undefined;
  return (
    <ActButton spec={inviteAct(send)} weight="primary">
      {t("invitations.new")}
    </ActButton>
  );
}

export function InvitationDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const mayCancel = useMay("invitations.write");
  const reading = useRead<"getSentInvitation">({ method: "GET", path: ["sent-invitations", id] });
  return (
    <DetailOf reading={reading}>
      {(invitation) => (
        <Detail
          kind={t("kind.Invitation")}
          isAmount={invitation.amountToSend !== undefined}
          lead={
            invitation.amountToSend === undefined ? (
              <Inviter invitation={invitation} />
            ) : (
              <Amount amount={invitation.amountToSend} />
            )
          }
          state={<StatePill state={invitation.status} />}
          id={invitation.id}
          acts={
            mayCancel && invitation.status === "PENDING" ? (
              <ActButton spec={cancel(invitation)} weight="danger">
                {t("invitations.cancel")}
              </ActButton>
            ) : undefined
          }
          json={invitation}
          tabs={[
            {
              id: "overview",
              title: t("detail.overview"),
              content: <Overview invitation={invitation} />,
            },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ invitation }: { readonly invitation: SentInvitation }) {
  const { inviter, inviterUma, inviteeUma, expiresAt, claimedAt, createdAt } = invitation;
  return (
    <Facts
      facts={[
        [t("column.customer"), <IdLink key="customer" id={inviter.customerId} />],
        [t("invitations.inviter"), <OutsideText key="inviter" text={inviterUma} />],
        inviteeUma !== undefined && [
          t("invitations.claimedBy"),
          <OutsideText key="invitee" text={inviteeUma} />,
        ],
        claimedAt !== undefined && [
          t("invitations.claimed"),
          <Time key="claimed" at={claimedAt} isExact />,
        ],
        expiresAt !== undefined && [
          t("column.expires"),
          <Time key="expires" at={expiresAt} isExact />,
        ],
        [t("column.created"), <Time key="created" at={createdAt} isExact />],
      ]}
    />
  );
}

function cancel({ id }: SentInvitation): ActSpec<"cancelSentInvitation"> {
  return {
    title: t("invitations.cancelTitle"),
    verb: t("invitations.cancel"),
    intro: t("invitations.cancelIntro"),
    isDanger: true,
    fields: [],
    toCall: () => ({ method: "POST", path: ["sent-invitations", id, "cancel"] }),
  };
}

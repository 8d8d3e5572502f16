/** Comments of those who ask and those who decide. A comment is never changed, and no passkey signs it. */
import { ActButton } from "../../../act/act-dialog.tsx";
import type { ActSpec } from "../../../act/act-spec.ts";
import type { DetailedApproval } from "../../../api/approval-operations.ts";
import { Section } from "../../../detail/facts.tsx";
import { t } from "../../../text/messages.ts";
import { OutsideText, Time } from "../../../ui/values.tsx";

export function Comments({ approval }: { readonly approval: DetailedApproval }) {
  const { id, comments, mayComment } = approval;
  if (comments.length === 0 && !mayComment) return null;
  return (
    <Section
      title={t("approvals.comments")}
      act={
        mayComment && (
          <ActButton spec={comment(id)} weight="quiet">
            {t("approvals.comment")}
          </ActButton>
        )
      }
    >
      {comments.length === 0 ? (
        <p className="text-soft">{t("approvals.noComment")}</p>
      ) : (
        <ul>
          {comments.map(({ id: key, author, comment: text, createdAt }) => (
            <li key={key} className="border-line border-b py-2">
              <p className="text-caption text-soft">
                <OutsideText text={author.name} /> · <Time at={createdAt} isExact />
              </p>
              <p className="text-form">
                <OutsideText text={text} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function comment(id: string): ActSpec<"commentApproval"> {
  return {
    title: t("approvals.comment"),
    verb: t("approvals.comment"),
    fields: [{ name: "comment", label: "approvals.commentText", kind: "long" }],
    toCall: ({ comment: text = "" }) => ({
      method: "POST",
      path: ["workspace", "approvals", id, "comments"],
      body: { comment: text },
    }),
  };
}

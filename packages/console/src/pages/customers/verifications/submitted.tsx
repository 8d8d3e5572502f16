/** The submitted data of a case, and the changes since the previous submission. */
import type { SubmittedAt, VerificationCase } from "../../../api/own-operations.ts";
import { Facts, memberFacts, Section } from "../../../detail/facts.tsx";
import { shortId } from "../../../std/ids.ts";
import { fieldWord } from "../../../text/field-word.ts";
import { t } from "../../../text/messages.ts";
import { OutsideText, Time } from "../../../ui/values.tsx";
import type { ShownOwner } from "../owners.tsx";
import { type Difference, differences } from "./differences.ts";

/** Cases that are older than stored submissions show the customer's present data instead. */
export function Submitted({
  found: { submitted, submittedBefore, current },
}: {
  readonly found: VerificationCase;
}) {
  const { owners: _, ...data } = (submitted ?? current)?.data ?? {};
  if (submitted === undefined)
    return (
      <Section title={t("cases.data")}>
        <Facts facts={memberFacts(data)} />
      </Section>
    );
  return (
    <>
      {submittedBefore !== undefined && (
        <Section title={t("cases.changes")}>
          <Changes before={submittedBefore} after={submitted} />
        </Section>
      )}
      <Section title={t("cases.submitted")}>
        <p className="pb-1 text-caption text-soft">
          <Time at={submitted.at} isExact />
        </p>
        <Facts facts={memberFacts(data)} />
      </Section>
    </>
  );
}

function Changes({ before, after }: { readonly before: SubmittedAt; readonly after: SubmittedAt }) {
  const found = differences(before.data, after.data);
  return (
    <>
      <p className="pb-1 text-caption text-soft">
        {t("cases.since")} <Time at={before.at} isExact />
      </p>
      {found.length === 0 ? (
        <p className="text-body text-soft">{t("cases.unchanged")}</p>
      ) : (
        <Facts facts={found.map((one) => [nameOf(one), <Change key={one.path} {...one} />])} />
      )}
    </>
  );
}

/** Shortens an owner's id; the JSON contains the whole id. */
function nameOf({ path }: Difference): string {
  const [list, id, ...rest] = path.split(".");
  const isOwner = list === "owners" && id !== undefined;
  return isOwner
    ? `${t("cases.owner", { id: shortId(id) })}, ${fieldWord(rest.join("."))}`
    : fieldWord(path);
}

function Change({ before, after }: Difference) {
  return (
    <>
      <del className="text-soft">
        <OutsideText text={before ?? t("cases.none")} />
      </del>
      <span aria-hidden>{"\u2192"}</span>
      <ins className="font-medium no-underline">
        <OutsideText text={after ?? t("cases.none")} />
      </ins>
    </>
  );
}

/** The owners in the case's own data, the only ones that can be read when the case belongs to another platform. */
export function ownersIn({ submitted, current }: VerificationCase): readonly ShownOwner[] {
  return ((submitted ?? current)?.data.owners ?? []) as readonly ShownOwner[];
}

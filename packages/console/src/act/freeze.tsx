/** Freezes customers and accounts with the same form. */
import { t } from "../text/messages.ts";
import { stateChoices } from "../ui/choices.ts";
import { ActButton } from "./act-dialog.tsx";
import type { ActSpec, FormField } from "./act-spec.ts";

const fields: readonly FormField[] = [
  {
    name: "reason",
    label: "column.reason",
    kind: "choice",
    choices: stateChoices(
      ["SUSPECTED_FRAUD", "LEGAL_ORDER", "COMPLIANCE", "CUSTOMER_REQUEST", "OTHER"],
      "freezeReason",
    ),
  },
  {
    name: "scope",
    label: "freeze.scope",
    kind: "choice",
    initial: "DEBITS",
    choices: stateChoices(["DEBITS", "ALL"], "freezeScope"),
  },
  { name: "note", label: "form.note", kind: "long", isOptional: true },
];

export function FreezeButton({
  noun,
  id,
  name,
  isFrozen,
}: {
  readonly noun: "customers" | "internal-accounts";
  readonly id: string;
  readonly name: string;
  readonly isFrozen: boolean;
}) {
  const freeze: ActSpec<"freezeCustomer" | "freezeInternalAccount"> = {
    title: t("freeze.freeze"),
    verb: t("freeze.freeze"),
    intro: t("freeze.intro"),
    isDanger: true,
    typedName: name,
    fields,
    toCall: ({ reason = "", scope = "", note = "" }) =>
      ({
        method: "POST",
        path: [noun, id, "freeze"],
        body: { reason, scope, ...(note === "" ? {} : { note }) },
      }) as never,
  };
  const unfreeze: ActSpec<"unfreezeCustomer" | "unfreezeInternalAccount"> = {
    title: t("freeze.unfreeze"),
    verb: t("freeze.unfreeze"),
    intro: t("freeze.unfreezeIntro"),
    fields: [],
    toCall: () => ({ method: "POST", path: [noun, id, "unfreeze"] }) as never,
  };
  return isFrozen ? (
    <ActButton spec={unfreeze} act="unfreeze">
      {t("freeze.unfreeze")}
    </ActButton>
  ) : (
    <ActButton spec={freeze} act="freeze" weight="danger">
      {t("freeze.freeze")}
    </ActButton>
  );
}

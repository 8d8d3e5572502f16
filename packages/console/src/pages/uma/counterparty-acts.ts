/** What a person may set of another institution. */
import type { UmaCounterparty } from "@florin/client";
import type { ActSpec } from "../../act/act-spec.ts";
import { t, wordOf } from "../../text/messages.ts";
import { stateChoices } from "../../ui/choices.ts";

type Status = "DEFAULT" | "ALLOWED" | "BLOCKED";

/** An institution that may be unknown until then. */
export const setInstitution: ActSpec<"setUmaCounterparty"> = {
  title: t("uma.set"),
  verb: t("act.save"),
  intro: t("uma.setIntro"),
  fields: [
    { name: "domain", label: "uma.domain", kind: "text", placeholder: "bank.example" },
    {
      name: "status",
      label: "column.status",
      kind: "choice",
      initial: "ALLOWED",
      choices: stateChoices(["ALLOWED", "BLOCKED"], "umaStatus"),
    },
  ],
  toCall: ({ domain = "", status = "" }) => ({
    method: "PUT",
    path: ["uma", "counterparties", domain.trim()],
    body: { status: status as Status },
  }),
};

export function setStatus(
  { domain, overrides }: UmaCounterparty,
  status: Status,
): ActSpec<"setUmaCounterparty"> {
  const isBlock = status === "BLOCKED";
  return {
    title: t(`umaSet.${status}`, { domain }),
    verb: wordOf("umaSetVerb", status),
    intro: wordOf("umaSetIntro", status),
    isDanger: isBlock,
    typedName: isBlock ? domain : undefined,
    fields: [],
    toCall: () => ({
      method: "PUT",
      path: ["uma", "counterparties", domain],
      body: { status, overrides },
    }),
  };
}

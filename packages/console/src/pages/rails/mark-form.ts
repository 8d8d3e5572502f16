/** The fields of a mark, of one order or of many. */
import type { Operations } from "@florin/client";
import type { FormField, FormValues } from "../../act/act-spec.ts";
import { stateChoices } from "../../ui/choices.ts";

export function markFields(outcome?: string): readonly FormField[] {
  return [
    {
      name: "outcome",
      label: "rails.outcome",
      kind: "choice",
      initial: outcome,
      choices: stateChoices(["SENT", "SETTLED", "DECLINED", "RETURNED"]),
    },
    { name: "reference", label: "rails.bankReference", kind: "text", isOptional: true },
    { name: "note", label: "form.note", kind: "text", isOptional: true },
  ];
}

/** The reason, of an outcome that needs one. */
export function markFieldsFor({ outcome }: FormValues): readonly FormField[] {
  if (outcome !== "DECLINED" && outcome !== "RETURNED") return [];
  return [
    {
      name: "code",
      field: "reason.code",
      label: "rails.code",
      kind: "text",
      placeholder: "AC04",
    },
    { name: "text", field: "reason.text", label: "rails.text", kind: "text", isOptional: true },
  ];
}

export function markBody(values: FormValues): Operations["markRailPayment"]["call"]["body"] {
  const { outcome = "", reference = "", note = "", code = "", text = "" } = values;
  const body = {
    outcome,
    ...(reference === "" ? {} : { reference }),
    ...(note === "" ? {} : { note }),
    ...(code === "" ? {} : { reason: { code, ...(text === "" ? {} : { text }) } }),
  };
  return body as never;
}

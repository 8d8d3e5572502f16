/** Assigns the money of an item in suspense, as a whole or in two parts. */
import type { RailItem } from "@florin/client";
import { type ActSpec, type FormField, FormProblem, type FormValues } from "../../act/act-spec.ts";
import { type MessageKey, t } from "../../text/messages.ts";
import { amountLine, readAmount } from "../../text/money.ts";
import { stateChoices } from "../../ui/choices.ts";
import { waitingNote } from "./waiting.tsx";

/** The object that a part must name, by the part's kind. */
const NAMED: Readonly<
  Record<
    string,
    { readonly field: string; readonly label: MessageKey; readonly placeholder?: string }
  >
> = {
  ACCOUNT: { field: "accountId", label: "column.account", placeholder: "InternalAccount:" },
  QUOTE: { field: "quoteId", label: "column.quote", placeholder: "Quote:" },
  PAYMENT: { field: "paymentId", label: "kind.RailPayment", placeholder: "RailPayment:" },
  RECEIVABLE: {
    field: "receivableId",
    label: "kind.RailReceivable",
    placeholder: "RailReceivable:",
  },
  OWN_FUNDS: { field: "label", label: "rails.label" },
  DUPLICATE_OF: { field: "entryId", label: "rails.entry", placeholder: "RailEntry:" },
};

const kinds = stateChoices([...Object.keys(NAMED), "RETURN", "FX"], "partKind");

function partFields(index: 0 | 1, kind: string | undefined): readonly FormField[] {
  const named = NAMED[kind ?? ""];
  const path = `parts.${index}`;
  return [
    ...(named === undefined
      ? []
      : [
          {
            name: `named${index}`,
            field: `${path}.${named.field}`,
            label: named.label,
            kind: "text",
            placeholder: named.placeholder,
          } as const,
        ]),
    ...(kind === "PAYMENT"
      ? [
          {
            name: `outcome${index}`,
            field: `${path}.outcome`,
            label: "rails.outcome",
            kind: "choice",
            choices: stateChoices(["SETTLED", "RETURNED"]),
          } as const,
        ]
      : []),
  ];
}

function partOf(index: 0 | 1, values: FormValues, amount: bigint) {
  const kind = values[`kind${index}`] ?? "";
  const named = NAMED[kind];
  return {
    kind,
    amount: Number(amount),
    ...(named === undefined ? {} : { [named.field]: values[`named${index}`] }),
    ...(kind === "PAYMENT" ? { outcome: values[`outcome${index}`] } : {}),
  };
}

export function resolveItem(item: RailItem): ActSpec<"resolveRailItem"> {
  const whole = BigInt(item.amount.amount);
  const { decimals } = item.amount.currency;
  const firstOf = ({ amount = "" }: FormValues) =>
    amount === "" ? whole : readAmount(amount, decimals);
  const hasRest = (values: FormValues) => {
    const first = firstOf(values);
    return first !== undefined && first > 0n && first < whole;
  };
  return {
    title: t("rails.resolve"),
    verb: t("rails.resolve"),
    intro: t("rails.resolveIntro", { whole: amountLine(item.amount) }),
    fields: [
      {
        name: "kind0",
        label: "rails.resolveAs",
        field: "parts.0.kind",
        kind: "choice",
        choices: kinds,
      },
    ],
    fieldsFor: (values) => [
      ...partFields(0, values.kind0),
      {
        name: "amount",
        field: "parts.0.amount",
        label: "column.amount",
        kind: "amount",
        isOptional: true,
        hint: t("rails.wholeHint"),
      },
      ...(hasRest(values)
        ? [
            {
              name: "kind1",
              field: "parts.1.kind",
              label: "rails.restAs",
              kind: "choice",
              choices: kinds,
            } as const,
            ...partFields(1, values.kind1),
          ]
        : []),
      { name: "note", label: "form.note", kind: "long" },
    ],
    toCall(values) {
      const first = firstOf(values);
      if (first === undefined || first <= 0n || first > whole)
        throw new FormProblem({ amount: t("form.noAmount") });
      const parts = [
        partOf(0, values, first),
        ...(first < whole ? [partOf(1, values, whole - first)] : []),
      ];
      return {
        method: "POST",
        path: ["rails", "items", item.id, "resolve"],
        body: { parts, note: values.note ?? "" } as never,
      };
    },
    after: waitingNote,
  };
}

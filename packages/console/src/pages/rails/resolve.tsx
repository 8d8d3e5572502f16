/** Assigns the money of an item in suspense, as a whole or in two parts. */
import type { RailItem } from "@florin/client";
import { type ActSpec, type FormField, FormProblem, type FormValues } from "../../act/act-spec.ts";
import type { Suggestion } from "../../api/desk-operations.ts";
import { type MessageKey, t } from "../../text/messages.ts";
import { amountLine, readAmount } from "../../text/money.ts";
import { stateChoices } from "../../ui/choices.ts";
import { PICKERS } from "./part-picker.tsx";
import { reasonText, suggestedId } from "./suggested.tsx";
import { waitingNote } from "./waiting.tsx";

/** The object that a part must name, by the part's kind. */
const NAMED: Readonly<Record<string, { readonly field: string; readonly label: MessageKey }>> = {
  ACCOUNT: { field: "accountId", label: "column.account" },
  QUOTE: { field: "quoteId", label: "column.quote" },
  PAYMENT: { field: "paymentId", label: "kind.RailPayment" },
  RECEIVABLE: { field: "receivableId", label: "kind.RailReceivable" },
  OWN_FUNDS: { field: "label", label: "rails.label" },
  DUPLICATE_OF: { field: "entryId", label: "rails.entry" },
  INVOICE: { field: "invoiceId", label: "kind.UmaInvoice" },
};

const kinds = stateChoices([...Object.keys(NAMED), "RETURN", "FX"], "partKind");

interface Choices {
  readonly item: RailItem;
  /** What the first part is at first. */
  readonly suggestion?: Suggestion | undefined;
}

function partFields(index: 0 | 1, kind: string | undefined, of: Choices): readonly FormField[] {
  const path = `parts.${index}`;
  // The suggestion counts until another kind is chosen.
  const suggestion = index === 0 && of.suggestion?.kind === kind ? of.suggestion : undefined;
  return [
    ...namedFields(index, kind ?? "", { ...of, suggestion }),
    ...(kind === "PAYMENT"
      ? [
          {
            name: `outcome${index}`,
            field: `${path}.outcome`,
            label: "rails.outcome",
            kind: "choice",
            initial: suggestion?.outcome,
            choices: stateChoices(["SETTLED", "RETURNED"]),
          } as const,
        ]
      : []),
    ...(kind === "INVOICE"
      ? [
          {
            name: `price${index}`,
            field: `${path}.price`,
            label: "rails.partPrice",
            kind: "choice",
            choices: stateChoices(["QUOTED", "CURRENT"], "partPrice"),
          } as const,
        ]
      : []),
  ];
}

/** The field for the object that a part of this kind names. */
function namedFields(
  index: 0 | 1,
  kind: string,
  { item, suggestion }: Choices,
): readonly FormField[] {
  const named = NAMED[kind];
  if (named === undefined) return [];
  // Another kind names another object, so each has a value of its own.
  const field = {
    name: `named${index}${kind}`,
    field: `parts.${index}.${named.field}`,
    label: named.label,
  };
  const picker = PICKERS[kind];
  if (picker === undefined) return [{ ...field, kind: "text" }];
  const initialText = suggestion?.customerName ?? suggestion?.reference ?? "";
  return [
    {
      ...field,
      kind: "own",
      initial: suggestion && suggestedId(suggestion),
      control: (control) => picker({ control, of: item, initialText }),
    },
  ];
}

function partOf(index: 0 | 1, values: FormValues, amount: bigint) {
  const kind = values[`kind${index}`] ?? "";
  const named = NAMED[kind];
  return {
    kind,
    amount: Number(amount),
    ...(named === undefined ? {} : { [named.field]: values[`named${index}${kind}`] }),
    ...(kind === "PAYMENT" ? { outcome: values[`outcome${index}`] } : {}),
    ...(kind === "INVOICE" ? { price: values[`price${index}`] } : {}),
  };
}

/** With a suggestion, everything is filled in as it says. */
export function resolveItem(item: RailItem, suggestion?: Suggestion): ActSpec<"resolveRailItem"> {
  const of = { item, suggestion };
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
        initial: suggestion?.kind,
        choices: kinds,
      },
    ],
    fieldsFor: (values) => [
      ...partFields(0, values.kind0, of),
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
            ...partFields(1, values.kind1, of),
          ]
        : []),
      {
        name: "note",
        label: "form.note",
        kind: "long",
        initial: suggestion?.reasons.map(reasonText).join(". "),
      },
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

/** Corrections of an account's balance. Each is posted only after another person approves it. */
import type { Adjustment, CreateAdjustmentBody, InternalAccount } from "@florin/client";
import { type ActSpec, FormProblem } from "../../act/act-spec.ts";
import type { Call } from "../../api/operations.ts";
import type { ListSpec } from "../../list/list-spec.ts";
import { t, wordOf } from "../../text/messages.ts";
import { readAmount } from "../../text/money.ts";
import { stateChoices } from "../../ui/choices.ts";
import { IdLink } from "../../ui/place-link.tsx";
import { Amount, OutsideText, Time } from "../../ui/values.tsx";

const REASONS = [
  "ERROR_CORRECTION",
  "GOODWILL",
  "FEE_REVERSAL",
  "CHARGE",
  "WRITE_OFF",
  "OTHER",
] as const;

function SignedAmount({ adjustment }: { readonly adjustment: Adjustment }) {
  const { amount, direction } = adjustment;
  return <Amount amount={amount} sign={direction === "CREDIT" ? "plus" : "minus"} isStrong />;
}

export function adjustmentList(accountId: string): ListSpec<"listAdjustments"> {
  return {
    name: "adjustments",
    title: "adjustments.title",
    call: (query) =>
      ({
        method: "GET",
        path: ["adjustments"],
        query: { ...query, accountId },
      }) as Call<"listAdjustments">,
    rowId: ({ id }) => id,
    columns: [
      {
        id: "amount",
        title: "column.amount",
        isEnd: true,
        cell: (row) => <SignedAmount adjustment={row} />,
      },
      {
        id: "reason",
        title: "column.reason",
        cell: ({ reasonCode }) => wordOf("adjustmentReason", reasonCode),
      },
      { id: "note", title: "form.note", cell: ({ note }) => <OutsideText text={note} isLine /> },
      {
        id: "approval",
        title: "kind.Approval",
        cell: ({ approvalId }) => <IdLink id={approvalId} />,
      },
      {
        id: "posted",
        title: "column.created",
        isEnd: true,
        cell: ({ postedAt }) => <Time at={postedAt} />,
      },
    ],
    filters: [],
    card: (row) => ({
      lead: <SignedAmount adjustment={row} />,
      under: <OutsideText text={row.note} isLine />,
      end: wordOf("adjustmentReason", row.reasonCode),
      endUnder: <Time at={row.postedAt} />,
    }),
    empty: "adjustments.empty",
    curl: `/adjustments?accountId=${accountId}`,
  };
}

export function adjustSpec({ id, balance }: InternalAccount): ActSpec<"createAdjustment"> {
  const { code, decimals } = balance.currency;
  return {
    title: t("adjustments.adjust"),
    verb: t("adjustments.adjust"),
    intro: t("adjustments.intro"),
    fields: [
      {
        name: "direction",
        label: "adjustments.direction",
        kind: "choice",
        initial: "CREDIT",
        choices: stateChoices(["CREDIT", "DEBIT"], "adjustments.direction"),
      },
      {
        name: "amount",
        label: "column.amount",
        kind: "amount",
        placeholder: "0.00",
        hint: t("payments.inCurrency", { code }),
      },
      {
        name: "reasonCode",
        label: "column.reason",
        kind: "choice",
        choices: stateChoices(REASONS, "adjustmentReason"),
      },
      { name: "note", label: "form.note", kind: "long", hint: t("adjustments.noteHint") },
    ],
    isTriedOut: true,
    toCall({ direction = "", amount = "", reasonCode = "", note = "" }) {
      const minor = readAmount(amount, decimals);
      if (minor === undefined || minor > BigInt(Number.MAX_SAFE_INTEGER))
        throw new FormProblem({ amount: t("form.noAmount") });
      const body = { accountId: id, direction, amount: Number(minor), currency: code };
      return {
        method: "POST",
        path: ["adjustments"],
        body: { ...body, reasonCode, note } as CreateAdjustmentBody,
      };
    },
  };
}

/** The two sides of a new payment, and how the money goes from one to the other. */
import type { PaymentSide } from "../../../api/payment-operations.ts";
import { t } from "../../../text/messages.ts";
import { amountLine, decimalsFor } from "../../../text/money.ts";
import { shortTime } from "../../../text/time.ts";
import type { Option } from "../../accounts/name-picker.tsx";

export type Way = "OUT" | "IN" | "BOOK" | "QUOTE";

/** A payment within one currency is a transfer; any other one needs a quote, and so does one to a UMA address. */
export function wayOf(from: PaymentSide, to: PaymentSide): Way {
  if (from.currency !== to.currency) return "QUOTE";
  if (from.isInternal) return to.isInternal ? "BOOK" : "OUT";
  return to.isInternal ? "IN" : "QUOTE";
}

export function sideId({ accountId, umaAddress }: PaymentSide): string {
  return accountId ?? umaAddress ?? "";
}

export function sideDecimals({ currency = "" }: PaymentSide): number {
  return decimalsFor(currency);
}

/** What tells the side from others of its name: its account, the customer who has it, and the last payment. */
export function sideDetail({ party, lastAt }: PaymentSide): string {
  const { detail, holder, name } = party;
  const parts = [
    detail,
    holder === undefined || holder.name === name ? holder?.yourId : holder.name,
    lastAt === undefined ? undefined : t("payments.lastAt", { time: shortTime(lastAt) }),
  ];
  const shown = parts.filter((part) => part !== undefined && part !== "" && part !== name);
  return [...new Set(shown)].join(" \u00b7 ");
}

export function optionOf(side: PaymentSide): Option & { readonly side: PaymentSide } {
  return { id: sideId(side), label: side.party.name, detail: sideDetail(side), side };
}

/** What is told of the chosen side below its field. */
export function sideNote(side: PaymentSide): string {
  const { available, party } = side;
  return [
    party.detail,
    available === undefined
      ? undefined
      : t("payments.available", { amount: amountLine(available) }),
  ]
    .filter((part) => part !== undefined && part !== "")
    .join(" \u00b7 ");
}

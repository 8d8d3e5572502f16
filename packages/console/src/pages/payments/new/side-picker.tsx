/** Picks who pays or is paid: the server finds it by its words, among all accounts. */
import { useState } from "react";
import type { PaymentSide } from "../../../api/payment-operations.ts";
import { useRead } from "../../../api/platform.ts";
import { useSettledText } from "../../../std/settled-text.ts";
import { t } from "../../../text/messages.ts";
import { StatePill } from "../../../ui/pill.tsx";
import { Amount } from "../../../ui/values.tsx";
import { NamePicker } from "../../accounts/name-picker.tsx";
import { optionOf, sideId, sideNote } from "./sides.ts";

interface SidePickerProps {
  readonly label: string;
  readonly error: string | undefined;
  readonly side: PaymentSide | undefined;
  /** The account that pays, where the payee is picked. */
  readonly source?: string | undefined;
  /** Only accounts in this currency are offered. */
  readonly currency?: string | undefined;
  readonly onPick: (side: PaymentSide | undefined) => void;
}

export function SidePicker({ label, error, side, source, currency, onPick }: SidePickerProps) {
  const [text, setText] = useState(side?.party.name ?? "");
  // The name of the chosen side is no text to find others by.
  const wanted = text === side?.party.name ? "" : text.trim();
  const found = useSides(source, useSettledText(wanted, TYPING_MS));
  const fits = (one: PaymentSide) =>
    currency === undefined || (one.accountId !== undefined && one.currency === currency);
  const options = (found?.data ?? [])
    .filter(fits)
    .map((one) => ({ ...optionOf(one), end: <End side={one} /> }));
  return (
    <NamePicker
      label={label}
      hint={t(source === undefined ? "payments.findSource" : "payments.findPayee")}
      error={error}
      text={text}
      options={options}
      chosen={side && sideId(side)}
      note={side === undefined ? hasMoreNote(found) : sideNote(side)}
      nothing={found === undefined ? t("state.loading") : t("payments.noSide")}
      onText={setText}
      onChoose={(option) =>
        onPick(found?.data.find((one) => option !== undefined && sideId(one) === option.id))
      }
    />
  );
}

/** One of the two operations is read. */
export function useSides(source: string | undefined, text: string | undefined) {
  const q = text === undefined || text === "" ? {} : { q: text };
  const isOff = text === undefined;
  const sources = useRead<"listPaymentSources">(
    { method: "GET", path: ["payment-sources"], query: q },
    { isOff: isOff || source !== undefined, keepsPrevious: true },
  );
  const payees = useRead<"listPaymentDestinations">(
    { method: "GET", path: ["payment-destinations"], query: { source: source ?? "", ...q } },
    { isOff: isOff || source === undefined, keepsPrevious: true },
  );
  return source === undefined ? sources.data : payees.data;
}

function hasMoreNote(found: { readonly hasMore: boolean } | undefined): string | undefined {
  return found?.hasMore === true ? t("payments.moreSides") : undefined;
}

function End({ side: { available, status } }: { readonly side: PaymentSide }) {
  if (status !== undefined && status !== "ACTIVE") return <StatePill state={status} />;
  return available === undefined ? undefined : <Amount amount={available} />;
}

const TYPING_MS = 150;

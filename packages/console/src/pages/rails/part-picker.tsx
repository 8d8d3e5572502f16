/** Picks the object that a part of a resolution names: by a person's name, an amount or a reference. An id can be pasted as well. */
import { useDeferredValue, useState } from "react";
import type { OwnControl } from "../../act/act-spec.ts";
import { useRead } from "../../api/platform.ts";
import { shortId } from "../../std/ids.ts";
import { t, wordOf } from "../../text/messages.ts";
import { type AmountLike, amountLine } from "../../text/money.ts";
import { shortTime } from "../../text/time.ts";
import { partyText } from "../../ui/party.tsx";
import { NamePicker, type Option } from "../accounts/name-picker.tsx";

/** What the item asks for: its connection, line, direction and amount. */
export interface PickedFor {
  readonly connectionId: string;
  readonly entryId?: string;
  readonly direction: string;
  readonly amount: AmountLike & { readonly currency: { readonly code: string } };
}

interface PickerProps {
  readonly control: OwnControl;
  readonly of: PickedFor;
  /** The name of the object that is chosen at first. */
  readonly initialText: string;
}

/** The server refuses a longer one; a name may be longer. */
const LONGEST_SEARCH = 100;

/** The pickers, by the kind of part. */
export const PICKERS: Readonly<Record<string, (props: PickerProps) => React.ReactNode>> = {
  ACCOUNT: (props) => <AccountPicker {...props} />,
  QUOTE: (props) => <QuotePicker {...props} />,
  PAYMENT: (props) => <OrderPicker {...props} />,
  RECEIVABLE: (props) => <ReceivablePicker {...props} />,
  DUPLICATE_OF: (props) => <EntryPicker {...props} />,
  INVOICE: (props) => <InvoicePicker {...props} />,
};

function AccountPicker(props: PickerProps) {
  const [text, setText] = useState(props.initialText);
  const q = useDeferredValue(text.trim());
  const currency = props.of.amount.currency.code;
  const { data } = useRead<"listDeskAccounts">(
    {
      method: "GET",
      path: ["rails", "desk", "accounts"],
      query: { currency, q: q.slice(0, LONGEST_SEARCH) },
    },
    { isOff: q === "", keepsPrevious: true },
  );
  const options = (q === "" ? [] : (data?.data ?? [])).map(
    ({ accountId, customerName = "", platformCustomerId = "" }) => ({
      id: accountId,
      label: customerName,
      detail: `${platformCustomerId} \u00b7 ${currency}`,
    }),
  );
  return <Picker {...props} {...{ text, setText, options }} prefix="InternalAccount:" />;
}

/** The detail of an option, of the parts that are known. */
function told(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" \u00b7 ");
}

function OrderPicker(props: PickerProps) {
  const { connectionId } = props.of;
  const { data } = useRead<"listRailPayments">({
    method: "GET",
    path: ["rails", "payments"],
    query: { connectionId, limit: 100, expand: "parties" },
  });
  const options = (data?.data ?? []).map(
    ({ id, amount, counterparty, parties, state, reference }) => ({
      id,
      label: `${amountLine(amount)} ${counterparty.name ?? counterparty.identifierMasked}`,
      detail: told(wordOf("state", state), reference, parties?.from?.name),
    }),
  );
  return <LocalPicker {...props} options={options} prefix="RailPayment:" />;
}

/** Only a quote that waits for exactly the amount can be funded by the item. */
function QuotePicker(props: PickerProps) {
  const { data } = useRead<"listQuotes">({
    method: "GET",
    path: ["quotes"],
    query: { status: "PENDING", limit: 100, expand: "parties" },
  });
  const { amount } = props.of;
  const options = (data?.data ?? [])
    .filter(
      ({ sendingCurrency, totalSendingAmount }) =>
        sendingCurrency.code === amount.currency.code &&
        String(totalSendingAmount) === String(amount.amount),
    )
    .map(({ id, totalReceivingAmount, receivingCurrency, createdAt, parties }) => ({
      id,
      label: `${amountLine(amount)} \u2192 ${amountLine({ amount: totalReceivingAmount, currency: receivingCurrency })}`,
      detail: told(parties?.to && partyText(parties.to), shortTime(createdAt)),
    }));
  return <LocalPicker {...props} options={options} prefix="Quote:" />;
}

function ReceivablePicker(props: PickerProps) {
  const { data } = useRead<"listReceivables">({
    method: "GET",
    path: ["rails", "receivables"],
    query: { state: "OPEN", limit: 100, expand: "parties" },
  });
  const options = (data?.data ?? []).map(({ id, open, createdAt, parties }) => ({
    id,
    label: `${amountLine(open)} ${parties?.from?.name ?? ""}`.trim(),
    detail: told(parties?.from?.holder?.yourId, shortTime(createdAt)),
  }));
  return <LocalPicker {...props} options={options} prefix="RailReceivable:" />;
}

function EntryPicker(props: PickerProps) {
  const { connectionId, direction, amount } = props.of;
  const { data } = useRead<"listRailEntries">({
    method: "GET",
    path: ["rails", "entries"],
    query: { connectionId, limit: 100 },
  });
  const options = (data?.data ?? [])
    .filter((entry) => entry.direction === direction && entry.amount.amount === amount.amount)
    .map(({ id, bankReference, bookedOn, payer }) => ({
      id,
      label: `${bankReference} ${payer?.name ?? ""}`.trim(),
      detail: bookedOn,
    }));
  return <LocalPicker {...props} options={options} prefix="RailEntry:" />;
}

/** The invoice that the line names, and those of the latest UMA payments. An invoice has the id of its payment. */
function InvoicePicker(props: PickerProps) {
  const { entryId = "" } = props.of;
  const entry = useRead<"getRailEntry">(
    { method: "GET", path: ["rails", "entries", entryId] },
    { isOff: entryId === "" },
  );
  const { data } = useRead<"listTransactions">({
    method: "GET",
    path: ["transactions"],
    query: { type: "INCOMING", sortOrder: "desc", limit: 100 },
  });
  const named = entry.data?.invoiceId;
  const payments = (data?.data ?? [])
    .filter(({ paymentRail, railEntryId }) => paymentRail === "UMA" && railEntryId === undefined)
    .map(({ id, receivedAmount, source, status, createdAt }) => ({
      id: `UmaInvoice:${id.split(":")[1]}`,
      label: `${receivedAmount === undefined ? "" : amountLine(receivedAmount)} ${source !== undefined && "umaAddress" in source ? source.umaAddress : ""}`,
      detail: told(wordOf("state", status), shortTime(createdAt)),
    }));
  const byLine =
    named === undefined || payments.some(({ id }) => id === named)
      ? []
      : [{ id: named, label: t("desk.namedByLine"), detail: shortId(named) }];
  const first = payments.filter(({ id }) => id === named);
  const others = payments.filter(({ id }) => id !== named);
  return <LocalPicker {...props} options={[...byLine, ...first, ...others]} prefix="UmaInvoice:" />;
}

interface Options {
  readonly options: readonly Option[];
  readonly prefix: string;
}

/** Filters options that were read before by the words that are typed. */
function LocalPicker(props: PickerProps & Options) {
  const [text, setText] = useState(props.initialText);
  const words = text.toLowerCase().split(/\s+/);
  const isChosen = props.options.some(({ label }) => label === text);
  const fits = ({ label, detail }: Option) =>
    isChosen || words.every((word) => `${label} ${detail}`.toLowerCase().includes(word));
  return (
    <Picker
      {...props}
      text={text}
      setText={setText}
      options={props.options.filter(fits).slice(0, MOST_SHOWN)}
    />
  );
}

const MOST_SHOWN = 20;

function Picker({
  control: { label, error, onChange, value },
  text,
  setText,
  options,
  prefix,
}: PickerProps & Options & { readonly text: string; readonly setText: (text: string) => void }) {
  return (
    <NamePicker
      label={label}
      error={error}
      hint={t("desk.pickHint")}
      text={text}
      options={options}
      chosen={value === "" ? undefined : value}
      onText={setText}
      onChoose={(option, typed) => {
        const pasted = typed.trim().startsWith(prefix) ? typed.trim() : "";
        onChange(option?.id ?? pasted);
      }}
    />
  );
}

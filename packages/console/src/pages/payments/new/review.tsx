/** The last step: shows the payment and its price, and makes it. */
import type { Quote } from "@florin/client";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { waitingApproval } from "../../../act/approval-note.tsx";
import { toFailure } from "../../../api/failures.ts";
import { useAct } from "../../../api/platform.ts";
import { Facts } from "../../../detail/facts.tsx";
import { newKey, now } from "../../../std/host.ts";
import { t } from "../../../text/messages.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/states.tsx";
import { Amount, OutsideText } from "../../../ui/values.tsx";
import type { Party, Way } from "./parties.ts";

export interface Draft {
  readonly from: Party;
  readonly to: Party;
  readonly way: Way;
  /** The side whose amount is fixed. */
  readonly side: "SENDING" | "RECEIVING";
  readonly minor: bigint;
  readonly description: string;
}

interface ReviewProps {
  readonly draft: Draft;
  /** Returns to the step with the invalid field. */
  readonly onBack: (errors: Readonly<Record<string, string>>) => void;
  readonly onBusy: (isBusy: boolean) => void;
  /** Called with the id of the payment, or of the approval that the order needs. */
  readonly onDone: (id: string) => void;
}

export function Review(props: ReviewProps) {
  return props.draft.way === "QUOTE" ? <Priced {...props} /> : <Transfer {...props} />;
}

const PATHS = { OUT: "transfer-out", IN: "transfer-in", BOOK: "transfers" } as const;
/** The form's field for each field of the calls. */
const PLACES: Readonly<Record<string, string>> = {
  "source.accountId": "from",
  "destination.accountId": "to",
  amount: "amount",
  lockedCurrencyAmount: "amount",
  description: "description",
};

/** Returns to the step of the refused field; any other refusal is shown in this step. */
function useRefusals(onBack: ReviewProps["onBack"]) {
  const [message, setMessage] = useState<string>();
  const key = useRef(newKey());
  return {
    message,
    key,
    clear: () => setMessage(undefined),
    refused(error: unknown) {
      const { fields, message: words, isOutcomeKnown } = toFailure(error);
      // The server replays the refusal for this key, so another try needs a new key.
      if (isOutcomeKnown) key.current = newKey();
      const placed = Object.entries(fields).flatMap(([name, one]) => {
        const place = PLACES[name];
        return place === undefined ? [] : [[place, one] as const];
      });
      if (placed.length > 0) onBack(Object.fromEntries(placed));
      else setMessage(words);
    },
  };
}

function Transfer({ draft, onBack, onBusy, onDone }: ReviewProps) {
  const act = useAct<"transferOut" | "transferIn" | "createTransfer">();
  const { message, key, clear, refused } = useRefusals(onBack);
  const { from, to, minor, description, way } = draft;
  const send = async () => {
    clear();
    onBusy(true);
    const body = {
      source: { accountId: from.value },
      destination: { accountId: to.value },
      amount: Number(minor),
      ...(description === "" ? {} : { description }),
    };
    const path = [PATHS[way as keyof typeof PATHS]];
    try {
      const call = { method: "POST", path, body } as never;
      const { id } = await act.mutateAsync({ call, key: key.current });
      onDone(id);
    } catch (error) {
      refused(error);
    } finally {
      onBusy(false);
    }
  };
  const amount = { amount: String(minor), currency: from.code };
  return (
    <Summary draft={draft} message={message} isBusy={act.isPending} onBack={onBack} onSend={send}>
      <Facts
        facts={[
          [t("column.amount"), <Amount key="amount" amount={amount} isStrong />],
          [t("column.fees"), t("payments.noFees")],
        ]}
      />
    </Summary>
  );
}

/** Creates a quote when the step is shown, and a new one when it expires. */
function Priced({ draft, onBack, onBusy, onDone }: ReviewProps) {
  const price = useAct<"createQuote">();
  const execution = useAct<"executeQuote">();
  const { message, key, clear, refused } = useRefusals(onBack);
  const begun = useRef(false);
  const { from, to, side, minor, description } = draft;
  const ask = () => {
    clear();
    const body = {
      source: { sourceType: "ACCOUNT", accountId: from.value },
      destination: { destinationType: "ACCOUNT", accountId: to.value },
      lockedCurrencySide: side,
      lockedCurrencyAmount: Number(minor),
      ...(description === "" ? {} : { description }),
    };
    const call = { method: "POST", path: ["quotes"], body } as never;
    price.mutateAsync({ call, key: newKey() }).catch(refused);
  };
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    ask();
  });
  const quote = price.data;
  const left = useSecondsLeft(quote?.expiresAt);
  const send = async () => {
    if (quote === undefined) return;
    clear();
    onBusy(true);
    try {
      const path = ["quotes", quote.id, "execute"] as const;
      const answer = await execution.mutateAsync({
        call: { method: "POST", path },
        key: key.current,
      });
      onDone(waitingApproval(answer)?.id ?? quote.transactionId);
    } catch (error) {
      refused(error);
    } finally {
      onBusy(false);
    }
  };
  const isOver = left === 0;
  return (
    <Summary
      draft={draft}
      message={message}
      isBusy={price.isPending || execution.isPending}
      onBack={onBack}
      onSend={isOver ? ask : send}
      verb={isOver ? t("payments.priceAgain") : undefined}
    >
      {quote === undefined ? (
        message === undefined && <Skeleton rows={4} />
      ) : (
        <Price quote={quote} left={left} />
      )}
    </Summary>
  );
}

function Price({ quote, left }: { readonly quote: Quote; readonly left: number }) {
  const { sendingCurrency, receivingCurrency } = quote;
  const sent = { amount: quote.totalSendingAmount, currency: sendingCurrency };
  const received = { amount: quote.totalReceivingAmount, currency: receivingCurrency };
  const fees = { amount: quote.feesIncluded, currency: sendingCurrency };
  return (
    <Facts
      facts={[
        [t("payments.sent"), <Amount key="sent" amount={sent} isStrong />],
        [t("column.received"), <Amount key="received" amount={received} isStrong />],
        [t("column.fees"), <Amount key="fees" amount={fees} />],
        [
          t("column.rate"),
          `1 ${receivingCurrency.code} = ${quote.exchangeRate} ${sendingCurrency.code}`,
        ],
        [
          t("payments.priceHolds"),
          <span key="left" className="tabular-nums" aria-live="off">
            {left === 0
              ? t("payments.priceOver")
              : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`}
          </span>,
        ],
      ]}
    />
  );
}

/** Counts by this browser's clock; the server decides by its own. */
function useSecondsLeft(until: string | undefined): number {
  const [left, setLeft] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    if (until === undefined) return undefined;
    const count = () => setLeft(Math.max(0, Math.ceil((Date.parse(until) - now()) / 1_000)));
    count();
    const timer = setInterval(count, 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}

function Summary({
  draft: { from, to, description },
  message,
  isBusy,
  onBack,
  onSend,
  verb = t("payments.send"),
  children,
}: {
  readonly draft: Draft;
  readonly message: string | undefined;
  readonly isBusy: boolean;
  readonly onBack: ReviewProps["onBack"];
  readonly onSend: () => void;
  readonly verb?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-4">
      <div>
        <Facts
          facts={[
            [t("column.from"), <OutsideText key="from" text={from.label} />],
            [t("column.to"), <OutsideText key="to" text={to.label} />],
            description !== "" && [
              t("payments.description"),
              <OutsideText key="description" text={description} />,
            ],
          ]}
        />
        {children}
      </div>
      {message !== undefined && (
        <p role="alert" className="tint-bad rounded-control p-3 text-form">
          {message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button isDisabled={isBusy} onPress={() => onBack({})}>
          {t("detail.back")}
        </Button>
        <Button weight="primary" isDisabled={isBusy} onPress={onSend}>
          {isBusy ? t("dialog.busy") : verb}
        </Button>
      </div>
    </div>
  );
}

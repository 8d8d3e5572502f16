/** The last step: shows the payment and its price, and makes it. */
import type { Quote } from "@florin/client";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { waitingApproval } from "../../../act/approval-note.tsx";
import { Effects, type TriedId } from "../../../act/effects.tsx";
import { toFailure } from "../../../api/failures.ts";
import type { Call } from "../../../api/operations.ts";
import type { PaymentSide } from "../../../api/payment-operations.ts";
import { useAct, usePlatform } from "../../../api/platform.ts";
import type { PlatformSend } from "../../../api/platform-send.ts";
import { Facts } from "../../../detail/facts.tsx";
import { newKey, now } from "../../../std/host.ts";
import { t } from "../../../text/messages.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/states.tsx";
import { Amount, OutsideText } from "../../../ui/values.tsx";
import { sideDetail, sideId, type Way } from "./sides.ts";
import { type SentAmount, WaitNote } from "./wait-note.tsx";

export interface Draft {
  readonly from: PaymentSide;
  readonly to: PaymentSide;
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
  "destination.umaAddress": "to",
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
  const body = {
    source: { accountId: sideId(from) },
    destination: { accountId: sideId(to) },
    amount: Number(minor),
    ...(description === "" ? {} : { description }),
  };
  const path = [PATHS[way as keyof typeof PATHS]];
  const call = { method: "POST", path, body } as never;
  const send = async () => {
    clear();
    onBusy(true);
    try {
      const { id } = await act.mutateAsync({ call, key: key.current });
      onDone(id);
    } catch (error) {
      refused(error);
    } finally {
      onBusy(false);
    }
  };
  const amount = { amount: String(minor), currency: from.currency ?? "" };
  return (
    <Summary
      draft={draft}
      message={message}
      isBusy={act.isPending}
      onBack={onBack}
      onSend={send}
      sent={{ currency: from.currency ?? "", minor }}
      tried={call}
    >
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
  const { from, side, minor, description } = draft;
  const { send: call } = usePlatform();
  const ask = () => {
    clear();
    const bodyOf = async () => ({
      source: { sourceType: "ACCOUNT", accountId: sideId(from) },
      ...(await receiverOf(draft, call)),
      lockedCurrencySide: side,
      lockedCurrencyAmount: Number(minor),
      ...(description === "" ? {} : { description }),
    });
    const quoteCall = bodyOf().then(
      (body) => ({ method: "POST", path: ["quotes"], body }) as never,
    );
    price.mutateAsync({ call: quoteCall, key: newKey() }).catch(refused);
  };
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    ask();
  });
  const quote = price.data;
  const left = useSecondsLeft(quote);
  const send = async () => {
    if (quote === undefined) return;
    clear();
    onBusy(true);
    try {
      const answer = await execution.mutateAsync({ call: executionOf(quote), key: key.current });
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
      tried={isOver ? undefined : quote && executionOf(quote)}
      sent={
        quote && {
          currency: quote.sendingCurrency.code,
          minor: BigInt(quote.totalSendingAmount),
        }
      }
    >
      {quote === undefined ? (
        message === undefined && <Skeleton rows={4} />
      ) : (
        <Price quote={quote} left={left} />
      )}
    </Summary>
  );
}

function executionOf({ id }: Quote): Call<"executeQuote"> {
  return { method: "POST", path: ["quotes", id, "execute"] };
}

/** The destination of a quote. An address is looked up first; the answer names the id to quote with. */
async function receiverOf({ from, to }: Draft, send: PlatformSend) {
  if (to.umaAddress === undefined)
    return { destination: { destinationType: "ACCOUNT", accountId: sideId(to) } };
  const { customerId, party } = from;
  const { lookupId, requiredPayerDataFields = [] } = await send<"lookupUmaReceiver">({
    method: "GET",
    path: ["receiver", "uma", to.umaAddress],
    query: customerId === undefined ? {} : { customerId },
  });
  // What else the other institution must know, the refusal of the quote names.
  const needsName = requiredPayerDataFields.some(
    ({ name, mandatory }) => mandatory && name === "FULL_NAME",
  );
  return {
    destination: { destinationType: "UMA_ADDRESS", umaAddress: to.umaAddress },
    lookupId,
    ...(needsName ? { senderCustomerInfo: { FULL_NAME: party.holder?.name ?? party.name } } : {}),
  };
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

/** Counts by this browser's clock from the moment at which the price arrived: the time of a sandbox may be ahead. */
function useSecondsLeft(quote: Quote | undefined): number {
  const [left, setLeft] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    if (quote === undefined) return undefined;
    const until = now() + Date.parse(quote.expiresAt) - Date.parse(quote.createdAt);
    const count = () => setLeft(Math.max(0, Math.ceil((until - now()) / 1_000)));
    count();
    const timer = setInterval(count, 1_000);
    return () => clearInterval(timer);
  }, [quote]);
  return left;
}

function Summary({
  draft: { from, to, description },
  message,
  isBusy,
  onBack,
  onSend,
  verb = t("payments.send"),
  sent,
  tried,
  children,
}: {
  readonly draft: Draft;
  readonly message: string | undefined;
  readonly isBusy: boolean;
  readonly onBack: ReviewProps["onBack"];
  readonly onSend: () => void;
  readonly verb?: string | undefined;
  /** Undefined before the price is known. */
  readonly sent: SentAmount | undefined;
  /** The call that sends the payment. */
  readonly tried: Call<TriedId> | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-4">
      <div>
        <Facts
          facts={[
            [t("column.from"), <SideLines key="from" side={from} />],
            [t("column.to"), <SideLines key="to" side={to} />],
            description !== "" && [
              t("payments.description"),
              <OutsideText key="description" text={description} />,
            ],
          ]}
        />
        {children}
      </div>
      <Effects call={message === undefined ? tried : undefined} isOff={isBusy}>
        {sent !== undefined && <WaitNote sent={sent} />}
      </Effects>
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

function SideLines({ side }: { readonly side: PaymentSide }) {
  const { lastAt: _, ...lasting } = side;
  const detail = sideDetail(lasting);
  return (
    <span className="inline-flex min-w-0 max-w-full flex-col items-end">
      <OutsideText text={side.party.name} />
      {detail !== "" && (
        <span className="max-w-full text-caption text-soft">
          <OutsideText text={detail} />
        </span>
      )}
    </span>
  );
}

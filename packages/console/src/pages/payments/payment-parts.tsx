/** Parts of a payment that lists and details share. */
import type { Transaction } from "@florin/client";
import { readId, shortId } from "../../std/ids.ts";
import { t, wordOf } from "../../text/messages.ts";
import type { AmountLike } from "../../text/money.ts";
import { IdLink } from "../../ui/place-link.tsx";
import { Amount, Missing, OutsideText } from "../../ui/values.tsx";

/** The holder's amount: the sent amount of an outgoing payment, the received amount of an incoming one. */
export function ownAmount(payment: Transaction): AmountLike | undefined {
  const [first, second] =
    payment.type === "INCOMING"
      ? [payment.receivedAmount, payment.sentAmount]
      : [payment.sentAmount, payment.receivedAmount];
  return first ?? second;
}

export function PaymentAmount({
  payment,
  isStrong = false,
}: {
  readonly payment: Transaction;
  readonly isStrong?: boolean;
}) {
  const amount = ownAmount(payment);
  if (amount === undefined) return <Missing />;
  const sign = payment.direction === "CREDIT" ? "plus" : "minus";
  return <Amount amount={amount} sign={sign} isStrong={isStrong} />;
}

type Party = Transaction["source"] | Transaction["destination"];

/** Shows an account as a link, an address as text. */
export function PartyOf({ party }: { readonly party: Party }) {
  if (party === undefined) return <Missing />;
  if ("accountId" in party && party.accountId !== undefined) {
    return <IdLink id={party.accountId}>{accountName(party.accountId)}</IdLink>;
  }
  if ("umaAddress" in party && party.umaAddress !== undefined) {
    return <OutsideText text={party.umaAddress} isLine />;
  }
  return <span className="text-soft">{t("payments.funding")}</span>;
}

/** The party as plain text, for a line of a card, which is a link itself. */
export function partyText(party: Party): string {
  if (party === undefined) return "\u2013";
  if ("accountId" in party && party.accountId !== undefined) return accountName(party.accountId);
  if ("umaAddress" in party && party.umaAddress !== undefined) return party.umaAddress;
  return t("payments.funding");
}

function accountName(id: string): string {
  return `${wordOf("kind", readId(id)?.kind ?? "")} ${shortId(id).slice(-6)}`;
}

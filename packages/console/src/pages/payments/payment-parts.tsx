/** Parts of a payment that lists and details share. */
import type { Transaction } from "@florin/client";
import type { Fact } from "../../detail/facts.tsx";
import { isUuid } from "../../std/ids.ts";
import { t } from "../../text/messages.ts";
import type { AmountLike } from "../../text/money.ts";
import { PartyLines, partyName } from "../../ui/party.tsx";
import { NameLink } from "../../ui/place-link.tsx";
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

type Parties = Pick<Transaction, "parties">;

export function partyFacts({ parties }: Parties): readonly Fact[] {
  return [
    [t("column.from"), <PartyLines key="from" party={parties?.from} />],
    [t("column.to"), <PartyLines key="to" party={parties?.to} />],
    parties?.by !== undefined && [t("payments.by"), <PartyLines key="by" party={parties.by} />],
  ];
}

/** Who pays and who is paid, as plain text, for a line that is a link itself. */
export function routeText({ parties }: Parties): string {
  return `${partyName(parties?.from)} \u2192 ${partyName(parties?.to)}`;
}

/** The customer whose payment it is, by the name that one of the sides has. */
export function CustomerOf({ payment }: { readonly payment: Transaction }) {
  const { customerId, platformCustomerId, parties } = payment;
  if (!customerId.startsWith("Customer:"))
    return <span className="text-soft">{t("payments.platform")}</span>;
  const holders = [parties?.from?.holder, parties?.to?.holder];
  const holder = holders.find((one) => one?.id === customerId);
  return (
    <NameLink id={customerId}>
      <OutsideText
        text={
          holder?.name ?? (isUuid(platformCustomerId) ? t("kind.Customer") : platformCustomerId)
        }
        isLine
      />
    </NameLink>
  );
}

import type { Transaction } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import { useRead } from "../../api/platform.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { type Fact, Facts } from "../../detail/facts.tsx";
import type { ListSpec } from "../../list/list-spec.ts";
import { ResourceList } from "../../list/resource-list.tsx";
import { t, wordOf } from "../../text/messages.ts";
import { isMovingState } from "../../text/moving.ts";
import { StatePill } from "../../ui/pill.tsx";
import { IdLink } from "../../ui/place-link.tsx";
import { Amount, OutsideText, OutsideWord, Time } from "../../ui/values.tsx";
import { eventList } from "../events/event-list.tsx";
import { UmaSection } from "../uma/payment-section.tsx";
import { MetadataSection } from "./metadata/metadata-section.tsx";
import { PaymentActs } from "./payment-acts.tsx";
import { paymentList } from "./payment-list.tsx";
import { CustomerOf, PaymentAmount, partyFacts, routeText } from "./payment-parts.tsx";
import { PaymentFailure, TimelineSection } from "./timeline/timeline.tsx";

export function PaymentDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getTransaction">(
    { method: "GET", path: ["transactions", id], query: { expand: "parties" } },
    { isMoving: ({ status }) => isMovingState(status) },
  );
  return <DetailOf reading={reading}>{(payment) => <Shown payment={payment} />}</DetailOf>;
}

function Shown({ payment }: { readonly payment: Transaction }) {
  const { id } = payment;
  return (
    <Detail
      kind={t("kind.Transaction")}
      isAmount
      lead={<PaymentAmount payment={payment} />}
      under={
        <>
          {wordOf("payments.type", payment.type)} {"\u00b7"}{" "}
          <OutsideWord text={routeText(payment)} />
        </>
      }
      state={<StatePill state={payment.status} />}
      id={id}
      acts={<PaymentActs payment={payment} />}
      json={payment}
      path={`/transactions/${id}`}
      tabs={[
        { id: "overview", title: t("detail.overview"), content: <Overview payment={payment} /> },
        ...(payment.groupId === undefined
          ? []
          : [
              {
                id: "legs",
                title: t("payments.legs"),
                content: <Legs groupId={payment.groupId} />,
              },
            ]),
        {
          id: "events",
          title: t("events.title"),
          content: <ResourceList spec={eventList({ resourceId: id })} isEmbedded />,
        },
      ]}
    />
  );
}

/** The payers' side of each leg of the transfer. */
function Legs({ groupId }: { readonly groupId: string }) {
  // All of them are complete, and few: there is nothing to filter.
  const { tabs: _, search: __, ...list } = paymentList({ groupId, type: "OUTGOING" });
  const spec: ListSpec<"listTransactions"> = { ...list, title: "payments.legs", filters: [] };
  return <ResourceList spec={spec} isEmbedded isBeside />;
}

function Overview({ payment }: { readonly payment: Transaction }) {
  return (
    <>
      <PaymentFailure payment={payment} />
      <Facts facts={factsOf(payment)} />
      <UmaSection payment={payment} />
      <MetadataSection payment={payment} />
      <TimelineSection payment={payment} />
    </>
  );
}

const DONE: ReadonlySet<string> = new Set(["COMPLETED", "REFUNDED"]);

function factsOf(payment: Transaction): readonly Fact[] {
  const { sentAmount, receivedAmount, refundedAmount } = payment;
  const sending = sentAmount?.currency;
  // An amount is called sent or received only where it was.
  const isDone = DONE.has(payment.status) && payment.failure === undefined;
  return [
    ...partyFacts(payment),
    sentAmount !== undefined && [
      t(isDone ? "payments.sent" : "payments.toSend"),
      <Amount key="sent" amount={sentAmount} />,
    ],
    receivedAmount !== undefined && [
      t(isDone ? "column.received" : "payments.toArrive"),
      <Amount key="received" amount={receivedAmount} />,
    ],
    payment.fees !== undefined &&
      sending !== undefined && [
        t("column.fees"),
        <Amount key="fees" amount={{ amount: payment.fees, currency: sending }} />,
      ],
    payment.exchangeRate !== undefined &&
      sending !== undefined &&
      receivedAmount !== undefined && [
        t("column.rate"),
        `1 ${receivedAmount.currency.code} = ${payment.exchangeRate} ${sending.code}`,
      ],
    refundedAmount !== undefined && [
      t("payments.refundedAmount"),
      <Amount key="refunded" amount={refundedAmount} />,
    ],
    [t("column.customer"), <CustomerOf key="customer" payment={payment} />],
    payment.paymentRail !== undefined && [t("column.rail"), wordOf("rail", payment.paymentRail)],
    text(t("column.reference"), payment.reference),
    text(t("payments.description"), payment.description),
    text(t("payments.remittance"), payment.remittanceInformation),
    link(t("column.quote"), payment.quoteId),
    link(t("payments.counterpart"), payment.counterpartTransactionId),
    link(t("payments.refundOf"), payment.refundOf),
    link(t("kind.Hold"), payment.holdId),
    payment.depositAccountId !== undefined && [
      t("payments.depositAccount"),
      payment.depositFallback === true ? (
        t("payments.depositFallback")
      ) : (
        <IdLink key="deposit" id={payment.depositAccountId} />
      ),
    ],
    link(t("payments.depositTransaction"), payment.depositTransactionId),
    link(t("payments.depositOf"), payment.depositOf),
    [t("column.created"), <Time key="created" at={payment.createdAt} isExact />],
    [t("column.updated"), <Time key="updated" at={payment.updatedAt} isExact />],
  ];
}

function text(name: string, value: string | undefined): Fact {
  return value === undefined ? undefined : [name, <OutsideText key={name} text={value} />];
}

function link(name: string, id: string | undefined): Fact {
  return id === undefined ? undefined : [name, <IdLink key={name} id={id} />];
}

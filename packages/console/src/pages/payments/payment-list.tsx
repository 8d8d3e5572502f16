import type { Transaction } from "@florin/client";
import type { Call } from "../../api/operations.ts";
import { FilterLink } from "../../list/filter-link.tsx";
import type { Column, Filter, ListSpec } from "../../list/list-spec.ts";
import { wordOf } from "../../text/messages.ts";
import { isMovingState } from "../../text/moving.ts";
import { stateChoices, yesNo } from "../../ui/choices.ts";
import { PartyName } from "../../ui/party.tsx";
import { StatePill } from "../../ui/pill.tsx";
import { IdLink } from "../../ui/place-link.tsx";
import { Amount, Missing, OutsideWord, Time } from "../../ui/values.tsx";
import { CustomerOf, PaymentAmount, routeText } from "./payment-parts.tsx";
import { RefundMark } from "./refund.tsx";

const STATES = [
  "CREATED",
  "PENDING",
  "PROCESSING",
  "COMPLETED",
  "REJECTED",
  "FAILED",
  "REFUNDED",
  "EXPIRED",
];

const FAILURES = [
  "INSUFFICIENT_FUNDS",
  "ACCOUNT_CLOSED",
  "ACCOUNT_INVALID",
  "REJECTED_BY_BANK",
  "TIMED_OUT",
  "RETURNED_BY_BANK",
  "CANCELLED",
  "DELIVERY_FAILED",
  "REFUND_FAILED",
  "COMPLIANCE",
  "FUNDING_MISMATCH",
  "QUOTE_FAILED",
  "RECEIVER_REFUSED",
  "UNKNOWN",
] as const satisfies readonly NonNullable<Transaction["failure"]>["code"][];

const RAILS = ["ACH", "WIRE", "RTP", "FEDNOW", "SEPA", "SEPA_INSTANT", "BOOK", "UMA"];

const columns: readonly Column<Transaction>[] = [
  {
    id: "amount",
    title: "column.amount",
    isEnd: true,
    cell: (row) => <PaymentAmount payment={row} isStrong />,
  },
  { id: "status", title: "column.status", cell: (row) => <Status payment={row} /> },
  { id: "from", title: "column.from", cell: (row) => <PartyName party={row.parties?.from} /> },
  { id: "to", title: "column.to", cell: (row) => <PartyName party={row.parties?.to} /> },
  {
    id: "type",
    title: "column.type",
    cell: (row) => wordOf("payments.type", row.type),
    isExtra: true,
  },
  {
    id: "customer",
    title: "column.customer",
    isExtra: true,
    cell: (row) => <CustomerOf payment={row} />,
  },
  {
    id: "reference",
    title: "column.reference",
    cell: ({ reference }) => <FilterLink name="reference" value={reference} />,
  },
  {
    id: "rail",
    title: "column.rail",
    cell: (row) => (row.paymentRail === undefined ? <Missing /> : wordOf("rail", row.paymentRail)),
  },
  {
    id: "received",
    title: "column.received",
    isEnd: true,
    isExtra: true,
    cell: (row) =>
      row.receivedAmount === undefined ? <Missing /> : <Amount amount={row.receivedAmount} />,
  },
  {
    id: "fees",
    title: "column.fees",
    isEnd: true,
    isExtra: true,
    cell: ({ fees, sentAmount }) =>
      fees === undefined || sentAmount === undefined ? (
        <Missing />
      ) : (
        <Amount amount={{ amount: fees, currency: sentAmount.currency }} />
      ),
  },
  {
    id: "reason",
    title: "payments.failure",
    isExtra: true,
    cell: ({ failure }) =>
      failure === undefined ? <Missing /> : wordOf("failureCode", failure.code),
  },
  {
    id: "agent",
    title: "column.agent",
    isExtra: true,
    cell: (row) => (row.agentId === undefined ? <Missing /> : <IdLink id={row.agentId} />),
  },
  {
    id: "quote",
    title: "column.quote",
    isExtra: true,
    cell: (row) => (row.quoteId === undefined ? <Missing /> : <IdLink id={row.quoteId} />),
  },
  { id: "id", title: "column.id", isExtra: true, cell: (row) => <IdLink id={row.id} /> },
  {
    id: "created",
    title: "column.created",
    isEnd: true,
    cell: (row) => <Time at={row.createdAt} />,
  },
  {
    id: "settled",
    title: "payments.settled",
    isEnd: true,
    isExtra: true,
    cell: (row) => (row.settledAt === undefined ? <Missing /> : <Time at={row.settledAt} />),
  },
];

function Status({ payment }: { readonly payment: Transaction }) {
  return (
    <span className="flex items-center gap-1.5">
      <StatePill state={payment.status} />
      <RefundMark payment={payment} />
    </span>
  );
}

/** Payments of the platform, or of one customer or account when `fixed` names it. */
export function paymentList(
  fixed: Readonly<Record<string, string>> = {},
): ListSpec<"listTransactions"> {
  return {
    name: "payments",
    title: "payments.title",
    call: (query) =>
      ({
        method: "GET",
        path: ["transactions"],
        query: { ...query, ...fixed, expand: "parties" },
      }) as Call<"listTransactions">,
    rowId: ({ id }) => id,
    place: ({ id }) => `payments/${id}`,
    columns,
    tabs: [
      { id: "all", title: "tab.all", query: {} },
      { id: "processing", title: "tab.inProgress", query: { status: "PROCESSING" } },
      { id: "failed", title: "tab.failed", query: { status: "FAILED" } },
      { id: "incoming", title: "tab.incoming", query: { type: "INCOMING" } },
      { id: "refunded", title: "tab.refunded", query: { status: "REFUNDED" } },
    ],
    filters: filtersFor(fixed),
    byMetadata: true,
    search: "payments.search",
    card: (row) => ({
      lead: <PaymentAmount payment={row} isStrong />,
      under: <OutsideWord text={routeText(row)} />,
      end: <Status payment={row} />,
      endUnder: <Time at={row.createdAt} />,
    }),
    isMoving: ({ status }) => isMovingState(status),
    empty: "payments.empty",
    curl: "/transactions",
  };
}

function filtersFor(fixed: Readonly<Record<string, string>>): readonly Filter[] {
  return [
    { name: "status", label: "column.status", kind: "choice", choices: stateChoices(STATES) },
    {
      name: "type",
      label: "column.type",
      kind: "choice",
      choices: stateChoices(["OUTGOING", "INCOMING"], "payments.type"),
    },
    {
      name: "failureCode",
      label: "payments.failure",
      kind: "choice",
      choices: stateChoices(FAILURES, "failureCode"),
    },
    { name: "reference", label: "column.reference", kind: "text" },
    { name: "counterparty", label: "payments.counterparty", kind: "text" },
    { name: "description", label: "payments.description", kind: "text" },
    { name: "currency", label: "column.currency", kind: "text", placeholder: "USD" },
    { name: "minAmount", label: "payments.minAmount", kind: "amount" },
    { name: "maxAmount", label: "payments.maxAmount", kind: "amount" },
    {
      name: "paymentRail",
      label: "column.rail",
      kind: "choice",
      choices: stateChoices(RAILS, "rail"),
    },
    { name: "connectionId", label: "kind.RailConnection", kind: "connection" },
    { name: "hasRefund", label: "payments.hasRefund", kind: "choice", choices: yesNo },
    ...(fixed.customerId === undefined
      ? ([
          { name: "platformCustomerId", label: "column.yourId", kind: "text" },
          {
            name: "customerId",
            label: "column.customer",
            kind: "text",
            placeholder: "Customer:",
          },
        ] as const)
      : []),
    {
      name: "accountIdentifier",
      label: "column.account",
      kind: "text",
      placeholder: "InternalAccount:",
    },
    {
      name: "senderAccountIdentifier",
      label: "payments.sender",
      kind: "text",
      placeholder: "ExternalAccount:",
    },
    {
      name: "receiverAccountIdentifier",
      label: "payments.receiver",
      kind: "text",
      placeholder: "ExternalAccount:",
    },
    { name: "startDate", label: "column.created", kind: "period" },
  ];
}

import type { RailPayment } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import type { Call } from "../../api/operations.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { Facts, Section } from "../../detail/facts.tsx";
import { ListPage } from "../../detail/list-page.tsx";
import type { Column, ListSpec } from "../../list/list-spec.ts";
import { t, wordOf } from "../../text/messages.ts";
import { stateChoices } from "../../ui/choices.ts";
import { Pill, StatePill } from "../../ui/pill.tsx";
import { IdLink } from "../../ui/place-link.tsx";
import { Amount, OutsideText, OutsideWord, Time } from "../../ui/values.tsx";
import { RailTabs } from "./rail-tabs.tsx";
import { waitingNote } from "./waiting.tsx";

const STATES = [
  "HELD",
  "QUEUED",
  "SENDING",
  "UNKNOWN",
  "SENT",
  "ACCEPTED",
  "SETTLED",
  "RETURNED",
  "DECLINED",
  "CANCELLED",
];

function State({ order }: { readonly order: RailPayment }) {
  return (
    <span className="inline-flex items-center gap-1">
      <StatePill state={order.state} />
      {order.conflict && <Pill word={t("rails.conflict")} tone="bad" />}
    </span>
  );
}

const columns: readonly Column<RailPayment>[] = [
  {
    id: "amount",
    title: "column.amount",
    isEnd: true,
    cell: ({ amount }) => <Amount amount={amount} isStrong />,
  },
  { id: "state", title: "column.status", cell: (row) => <State order={row} /> },
  {
    id: "to",
    title: "column.to",
    cell: ({ counterparty }) => (
      <OutsideText
        text={`${counterparty.name ?? counterparty.accountType} ${counterparty.identifierMasked}`}
        isLine
      />
    ),
  },
  { id: "rail", title: "column.rail", cell: ({ paymentRail }) => wordOf("rail", paymentRail) },
  {
    id: "reference",
    title: "column.reference",
    cell: ({ reference }) => <OutsideText text={reference} isLine />,
  },
  {
    id: "payment",
    title: "kind.Transaction",
    cell: ({ transactionId, itemId }) => <IdLink id={transactionId ?? itemId ?? ""} />,
  },
  {
    id: "created",
    title: "column.created",
    isEnd: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** Payment orders of all connections, or of one. */
export function queueList(
  fixed: Readonly<Record<string, string>> = {},
): ListSpec<"listRailPayments"> {
  return {
    name: "queue",
    title: "rails.queue",
    call: (query) =>
      ({
        method: "GET",
        path: ["rails", "payments"],
        query: { ...query, ...fixed },
      }) as Call<"listRailPayments">,
    rowId: ({ id }) => id,
    place: ({ id }) => `rail-queue/${id}`,
    columns,
    tabs: [
      { id: "all", title: "tab.all", query: {} },
      { id: "queued", title: "tab.queued", query: { state: "QUEUED" } },
      { id: "unknown", title: "tab.unknown", query: { state: "UNKNOWN" } },
      { id: "conflicts", title: "rails.conflicts", query: { conflict: "true" } },
    ],
    filters: [
      { name: "state", label: "column.status", kind: "choice", choices: stateChoices(STATES) },
      { name: "endToEndId", label: "rails.endToEnd", kind: "text" },
      {
        name: "transactionId",
        label: "kind.Transaction",
        kind: "text",
        placeholder: "Transaction:",
      },
      { name: "from", label: "column.created", kind: "period" },
    ],
    card: (row) => ({
      lead: <Amount amount={row.amount} isStrong />,
      under: <OutsideWord text={row.counterparty.name ?? row.counterparty.identifierMasked} />,
      end: <State order={row} />,
      endUnder: <Time at={row.createdAt} />,
    }),
    empty: "rails.emptyQueue",
    curl: "/rails/payments",
  };
}

const spec = queueList();

export function QueuePage() {
  return <ListPage spec={spec} place="rail-queue" above={<RailTabs />} />;
}

export function RailPaymentDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getRailPayment">({ method: "GET", path: ["rails", "payments", id] });
  return (
    <DetailOf reading={reading}>
      {(order) => (
        <Detail
          kind={t("kind.RailPayment")}
          isAmount
          lead={<Amount amount={order.amount} />}
          under={
            <OutsideWord text={order.counterparty.name ?? order.counterparty.identifierMasked} />
          }
          state={<State order={order} />}
          id={order.id}
          acts={<Acts order={order} />}
          json={order}
          path={`/rails/payments/${order.id}`}
          tabs={[
            { id: "overview", title: t("detail.overview"), content: <Overview order={order} /> },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ order }: { readonly order: RailPayment }) {
  const { lastReport, bankReference } = order;
  return (
    <>
      <Facts
        facts={[
          order.transactionId === undefined
            ? [t("kind.RailItem"), <IdLink key="item" id={order.itemId ?? ""} />]
            : [t("kind.Transaction"), <IdLink key="payment" id={order.transactionId} />],
          [t("kind.RailConnection"), <IdLink key="connection" id={order.connectionId} />],
          [t("column.rail"), wordOf("rail", order.paymentRail)],
          [t("external.number"), order.counterparty.identifierMasked],
          [t("column.reference"), <OutsideText key="reference" text={order.reference} />],
          [t("rails.endToEnd"), order.endToEndId],
          bankReference !== undefined && [
            t("rails.bankReference"),
            <OutsideText key="bank" text={bankReference} />,
          ],
          lastReport !== undefined && [
            t("rails.lastReport"),
            <span key="report">
              {wordOf("state", lastReport.status)}{" "}
              <OutsideText
                text={`${lastReport.scheme} ${lastReport.code ?? ""} ${lastReport.text ?? ""}`}
              />
            </span>,
          ],
        ]}
      />
      <Section title={t("rails.history")}>
        <ol>
          {order.history.map((step) => (
            <li
              key={`${step.at} ${step.state}`}
              className="flex flex-wrap items-center justify-between gap-x-3 border-line border-b py-2"
            >
              <StatePill state={step.state} />
              <span className="min-w-0 flex-1 text-soft">
                <OutsideText text={step.why} isLine />
              </span>
              <Time at={step.at} />
            </li>
          ))}
        </ol>
      </Section>
    </>
  );
}

/** Final states. In one of them, an order can be marked only when it is SETTLED or in conflict. */
const ENDED = new Set(["SETTLED", "RETURNED", "DECLINED", "CANCELLED"]);
/** States in which the bank can be asked to return the payment. */
const LEFT = new Set(["SENT", "ACCEPTED", "SETTLED"]);

function Acts({ order }: { readonly order: RailPayment }) {
  const may = useMay("reconciliation.write");
  const { state, conflict } = order;
  if (!may) return undefined;
  return (
    <>
      {(!ENDED.has(state) || state === "SETTLED" || conflict) && (
        <ActButton spec={mark(order)} weight="primary">
          {t("rails.mark")}
        </ActButton>
      )}
      {state === "QUEUED" && <ActButton spec={reroute(order)}>{t("rails.reroute")}</ActButton>}
      {LEFT.has(state) && <ActButton spec={recall(order)}>{t("rails.recall")}</ActButton>}
    </>
  );
}

function reroute({ id }: RailPayment): ActSpec<"rerouteRailPayment"> {
  return {
    title: t("rails.reroute"),
    verb: t("rails.reroute"),
    intro: t("rails.rerouteIntro"),
    fields: [
      {
        name: "connectionId",
        label: "kind.RailConnection",
        kind: "text",
        isOptional: true,
        placeholder: "RailConnection:",
        hint: t("rails.rerouteHint"),
      },
    ],
    toCall: ({ connectionId = "" }) => ({
      method: "POST",
      path: ["rails", "payments", id, "reroute"],
      body: connectionId === "" ? {} : { connectionId },
    }),
  };
}

function mark({ id }: RailPayment): ActSpec<"markRailPayment"> {
  return {
    title: t("rails.mark"),
    verb: t("rails.mark"),
    intro: t("rails.markIntro"),
    fields: [
      {
        name: "outcome",
        label: "rails.outcome",
        kind: "choice",
        choices: stateChoices(["SENT", "SETTLED", "DECLINED", "RETURNED"]),
      },
      { name: "reference", label: "rails.bankReference", kind: "text", isOptional: true },
    ],
    fieldsFor: ({ outcome }) =>
      outcome === "DECLINED" || outcome === "RETURNED"
        ? [
            {
              name: "code",
              field: "reason.code",
              label: "rails.code",
              kind: "text",
              placeholder: "AC04",
            },
            {
              name: "text",
              field: "reason.text",
              label: "form.note",
              kind: "text",
              isOptional: true,
            },
          ]
        : [],
    toCall({ outcome = "", reference = "", code = "", text = "" }) {
      const body = {
        outcome,
        ...(reference === "" ? {} : { reference }),
        ...(code === "" ? {} : { reason: { code, ...(text === "" ? {} : { text }) } }),
      };
      return { method: "POST", path: ["rails", "payments", id, "mark"], body: body as never };
    },
    after: waitingNote,
  };
}

function recall({ id }: RailPayment): ActSpec<"recallRailPayment"> {
  return {
    title: t("rails.recall"),
    verb: t("rails.recall"),
    intro: t("rails.recallIntro"),
    fields: [
      {
        name: "reason",
        label: "column.reason",
        kind: "choice",
        choices: stateChoices(
          ["DUPLICATE", "WRONG_AMOUNT", "WRONG_ACCOUNT", "FRAUD", "OTHER"],
          "refundReason",
        ),
      },
      { name: "note", label: "form.note", kind: "long", isOptional: true },
    ],
    toCall: ({ reason = "", note = "" }) => ({
      method: "POST",
      path: ["rails", "payments", id, "recall"],
      body: { reason, ...(note === "" ? {} : { note }) } as never,
    }),
  };
}

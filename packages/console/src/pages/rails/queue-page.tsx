import type { RailPayment } from "@florin/client";
import { useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import type { Call } from "../../api/operations.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { useOwnId } from "../../api/session.ts";
import { Detail, DetailOf } from "../../detail/detail.tsx";
import { Facts, Section } from "../../detail/facts.tsx";
import { ListPage } from "../../detail/list-page.tsx";
import type { Column, Filter, ListSpec } from "../../list/list-spec.ts";
import { t, wordOf } from "../../text/messages.ts";
import { shortHour } from "../../text/time.ts";
import { Button } from "../../ui/button.tsx";
import { stateChoices } from "../../ui/choices.ts";
import { PartyName } from "../../ui/party.tsx";
import { Pill, StatePill } from "../../ui/pill.tsx";
import { IdLink } from "../../ui/place-link.tsx";
import { Problem } from "../../ui/states.tsx";
import { Amount, Missing, OutsideText, OutsideWord, Time } from "../../ui/values.tsx";
import { partyFacts } from "../payments/payment-parts.tsx";
import { BankDetails } from "./bank-details.tsx";
import {
  Age,
  CutOffCell,
  DeskStrip,
  type DeskView,
  useDesk,
  useLease,
  useRenewal,
  WorkedByCell,
} from "./desk.tsx";
import { markBody, markFields, markFieldsFor } from "./mark-form.ts";
import { MarkManyDialog, SelectedOrders } from "./mark-many.tsx";
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
  {
    id: "to",
    title: "column.to",
    cell: ({ parties }) => <PartyName party={parties?.to} />,
  },
  {
    id: "from",
    title: "column.from",
    cell: ({ parties }) => (
      <div className="max-w-44">
        <PartyName party={parties?.from} />
      </div>
    ),
  },
  { id: "state", title: "column.status", cell: (row) => <State order={row} /> },
  {
    id: "rail",
    title: "column.rail",
    isExtra: true,
    cell: ({ paymentRail }) => wordOf("rail", paymentRail),
  },
  {
    id: "reference",
    title: "column.reference",
    cell: ({ reference }) => <OutsideText text={reference} isLine />,
  },
  {
    id: "payment",
    title: "kind.Transaction",
    isExtra: true,
    cell: ({ transactionId, itemId, reference }) => (
      <IdLink id={transactionId ?? itemId ?? ""}>
        <OutsideWord text={reference} />
      </IdLink>
    ),
  },
  {
    id: "created",
    title: "column.created",
    isEnd: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** The columns with what the desk knows of an order. */
function deskColumns(desk: DeskView): readonly Column<RailPayment>[] {
  const [amount, to, from, state, ...more] = columns;
  const others = more.map((column) =>
    column.id === "created" ? { ...column, isExtra: true } : column,
  );
  const ofDesk: readonly Column<RailPayment>[] = [
    { id: "age", title: "rails.age", isEnd: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
    {
      id: "cutOff",
      title: "desk.cutOffColumn",
      isEnd: true,
      cell: ({ state, connectionId, createdAt }) =>
        state === "QUEUED" || state === "HELD" ? (
          <CutOffCell connection={desk.connectionOf(connectionId)} createdAt={createdAt} />
        ) : (
          <Missing />
        ),
    },
    {
      id: "connection",
      title: "kind.RailConnection",
      cell: ({ connectionId }) => {
        const name = desk.connectionOf(connectionId)?.name;
        return (
          <IdLink id={connectionId}>{name !== undefined && <OutsideWord text={name} />}</IdLink>
        );
      },
    },
    {
      id: "workedBy",
      title: "desk.workedBy",
      cell: ({ id }) => <WorkedByCell workedBy={desk.workedBy(id)} />,
    },
  ];
  return [amount, to, from, ...ofDesk, state, ...others].flatMap((column) => column ?? []);
}

/** Orders are worked off from the oldest one. */
const OLDEST_FIRST = { order: "OLDEST" };

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
        query: { ...query, ...fixed, expand: "parties" },
      }) as Call<"listRailPayments">,
    rowId: ({ id }) => id,
    place: ({ id }) => `rail-queue/${id}`,
    columns,
    tabs: [
      { id: "queued", title: "tab.queued", query: { state: "QUEUED", ...OLDEST_FIRST } },
      { id: "all", title: "tab.all", query: {} },
      { id: "unknown", title: "tab.unknown", query: { state: "UNKNOWN" } },
      { id: "conflicts", title: "rails.conflicts", query: { conflict: "true" } },
    ],
    ...(fixed.connectionId === undefined ? { search: "rails.search" } : {}),
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

export function QueuePage() {
  const desk = useDesk();
  useRenewal(desk);
  const [marking, setMarking] = useState<readonly RailPayment[]>();
  const spec = useMemo(() => deskQueue(desk, setMarking), [desk]);
  const above = (
    <>
      <RailTabs />
      <DeskStrip desk={desk} />
    </>
  );
  return (
    <>
      <ListPage spec={spec} place="rail-queue" above={above} />
      <MarkManyDialog orders={marking} desk={desk} onClose={() => setMarking(undefined)} />
    </>
  );
}

/** The queue of all connections as the desk works it off. */
function deskQueue(
  desk: DeskView,
  onMark: (orders: readonly RailPayment[]) => void,
): ListSpec<"listRailPayments"> {
  const list = queueList();
  const connection: Filter = {
    name: "connectionId",
    label: "kind.RailConnection",
    kind: "choice",
    choices: desk.connections.map(({ id, name }) => ({ value: id, label: name })),
  };
  return {
    ...list,
    name: "desk-queue",
    columns: deskColumns(desk),
    filters: [connection, ...list.filters],
    card: (row) => {
      const at = desk.connectionOf(row.connectionId);
      const isWaiting = row.state === "QUEUED" || row.state === "HELD";
      const workedBy = desk.workedBy(row.id)?.name;
      const told = [at?.name, workedBy].filter((name) => name !== undefined);
      return {
        ...list.card(row),
        under: (
          <>
            <OutsideWord text={row.counterparty.name ?? row.counterparty.identifierMasked} />
            <span className="block truncate">
              <OutsideWord text={told.join(" \u00b7 ")} />
            </span>
          </>
        ),
        endUnder: (
          <span className="flex flex-col items-end">
            <Age at={row.createdAt} />
            {isWaiting && at?.cutOffAt !== undefined && (
              <CutOffCell connection={at} createdAt={row.createdAt} />
            )}
          </span>
        ),
      };
    },
    selection: (rows) => <SelectedOrders rows={rows} desk={desk} onMark={onMark} />,
  };
}

export function RailPaymentDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const reading = useRead<"getRailPayment">({
    method: "GET",
    path: ["rails", "payments", id],
    query: { expand: "parties" },
  });
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
  const connection = useDesk().connectionOf(order.connectionId);
  return (
    <>
      <Facts
        facts={[
          ...partyFacts(order),
          order.transactionId === undefined
            ? [
                t("kind.RailItem"),
                <IdLink key="item" id={order.itemId ?? ""}>
                  <OutsideWord text={order.reference} />
                </IdLink>,
              ]
            : [
                t("kind.Transaction"),
                <IdLink key="payment" id={order.transactionId}>
                  <OutsideWord text={order.reference} />
                </IdLink>,
              ],
          [
            t("kind.RailConnection"),
            <IdLink key="connection" id={order.connectionId}>
              {connection && <OutsideWord text={connection.name} />}
            </IdLink>,
          ],
          [t("column.rail"), wordOf("rail", order.paymentRail)],
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
      {DESK_STATES.has(order.state) && <BankDetails key={order.id} id={order.id} />}
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
                {step.note !== undefined && (
                  <span className="block text-ink">
                    <OutsideText text={step.note} />
                  </span>
                )}
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
/** States in which a person may still make the order at the bank, or look it up there. */
const DESK_STATES = new Set(["HELD", "QUEUED", "SENT", "UNKNOWN"]);
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
      {state === "QUEUED" && <Lease id={order.id} />}
    </>
  );
}

/** Takes the order, so that the others at the desk see who makes it. */
function Lease({ id }: { readonly id: string }) {
  const workedBy = useDesk().workedBy(id);
  const ownId = useOwnId();
  const { lease, isPending, error } = useLease();
  const isMine = workedBy?.id === ownId;
  return (
    <>
      {(workedBy === undefined || isMine) && (
        <Button isDisabled={isPending} onPress={() => lease([id], isMine)}>
          {t(isMine ? "desk.giveBack" : "desk.take")}
        </Button>
      )}
      {workedBy !== undefined && (
        <p role="status" className="tint-wait w-full rounded-control px-3 py-2 text-form">
          {isMine ? (
            t("desk.youWork", { time: shortHour(workedBy.until) })
          ) : (
            <OutsideWord
              text={t("desk.theyWork", { name: workedBy.name, time: shortHour(workedBy.until) })}
            />
          )}
        </p>
      )}
      {error !== null && <Problem error={error} />}
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
    fields: markFields(),
    fieldsFor: markFieldsFor,
    toCall: (values) => ({
      method: "POST",
      path: ["rails", "payments", id, "mark"],
      body: markBody(values),
    }),
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

/** Marks many orders with one note in one call, and shows the result of each. */
import type { RailPayment } from "@florin/client";
import { useState } from "react";
import { ActDialog } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import type { MarkedOrder } from "../../api/desk-operations.ts";
import { useMay, usePlatform } from "../../api/platform.ts";
import type { PlatformSend } from "../../api/platform-send.ts";
import { useOwnId } from "../../api/session.ts";
import { t } from "../../text/messages.ts";
import { amountLine } from "../../text/money.ts";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/states.tsx";
import { OutsideText, OutsideWord } from "../../ui/values.tsx";
import { type DeskView, useLease } from "./desk.tsx";
import { markBody, markFields, markFieldsFor } from "./mark-form.ts";
import { waitingNote } from "./waiting.tsx";

/** The most orders of one call. */
const MOST_MARKED = 500;
const PAGE = 100;

type Orders = readonly RailPayment[];

interface SelectedProps {
  readonly rows: Orders;
  readonly desk: DeskView;
  /** Opens the dialog, which the page holds: marked orders leave the list, and the results stay. */
  readonly onMark: (orders: Orders) => void;
}

/** The acts on the selected orders of the queue. */
export function SelectedOrders({ rows, desk, onMark }: SelectedProps) {
  const ownId = useOwnId();
  const { lease, isPending } = useLease();
  const ids = rows.map(({ id }) => id);
  const isMine = ids.every((id) => desk.workedBy(id)?.id === ownId);
  if (!useMay("reconciliation.write")) return null;
  return (
    <>
      <Button isSmall weight="primary" opensDialog onPress={() => onMark(rows)}>
        {t("desk.markMany", { count: rows.length })}
      </Button>
      <MarkWholeQueue rows={rows} desk={desk} onMark={onMark} />
      <Button isSmall isDisabled={isPending} onPress={() => lease(ids, isMine)}>
        {t(isMine ? "desk.giveBack" : "desk.take")}
      </Button>
    </>
  );
}

/** The page shows a part of a long queue. This loads the orders of the whole queue of the selected connection, up to the limit of a call. */
function MarkWholeQueue({ rows, desk, onMark }: SelectedProps) {
  const { send } = usePlatform();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [first] = rows;
  const queued = first === undefined ? 0 : (desk.connectionOf(first.connectionId)?.queued ?? 0);
  const isOne = rows.every(
    ({ connectionId, state }) => connectionId === first?.connectionId && state === "QUEUED",
  );
  if (first === undefined || !isOne || queued <= rows.length) return null;
  const { connectionId } = first;

  async function load(): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      onMark(await queueOf(send, connectionId));
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  }
  return (
    <>
      <Button isSmall opensDialog isDisabled={isBusy} onPress={() => void load()}>
        {t("desk.markAll", { count: Math.min(queued, MOST_MARKED) })}
      </Button>
      {error !== undefined && <Problem error={error} />}
    </>
  );
}

async function queueOf(send: PlatformSend, connectionId: string): Promise<Orders> {
  const found: RailPayment[] = [];
  for (let cursor: string | undefined; found.length < MOST_MARKED; ) {
    const page = await send<"listRailPayments">({
      method: "GET",
      path: ["rails", "payments"],
      query: {
        ...{ connectionId, state: "QUEUED", order: "OLDEST", limit: PAGE },
        ...(cursor === undefined ? {} : { cursor }),
      },
    });
    found.push(...page.data);
    cursor = page.nextCursor ?? undefined;
    if (!page.hasMore || cursor === undefined) break;
  }
  return found;
}

/** Open while there are orders to mark. */
export function MarkManyDialog({
  orders,
  desk,
  onClose,
}: {
  readonly orders: Orders | undefined;
  readonly desk: DeskView;
  readonly onClose: () => void;
}) {
  const ownId = useOwnId();
  return (
    <ActDialog
      spec={markMany({ orders: orders ?? [], desk, ownId })}
      isOpen={orders !== undefined}
      onClose={onClose}
    />
  );
}

function markMany({
  orders,
  desk,
  ownId,
}: {
  readonly orders: Orders;
  readonly desk: DeskView;
  readonly ownId: string | undefined;
}): ActSpec<"markDeskOrders"> {
  const others = orders.flatMap(({ id }) => {
    const workedBy = desk.workedBy(id);
    return workedBy === undefined || workedBy.id === ownId ? [] : [workedBy.name];
  });
  return {
    title: t("desk.markMany", { count: orders.length }),
    verb: t("rails.mark"),
    intro: (
      <div className="flex flex-col gap-2">
        <p>{t("desk.markManyIntro")}</p>
        {sumsOf(orders).map((line) => (
          <p key={line} className="font-medium text-ink tabular-nums">
            {line}
          </p>
        ))}
        {others.length > 0 && (
          <p className="tint-wait rounded-control p-3">
            <OutsideWord
              text={t("desk.othersWork", {
                names: [...new Set(others)].join(", "),
                count: others.length,
              })}
            />
          </p>
        )}
      </div>
    ),
    fields: markFields("SETTLED"),
    fieldsFor: markFieldsFor,
    toCall: (values) => ({
      method: "POST",
      path: ["rails", "desk", "marks"],
      body: { paymentIds: orders.map(({ id }) => id), ...markBody(values) },
    }),
    after: ({ data }) => <Results orders={orders} results={data} />,
  };
}

/** The sum of the orders in each currency, to compare with the total at the bank. */
function sumsOf(orders: readonly RailPayment[]): readonly string[] {
  const sums = new Map<string, { count: number; minor: bigint; amount: RailPayment["amount"] }>();
  for (const { amount } of orders) {
    const { code } = amount.currency;
    const before = sums.get(code) ?? { count: 0, minor: 0n, amount };
    const minor = before.minor + BigInt(amount.amount);
    sums.set(code, { ...before, count: before.count + 1, minor });
  }
  return [...sums.values()].map(({ count, minor, amount }) => {
    const sum = amountLine({ amount: Number(minor), currency: amount.currency });
    return t("desk.sumOf", { count, sum });
  });
}

function Results({
  orders,
  results,
}: {
  readonly orders: readonly RailPayment[];
  readonly results: readonly MarkedOrder[];
}) {
  const byId = new Map(orders.map((order) => [order.id, order]));
  const marked = results.filter(({ result }) => result === "MARKED").length;
  const waiting = results.filter(({ result }) => result === "WAITING");
  const refused = results.filter(({ result }) => result === "REFUSED");
  const marks = new Map(waiting.map((one) => [one.markId ?? "", one]));
  return (
    <div className="flex flex-col gap-3 text-form" role="status">
      {marked > 0 && <p>{t("desk.marked", { count: marked })}</p>}
      {[...marks].map(([id, { expiresAt }]) => (
        <div key={id}>{waitingNote({ id, ...(expiresAt === undefined ? {} : { expiresAt }) })}</div>
      ))}
      {refused.length > 0 && (
        <>
          <p>{t("desk.refused", { count: refused.length })}</p>
          <ul className="max-h-64 overflow-y-auto border-line border-t">
            {refused.map(({ paymentId, message = "" }) => {
              const order = byId.get(paymentId);
              return (
                <li key={paymentId} className="border-line border-b py-1.5">
                  <span className="font-medium">
                    {order !== undefined && amountLine(order.amount)}{" "}
                    <OutsideWord text={order?.counterparty.name ?? ""} />
                  </span>
                  <span className="block text-soft">
                    <OutsideText text={message} />
                  </span>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </div>
  );
}

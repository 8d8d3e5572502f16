/** What the desk has to do: the queue of each connection with its cut-off, and who works on which order. */
import { useEffect, useMemo, useRef } from "react";
import type { Desk, DeskConnection, WorkedBy } from "../../api/desk-operations.ts";
import { useAct, useMay, useRead } from "../../api/platform.ts";
import { useOwnId } from "../../api/session.ts";
import { newKey } from "../../std/host.ts";
import { t } from "../../text/messages.ts";
import { ageOf, exactTime, shortHour, shortTime } from "../../text/time.ts";
import { classes } from "../../ui/classes.ts";
import { FileLink } from "../../ui/file-link.tsx";
import { PlaceLink } from "../../ui/place-link.tsx";
import { Missing, OutsideText, OutsideWord } from "../../ui/values.tsx";

/** Leases of others change without a notice, so the desk is read again. */
const READ_MS = 15_000;
/** Renews leases of ten minutes well before they end. */
const RENEW_MS = 4 * 60_000;

export interface DeskView {
  readonly connections: readonly DeskConnection[];
  connectionOf(id: string): DeskConnection | undefined;
  workedBy(paymentId: string): WorkedBy | undefined;
  readonly mine: readonly string[];
}

const NO_DESK: Desk = { connections: [], leases: [] };

export function useDesk(): DeskView {
  const { data = NO_DESK } = useRead<"getRailDesk">(
    { method: "GET", path: ["rails", "desk"] },
    { everyMs: READ_MS },
  );
  const ownId = useOwnId();
  return useMemo(() => {
    const connections = new Map(data.connections.map((one) => [one.id, one]));
    const leases = new Map(data.leases.map(({ paymentId, workedBy }) => [paymentId, workedBy]));
    return {
      connections: data.connections,
      connectionOf: (id) => connections.get(id),
      workedBy: (id) => leases.get(id),
      mine: [...leases].filter(([, { id }]) => id === ownId).map(([paymentId]) => paymentId),
    };
  }, [data, ownId]);
}

/** Takes orders, or gives them back. */
export function useLease() {
  const act = useAct<"leaseDeskOrders">();
  return {
    isPending: act.isPending,
    error: act.error,
    lease: (paymentIds: readonly string[], isRelease = false) =>
      act.mutate({
        call: {
          method: "POST",
          path: ["rails", "desk", "leases"],
          body: { paymentIds, ...(isRelease ? { isRelease } : {}) },
        },
        key: newKey(),
      }),
  };
}

/** Renews the person's leases while the page is open. */
export function useRenewal({ mine }: DeskView): void {
  const { lease } = useLease();
  const renew = useRef(() => {});
  renew.current = () => {
    if (mine.length > 0) lease(mine);
  };
  useEffect(() => {
    const timer = setInterval(() => renew.current(), RENEW_MS);
    return () => clearInterval(timer);
  }, []);
}

/** The exact time is in the tooltip. */
export function Age({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)} className="whitespace-nowrap tabular-nums">
      {ageOf(at)}
    </time>
  );
}

export function WorkedByCell({ workedBy }: { readonly workedBy: WorkedBy | undefined }) {
  const ownId = useOwnId();
  if (workedBy === undefined) return <Missing />;
  return workedBy.id === ownId ? t("desk.you") : <OutsideText text={workedBy.name} isLine />;
}

interface CutOff {
  readonly connection: DeskConnection | undefined;
  readonly createdAt: string;
}

/** The cut-off that a queued order must keep, or the one that it has missed. */
export function CutOffCell({ connection, createdAt }: CutOff) {
  if (connection?.cutOffAt === undefined) return <Missing />;
  const { lastCutOffAt, cutOffAt } = connection;
  const isMissed = lastCutOffAt !== undefined && createdAt <= lastCutOffAt;
  return (
    <span className={classes("whitespace-nowrap tabular-nums", isMissed && "font-medium text-bad")}>
      {isMissed ? t("desk.cutOffMissed", { time: shortTime(lastCutOffAt) }) : shortTime(cutOffAt)}
    </span>
  );
}

/** The connections with a queue: its length, its oldest order, its next cut-off, and its file. */
export function DeskStrip({ desk }: { readonly desk: DeskView }) {
  const mayDownload = useMay("reconciliation.write", "pii.read");
  const busy = desk.connections.filter(({ queued, kind }) => queued > 0 && kind === "MANUAL");
  if (busy.length === 0) return null;
  return (
    <ul aria-label={t("desk.queue")} className="mb-4 flex flex-wrap gap-3">
      {busy.map((connection) => (
        <li
          key={connection.id}
          className="flex min-w-0 items-center justify-between gap-6 rounded-panel border border-line px-3 py-2 max-rail:w-full"
        >
          <div className="min-w-0">
            <PlaceLink
              place="rail-queue"
              search={{ tab: "queued", connectionId: connection.id }}
              className="block truncate font-medium text-ink hover:underline"
            >
              <OutsideWord text={connection.name} />
            </PlaceLink>
            <QueueLine connection={connection} />
          </div>
          {mayDownload && (
            <FileLink
              path={`/rails/connections/${connection.id}/queue.csv`}
              text={t("rails.csv")}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function QueueLine({ connection }: { readonly connection: DeskConnection }) {
  const { queued, oldestQueuedAt, cutOffAt, lastCutOffAt } = connection;
  const isMissed =
    oldestQueuedAt !== undefined && lastCutOffAt !== undefined && oldestQueuedAt <= lastCutOffAt;
  const parts = [
    t("desk.queued", { count: queued }),
    ...(oldestQueuedAt === undefined ? [] : [t("desk.oldest", { age: ageOf(oldestQueuedAt) })]),
  ];
  return (
    <span className="text-caption text-soft tabular-nums">
      {parts.join(" \u00b7 ")}
      {cutOffAt !== undefined && (
        <>
          {" \u00b7 "}
          <span className={classes(isMissed && "font-medium text-bad")}>
            {isMissed
              ? t("desk.cutOffMissed", { time: shortTime(lastCutOffAt) })
              : t("desk.cutOff", { time: shortHour(cutOffAt) })}
          </span>
        </>
      )}
    </span>
  );
}

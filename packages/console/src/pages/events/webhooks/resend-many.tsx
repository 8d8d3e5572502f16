/** Resends many deliveries: the selected ones by single calls, or all that match the filter by one job of the server. */
import type { WebhookDelivery } from "@florin/client";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { ActButton } from "../../../act/act-dialog.tsx";
import type { ActSpec } from "../../../act/act-spec.ts";
import { toFailure } from "../../../api/failures.ts";
import { noteAct } from "../../../api/live/own-acts.ts";
import type { AnswerOf } from "../../../api/operations.ts";
import { useAct, useMay, usePlatform, useRead } from "../../../api/platform.ts";
import { newKey } from "../../../std/host.ts";
import { t } from "../../../text/messages.ts";
import { daysAgo } from "../../../text/time.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { StatePill } from "../../../ui/pill.tsx";
import { Problem, Skeleton } from "../../../ui/states.tsx";

/** The number of concurrent calls, because the server limits the calls of one person. A page has at most 100 rows. */
const AT_ONCE = 4;

export function ResendSelected({
  rows: selected,
  onDone,
}: {
  readonly rows: readonly WebhookDelivery[];
  readonly onDone: () => void;
}) {
  // What is sent once is left out.
  const rows = selected.filter(({ canResend }) => canResend);
  const { id, send } = usePlatform();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [progress, setProgress] = useState<{ done: number; refused: string[] }>();
  const isBusy = progress !== undefined && progress.done < rows.length;
  const run = async () => {
    const waiting = [...rows];
    const state = { done: 0, refused: [] as string[] };
    setProgress({ ...state });
    const work = async () => {
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
        const path = ["webhook-deliveries", row.id, "retry"] as const;
        await send<"retryWebhookDelivery">(
          { method: "POST", path },
          { idempotencyKey: newKey() },
        ).catch((error: unknown) => state.refused.push(toFailure(error).message));
        state.done += 1;
        setProgress({ ...state });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    noteAct();
    await client.invalidateQueries({ queryKey: [id] });
    if (state.refused.length > 0) return;
    setOpen(false);
    onDone();
  };
  const title = t("deliveries.resendMany", { count: rows.length });
  return (
    <>
      <Button isSmall opensDialog onPress={() => setOpen(true)}>
        {title}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={() => setOpen(false)} isDismissable={!isBusy}>
        <p className="text-form text-soft">{t("deliveries.resendIntro")}</p>
        {progress !== undefined && (
          <p role="status" className="text-form tabular-nums">
            {t("deliveries.progress", { done: progress.done, total: rows.length })}
          </p>
        )}
        {progress?.refused[0] !== undefined && (
          <p role="alert" className="tint-bad rounded-control p-3 text-form">
            {t("deliveries.someRefused", { count: progress.refused.length })} {progress.refused[0]}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button isDisabled={isBusy} onPress={() => setOpen(false)}>
            {t(progress === undefined ? "dialog.cancel" : "dialog.close")}
          </Button>
          {progress === undefined && (
            <Button weight="primary" onPress={() => void run()}>
              {title}
            </Button>
          )}
        </div>
      </Dialog>
    </>
  );
}

type Search = Readonly<Record<string, string | undefined>>;

/** Converts the list's filters to a resend job's filter; undefined when the job does not support one of them. */
function filterOf(search: Search, endpointId: string | undefined) {
  const { tab = "all", state, statusClass, eventType, resourceId, since } = search;
  if (statusClass !== undefined || (state !== undefined && state !== "FAILED")) return undefined;
  if (tab === "delivered") return undefined;
  const days = { "1d": 1, "7d": 7, "30d": 30, "90d": 90 }[since ?? ""];
  const to = endpointId ?? search.endpointId;
  return {
    filter: {
      ...(eventType === undefined ? {} : { type: [eventType] }),
      ...(resourceId === undefined ? {} : { resourceId }),
      ...(days === undefined ? {} : { since: daysAgo(days) }),
      ...(state === "FAILED" || tab === "not-arrived" ? { failed: true } : {}),
    },
    ...(to === undefined ? {} : { endpointId: to }),
  };
}

export function ResendAll({ endpointId }: { readonly endpointId?: string | undefined }) {
  const may = useMay("deliveries.resend-many", "pii.read");
  const search: Search = useSearch({ strict: false });
  const [isOpen, setOpen] = useState(false);
  const wish = filterOf(search, endpointId);
  if (!may) return undefined;
  return (
    <>
      <Button opensDialog isDisabled={wish === undefined} onPress={() => setOpen(true)}>
        {t("deliveries.resendAll")}
      </Button>
      {isOpen && wish !== undefined && (
        <Dialog title={t("deliveries.resendAll")} isOpen onClose={() => setOpen(false)}>
          <Counted wish={wish} onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

type Wish = NonNullable<ReturnType<typeof filterOf>>;

/** Shows the number of matching deliveries first. The job is then created with the same filter. */
function Counted({ wish: asked, onClose }: { readonly wish: Wish; readonly onClose: () => void }) {
  const [wish] = useState(asked);
  const count = useAct<"resendEvents">();
  const order = useAct<"resendEvents">();
  const navigate = useNavigate();
  const search: Search = useSearch({ strict: false });
  const key = useRef(newKey());
  const begun = useRef(false);
  const call = (dryRun: boolean) =>
    ({ method: "POST", path: ["events", "resend"], body: { ...wish, dryRun } }) as never;
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    count.mutate({ call: call(true), key: newKey() });
  });
  const error = order.error ?? count.error;
  const matched = count.data?.matched;
  const run = async () => {
    const { id } = await order.mutateAsync({ call: call(false), key: key.current });
    onClose();
    await navigate({ to: ".", search: { ...search, resend: id } as never });
  };
  return (
    <>
      {matched === undefined && error === null && <Skeleton rows={2} />}
      {matched !== undefined && (
        <p className="text-form">
          {t("deliveries.matched", { count: matched })}{" "}
          <span className="text-soft">{t("deliveries.orderIntro")}</span>
        </p>
      )}
      {error !== null && <Problem error={error} />}
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>{t("dialog.cancel")}</Button>
        <Button
          weight="primary"
          isDisabled={matched === undefined || matched === 0 || order.isPending}
          onPress={() => void run().catch(() => undefined)}
        >
          {t("deliveries.resendMany", { count: matched ?? 0 })}
        </Button>
      </div>
    </>
  );
}

/** Shows the job that is named in the URL, so the progress survives a reload. */
export function ResendProgress() {
  const { resend = "", ...rest }: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const reading = useRead<"getEventResend">(
    { method: "GET", path: ["event-resends", resend] },
    { isOff: resend === "", isMoving: ({ state }) => state === "RUNNING" },
  );
  const order = reading.data;
  useListAfter(order?.state);
  if (resend === "" || order === undefined) return undefined;
  return (
    <div
      role="status"
      className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-panel border border-line p-3 text-body"
    >
      <StatePill state={order.state} />
      <span className="tabular-nums">
        {t("deliveries.orderProgress", {
          sent: order.sent,
          failed: order.failed,
          total: order.matched,
        })}
      </span>
      <span className="ms-auto flex gap-2">
        {order.state === "RUNNING" ? (
          <ActButton spec={cancel(order)}>{t("deliveries.cancelOrder")}</ActButton>
        ) : (
          <Button
            weight="quiet"
            onPress={() => void navigate({ to: ".", search: rest as never, replace: true })}
          >
            {t("dialog.close")}
          </Button>
        )}
      </span>
    </div>
  );
}

/** When the job ends, the list shows its effect at once. */
function useListAfter(state: string | undefined): void {
  const { id } = usePlatform();
  const client = useQueryClient();
  const before = useRef(state);
  useEffect(() => {
    const hasEnded = before.current === "RUNNING" && state !== "RUNNING";
    before.current = state;
    if (!hasEnded) return;
    noteAct();
    void client.invalidateQueries({ queryKey: [id, "webhook-deliveries"] });
  }, [client, id, state]);
}

function cancel({ id }: AnswerOf<"getEventResend">): ActSpec<"cancelEventResend"> {
  return {
    title: t("deliveries.cancelOrder"),
    verb: t("deliveries.cancelOrder"),
    intro: t("deliveries.cancelIntro"),
    isDanger: true,
    fields: [],
    toCall: () => ({ method: "DELETE", path: ["event-resends", id] }),
  };
}

/**
 * Long-running work, on every page: running work with its progress, and the last ended work. Work that ended since the tray was last
 * opened is counted and announced; that survives a reload.
 */
import { ListChecks } from "lucide-react";
import { useState } from "react";
import { Button } from "react-aria-components";
import { ActButton } from "../act/act-dialog.tsx";
import type { ActSpec } from "../act/act-spec.ts";
import { useMay, usePlatform, useRead } from "../api/platform.ts";
import type { LongWork } from "../api/system-operations.ts";
import { now } from "../std/host.ts";
import { recall, remember } from "../std/storage.ts";
import { t, wordOf } from "../text/messages.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FileLink } from "../ui/file-link.tsx";
import { StatePill } from "../ui/pill.tsx";
import { Time } from "../ui/values.tsx";

const SHOWN = 12;
const isRunning = ({ state }: Pick<LongWork, "state">) => state === "RUNNING";

/** Long-running work of the platform and, for operators, checks of the books. */
function useLongWork(): readonly LongWork[] {
  const isOperator = useMay("system.read");
  const mayCancel = useMay("system.write");
  const work = useRead<"listLongWork">(
    { method: "GET", path: ["jobs"] },
    { isMoving: ({ data }) => data.some(isRunning) },
  );
  const checks = useRead<"listVerifyRuns">(
    { method: "GET", path: ["system", "verify"] },
    { isOff: !isOperator, isMoving: ({ data }) => data.some(isRunning) },
  );
  const verified = (checks.data?.data ?? []).slice(0, 3).map((run) => ({
    ...run,
    kind: "VERIFY",
    state: run.ok === false ? "FAILED" : run.state,
    isCancellable: mayCancel && isRunning(run),
  }));
  return [...(work.data?.data ?? []), ...verified]
    .toSorted((one, other) => other.startedAt.localeCompare(one.startedAt))
    .slice(0, SHOWN);
}

/** The ids of ended work that the person has seen, stored in this browser. */
function useSeen(name: string, work: readonly LongWork[]) {
  const [seen, setSeen] = useState(() => new Set((recall(name) ?? "").split(" ")));
  const ended = work.filter((one) => !isRunning(one));
  return {
    unseen: ended.filter(({ id }) => !seen.has(id)),
    see() {
      const ids = ended.map(({ id }) => id);
      remember(name, ids.join(" "));
      setSeen(new Set(ids));
    },
  };
}

/** Work that ended earlier is not announced in a browser that has never shown it. */
const NEWS_MS = 3_600_000;

export function Tray() {
  const { id } = usePlatform();
  const [isOpen, setOpen] = useState(false);
  const work = useLongWork();
  const { unseen, see } = useSeen(`tray.${id}`, work);
  const running = work.filter(isRunning).length;
  const news = unseen.filter(
    ({ endedAt }) => endedAt !== undefined && now() - Date.parse(endedAt) < NEWS_MS,
  ).length;
  if (work.length === 0) return null;
  const word =
    running > 0
      ? t("tray.running", { count: running })
      : news > 0
        ? t("tray.ended", { count: news })
        : t("tray.title");
  return (
    <>
      <Button
        onPress={() => setOpen(true)}
        className="relative inline-flex size-8 items-center justify-center rounded-control text-soft hover:bg-panel hover:text-ink pointer-coarse:size-11"
      >
        <ListChecks size={16} aria-hidden />
        {running + news > 0 && (
          <span
            aria-hidden
            className="absolute end-0 top-0 min-w-4 rounded-full bg-accent px-1 text-center text-caption leading-4 text-on-accent tabular-nums"
          >
            {running > 0 ? running : news}
          </span>
        )}
        <span className="sr-only" aria-live="polite">
          {word}
        </span>
      </Button>
      <Dialog
        title={t("tray.title")}
        isOpen={isOpen}
        onClose={() => {
          see();
          setOpen(false);
        }}
      >
        <ul>
          {work.map((one) => (
            <Work key={one.id} work={one} />
          ))}
        </ul>
      </Dialog>
    </>
  );
}

function Work({ work }: { readonly work: LongWork }) {
  const { kind, state, done, total, startedAt, endedAt } = work;
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-2 text-body">
      <span className="font-medium">{wordOf("tray.kind", kind)}</span>
      <StatePill state={state} />
      <span className="text-soft tabular-nums">
        {total === undefined
          ? t("tray.done", { count: done })
          : t("system.progressOf", { done, total: Math.max(done, total) })}
      </span>
      <span className="ms-auto flex items-center gap-2 text-caption text-soft">
        <Time at={endedAt ?? startedAt} />
        <Result work={work} />
      </span>
    </li>
  );
}

/** A link to the work's file or, while it is running, a button that cancels it. */
function Result({ work: { id, kind, resultId, isCancellable } }: { readonly work: LongWork }) {
  if (resultId !== undefined && (kind === "EXPORT" || kind === "STATEMENT")) {
    const noun = kind === "EXPORT" ? "exports" : "statements";
    return <FileLink path={`/${noun}/${resultId}/file`} text={t("exports.save")} />;
  }
  if (!isCancellable) return null;
  return kind === "VERIFY" ? (
    <ActButton spec={cancelVerify(id)}>{t("dialog.cancel")}</ActButton>
  ) : (
    <ActButton spec={cancelResend(id)}>{t("dialog.cancel")}</ActButton>
  );
}

function cancelVerify(id: string): ActSpec<"cancelVerify"> {
  return {
    title: t("system.verifyCancel"),
    verb: t("system.verifyCancel"),
    fields: [],
    toCall: () => ({ method: "POST", path: ["system", "verify", id, "cancel"] }),
  };
}

function cancelResend(id: string): ActSpec<"cancelEventResend"> {
  return {
    title: t("deliveries.cancelOrder"),
    verb: t("deliveries.cancelOrder"),
    intro: t("deliveries.cancelIntro"),
    isDanger: true,
    fields: [],
    toCall: () => ({ method: "DELETE", path: ["event-resends", id] }),
  };
}

import { ProgressBar } from "react-aria-components";
import { t } from "../../../text/messages.ts";
import type { Batch } from "./batch.tsx";

/** How far a batch has come: its items that ran, and what became of them. */
export function Progress({ counts }: Pick<Batch, "counts">) {
  const { total, accepted, refused, completed, failed, waiting, cancelled } = counts;
  const ran = accepted + refused;
  const part = (count: number) => `${(100 * count) / total}%`;
  const parts = [
    [t("batches.accepted"), accepted],
    [t("batches.refused"), refused],
    [t("batches.waiting"), waiting],
    [t("batches.cancelled"), cancelled],
    [t("batches.completed"), completed],
    [t("batches.failed"), failed],
  ] as const;
  return (
    <ProgressBar
      aria-label={t("batches.progress")}
      value={ran}
      maxValue={total}
      valueLabel={t("batches.ran", { done: ran, total })}
      className="flex max-w-xl flex-col gap-2"
    >
      <span className="text-form tabular-nums">{t("batches.ran", { done: ran, total })}</span>
      <div className="flex h-2 overflow-hidden rounded-full bg-line">
        <div className="bg-accent" style={{ width: part(accepted) }} />
        <div className="bg-bad" style={{ width: part(refused) }} />
      </div>
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-form">
        {parts.map(
          ([name, count], place) =>
            (count > 0 || place < 2) && (
              <div key={name} className="flex gap-2">
                <dt className="text-soft">{name}</dt>
                <dd className="font-medium tabular-nums">{count}</dd>
              </div>
            ),
        )}
      </dl>
    </ProgressBar>
  );
}

/** Shows which past orders the changed policy would judge differently, as computed by the server. */
import { toFailure } from "../../api/failures.ts";
import type { AnswerOf, Call } from "../../api/operations.ts";
import { useRead } from "../../api/platform.ts";
import { useSettledText } from "../../std/settled-text.ts";
import { type MessageKey, t, wordOf } from "../../text/messages.ts";
import { decimalsFor } from "../../text/money.ts";
import type { Tone } from "../../text/tones.ts";
import { Pill } from "../../ui/pill.tsx";
import { PlaceLink } from "../../ui/place-link.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { Amount, Time } from "../../ui/values.tsx";

type Preview = AnswerOf<"previewAgentPolicy">;
type Difference = Preview["differences"][number];
type Changes = Call<"previewAgentPolicy">["body"];

const QUIET_MS = 400;

export function PolicyPreview({
  agentId,
  changes,
}: {
  readonly agentId: string;
  /** Undefined while there is no valid change. */
  readonly changes: Changes | undefined;
}) {
  const text = useSettledText(changes === undefined ? "" : JSON.stringify(changes), QUIET_MS);
  const reading = useRead<"previewAgentPolicy">(
    {
      method: "POST",
      path: ["agents", agentId, "policy", "preview"],
      body: text === "" ? {} : (JSON.parse(text) as Changes),
    },
    { isOff: text === "", keepsPrevious: true },
  );
  if (changes === undefined || text === "") return null;
  const { data, error } = reading;
  return (
    <section aria-label={t("preview.title")} aria-live="polite" className="text-body">
      <h3 className="pb-1 font-semibold">{t("preview.title")}</h3>
      {error !== null && <p className="text-bad">{toFailure(error).message}</p>}
      {error === null && data === undefined && <Skeleton rows={2} />}
      {error === null && data !== undefined && (
        <div className={reading.isPlaceholderData ? "opacity-60" : ""}>
          <Judged agentId={agentId} preview={data} />
        </div>
      )}
    </section>
  );
}

const COUNTS: readonly (readonly [keyof Preview["counts"], MessageKey])[] = [
  ["nowRefused", "preview.nowRefused"],
  ["nowWaits", "preview.nowWaits"],
  ["nowAllowed", "preview.nowAllowed"],
  ["noLongerWaits", "preview.noLongerWaits"],
];

function Judged({ agentId, preview }: { readonly agentId: string; readonly preview: Preview }) {
  const { counts, differences, ordersJudged } = preview;
  const changed = COUNTS.filter(([name]) => counts[name] > 0);
  return (
    <>
      {preview.widens.length > 0 && <p className="pb-1">{t("preview.widens")}</p>}
      {changed.length === 0 ? (
        <p>{t("preview.same", { count: ordersJudged })}</p>
      ) : (
        <ul>
          {changed.map(([name, text]) => (
            <li key={name}>{t(text, { count: counts[name], all: ordersJudged })}</li>
          ))}
        </ul>
      )}
      {differences.length > 0 && (
        <ul className="mt-2 border-line border-t">
          {differences.map((one) => (
            <Different key={one.actionId} agentId={agentId} one={one} />
          ))}
        </ul>
      )}
      {changed.length > 0 && <More preview={preview} />}
      {preview.isTruncated && <p className="pt-2">{t("preview.truncated")}</p>}
      <p className="pt-2 text-caption text-soft">{t("preview.leftOut")}</p>
    </>
  );
}

function More({ preview: { counts, differences } }: { readonly preview: Preview }) {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (all <= differences.length) return undefined;
  return (
    <p className="pt-1 text-soft">{t("preview.newest", { count: differences.length, all })}</p>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  NOW_REFUSED: "bad",
  NOW_WAITS: "wait",
  NOW_ALLOWED: "good",
  NO_LONGER_WAITS: "good",
};

function Different({ agentId, one }: { readonly agentId: string; readonly one: Difference }) {
  const { amount, currency: code, transactionId, quoteId } = one;
  const place =
    transactionId !== undefined
      ? `payments/${transactionId}`
      : quoteId !== undefined
        ? `quotes/${quoteId}`
        : `agents/${agentId}`;
  const judgedNow = one.after.reason ?? one.before.reason;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-line border-b py-1.5">
      <PlaceLink place={place} className="underline decoration-strong underline-offset-2">
        <Amount amount={{ amount, currency: { code, decimals: decimalsFor(code) } }} isStrong />
      </PlaceLink>
      <span className="text-soft">
        <Time at={one.createdAt} />
      </span>
      <span className="flex flex-wrap items-center justify-end gap-2">
        {judgedNow !== undefined && (
          <span className="text-caption text-soft">{wordOf("orderReason", judgedNow)}</span>
        )}
        <Pill word={wordOf("verdictChange", one.change)} tone={TONES[one.change] ?? "plain"} />
      </span>
    </li>
  );
}

/** Whether the pages follow what others do, and since when they do not. */
import { useEffect, useState } from "react";
import type { LiveState } from "../api/live/share.ts";
import { t } from "../text/messages.ts";
import { shortTime } from "../text/time.ts";
import { classes } from "../ui/classes.ts";

/** A stream that is opened anew within this time was not lost, as far as a person can see. */
const LOST_AFTER_MS = 2_000;
const COUNT_EVERY_MS = 15_000;

export function LiveDot({ state: { isOpen, openAt } }: { readonly state: LiveState }) {
  const isLost = useStaysLost(!isOpen && openAt !== undefined);
  const word =
    isLost && openAt !== undefined
      ? t("live.lost", { ago: shortTime(new Date(openAt).toISOString()) })
      : t(isOpen ? "live.open" : "live.connecting");
  return (
    <span
      role="status"
      title={word}
      className="inline-flex items-center gap-2 px-1 text-caption text-soft"
    >
      <span
        aria-hidden
        className={classes(
          "size-2 rounded-full",
          isLost ? "bg-wait" : isOpen ? "bg-good" : "bg-strong",
        )}
      />
      <span className={isLost ? "max-rail:sr-only" : "sr-only"}>{word}</span>
    </span>
  );
}

/** True after a moment, and shown anew as the time passes. */
function useStaysLost(isLost: boolean): boolean {
  const [shown, setShown] = useState(0);
  useEffect(() => {
    if (!isLost) {
      setShown(0);
      return undefined;
    }
    const timer = setTimeout(
      () => setShown(shown + 1),
      shown === 0 ? LOST_AFTER_MS : COUNT_EVERY_MS,
    );
    return () => clearTimeout(timer);
  }, [isLost, shown]);
  return isLost && shown > 0;
}

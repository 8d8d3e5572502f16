/** Shows whether the live stream is connected, and for how long it has been lost. */
import { useEffect, useState } from "react";
import type { LiveState } from "../api/live/share.ts";
import { t } from "../text/messages.ts";
import { shortTime } from "../text/time.ts";
import { classes } from "../ui/classes.ts";

/** A shorter interruption is not shown. */
const LOST_AFTER_MS = 2_000;
const COUNT_EVERY_MS = 15_000;

export function LiveDot({ state: { isOpen, openAt } }: { readonly state: LiveState }) {
  const isLost = useStaysLost(!isOpen && openAt !== undefined);
  const word =
    isLost && openAt !== undefined
      ? t("live.lost", { ago: shortTime(new Date(openAt).toISOString(), true) })
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

/** Returns true after the stream was lost for a while, and renders again so that the shown time stays current. */
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

/** Shown after an act that a second person must confirm. Nothing has been done yet. */
import { t } from "../../text/messages.ts";
import { IdLink } from "../../ui/place-link.tsx";
import { Time } from "../../ui/values.tsx";

interface Answer {
  readonly id: string;
  readonly expiresAt?: string;
}

/** Returns undefined when the act was done at once. */
export function waitingNote({ id, expiresAt }: Answer) {
  if (!id.startsWith("RailMark:")) return undefined;
  return (
    <div role="status" className="tint-wait flex flex-col gap-2 rounded-control p-3 text-form">
      <p>{t("rails.waitsForSecond")}</p>
      <p className="flex flex-wrap items-center gap-x-3">
        <IdLink id={id}>{t("rails.showMark")}</IdLink>
        {expiresAt !== undefined && (
          <span>
            {t("rails.until")} <Time at={expiresAt} isExact />
          </span>
        )}
      </p>
    </div>
  );
}

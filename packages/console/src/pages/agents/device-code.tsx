/** The code by which an agent connects: as text, for a camera, and until when it can be redeemed. */
import { ShownOnce } from "../../act/shown-once.tsx";
import { t } from "../../text/messages.ts";
import { Time } from "../../ui/values.tsx";

export function DeviceCode({
  code: { code, expiresAt },
}: {
  /** The time is missing from a code that waits for the agreement of other people: it begins with that. */
  readonly code: { readonly code: string; readonly expiresAt?: string };
}) {
  return (
    <>
      <ShownOnce text={code} what={t("agents.code")} />
      {expiresAt !== undefined && (
        <p className="text-caption text-soft">
          {t("agents.codeExpires")} <Time at={expiresAt} isExact />
        </p>
      )}
    </>
  );
}

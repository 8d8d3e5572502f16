/** The code that connects an agent: as text and QR code, with its expiry. */
import { ShownOnce } from "../../act/shown-once.tsx";
import { t } from "../../text/messages.ts";
import { Time } from "../../ui/values.tsx";

export function DeviceCode({
  code: { code, expiresAt },
}: {
  /** `expiresAt` is absent while the code needs the approval of other people, because its lifetime starts with that approval. */
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

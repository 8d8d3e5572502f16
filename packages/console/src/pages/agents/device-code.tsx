/** The code by which an agent connects: as text, for a camera, and until when it can be redeemed. */

import { ShownOnce } from "../../act/shown-once.tsx";
import type { AnswerOf } from "../../api/operations.ts";
import { t } from "../../text/messages.ts";
import { Time } from "../../ui/values.tsx";

export function DeviceCode({
  code: { code, expiresAt },
}: {
  readonly code: AnswerOf<"createAgentDeviceCode">;
}) {
  return (
    <>
      <ShownOnce text={code} what={t("agents.code")} />
      <p className="text-caption text-soft">
        {t("agents.codeExpires")} <Time at={expiresAt} isExact />
      </p>
    </>
  );
}

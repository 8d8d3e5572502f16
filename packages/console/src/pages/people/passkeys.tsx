import type { ReactNode } from "react";
import type { Passkey } from "../../api/own-operations.ts";
import { t } from "../../text/messages.ts";
import { OutsideText, Time } from "../../ui/values.tsx";

export function Passkeys({
  passkeys,
  actOf,
}: {
  readonly passkeys: readonly Passkey[];
  readonly actOf?: (passkey: Passkey) => ReactNode;
}) {
  if (passkeys.length === 0) return <p className="text-soft">{t("team.noPasskey")}</p>;
  return (
    <ul>
      {passkeys.map((passkey) => (
        <li
          key={passkey.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-2"
        >
          <div className="min-w-0 flex-1">
            <OutsideText text={passkey.nickname} isLine />
            <span className="text-caption text-soft">
              {t(passkey.isSynced ? "team.synced" : "team.notSynced", { host: passkey.host })}
            </span>
            {passkey.counterBackAt !== undefined && (
              <p className="tint-wait mt-1 rounded-control p-2 text-caption">
                {t("team.counterBack")} <Time at={passkey.counterBackAt} isOfServer />
              </p>
            )}
          </div>
          <span className="text-caption text-soft">
            {passkey.lastUsedAt === undefined ? undefined : (
              <Time at={passkey.lastUsedAt} isOfServer />
            )}
          </span>
          {actOf?.(passkey)}
        </li>
      ))}
    </ul>
  );
}

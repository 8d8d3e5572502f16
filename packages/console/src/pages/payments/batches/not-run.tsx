/** Why a scheduled batch was not run: accounts with too little, or the payment that was refused. */
import { t } from "../../../text/messages.ts";
import { amountLine } from "../../../text/money.ts";
import { IdLink } from "../../../ui/place-link.tsx";
import { OutsideText } from "../../../ui/values.tsx";
import type { Batch } from "./batch.tsx";

interface Shortfall {
  readonly accountId: string;
  readonly currency: string;
  readonly available: number;
  readonly needed: number;
}

export function NotRun({ error }: { readonly error: NonNullable<Batch["error"]> }) {
  const { shortfalls, index } = (error.details ?? {}) as {
    readonly shortfalls?: readonly Shortfall[];
    readonly index?: number;
  };
  return (
    <div className="tint-bad rounded-control p-3 text-form">
      <p className="font-medium">{t("batches.notRun")}</p>
      {shortfalls?.map(({ accountId, currency, available, needed }) => (
        <p key={accountId}>
          {t("batches.short", {
            needed: amountLine({ amount: String(needed), currency }),
            available: amountLine({ amount: String(available), currency }),
          })}{" "}
          <IdLink id={accountId} />
        </p>
      ))}
      {shortfalls === undefined && (
        <p>
          <OutsideText text={reason(error.message, index)} />
        </p>
      )}
    </div>
  );
}

/** The API counts the items from 0. */
function reason(message: string, index: number | undefined): string {
  if (index === undefined) return message;
  return t("batches.atItem", { at: index + 1, message: message.replace(/^items\[\d+\]: /, "") });
}

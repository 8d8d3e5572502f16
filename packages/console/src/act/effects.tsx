/**
 * What a payment would do, before it is sent: the balances before and after, the connection that would carry it, the approval that it
 * would wait for, or the reason for which it would be refused. The server decides the call and undoes it. Sending never waits for this.
 */
import { type DryRunEffects, FlorinError } from "@florin/client";
import type { ReactNode } from "react";
import { toFailure } from "../api/failures.ts";
import type { Call } from "../api/operations.ts";
import { useRead } from "../api/platform.ts";
import { useSettledText } from "../std/settled-text.ts";
import { t, wordOf } from "../text/messages.ts";
import { amountLine, amountText } from "../text/money.ts";
import { classes } from "../ui/classes.ts";
import { ObjectName } from "../ui/place-link.tsx";
import { Skeleton } from "../ui/states.tsx";

/** The operations of the console's dialogs that can be tried out. */
export type TriedId =
  | "createTransfer"
  | "transferOut"
  | "transferIn"
  | "createQuote"
  | "executeQuote"
  | "refundTransaction"
  | "captureHold"
  | "createAdjustment";

interface EffectsProps {
  /** Undefined while the form is not complete. */
  readonly call: Call<TriedId> | undefined;
  /** The act is being carried out, so its dry run would tell of a second one. */
  readonly isOff: boolean;
  /** Shown below in place of the approval, unless the payment would be refused. */
  readonly children?: ReactNode;
}

const TYPING_MS = 300;
/** Refusals that say nothing about the payment. */
const ASIDE: ReadonlySet<string> = new Set(["RATE_LIMITED", "UNREACHABLE", "SERVICE_UNAVAILABLE"]);

export function Effects({ call, isOff, children }: EffectsProps) {
  const text = call === undefined ? "" : JSON.stringify(call);
  const settled = useSettledText(text, TYPING_MS);
  const asked = settled === "" ? undefined : (JSON.parse(settled) as Call<TriedId>);
  const { data, error, isPending } = useRead<TriedId>(
    {
      ...(asked ?? { method: "POST", path: ["transfers"] }),
      isDryRun: true,
    } as unknown as Call<TriedId>,
    { isOff: isOff || asked === undefined, keepsPrevious: true },
  );
  if (asked === undefined || text === "") return children;
  if (error !== null && !ASIDE.has(toFailure(error).code)) return <Refused error={error} />;
  if (data === undefined || error !== null) {
    return (
      <>
        {isPending && !isOff && <Skeleton rows={1} />}
        {children}
      </>
    );
  }
  const { effects } = data as unknown as { readonly effects: DryRunEffects };
  return (
    <section
      aria-label={t("effects.title")}
      className={classes("flex flex-col gap-2", settled !== text && "opacity-60")}
    >
      <Changes effects={effects} />
      {children === undefined && effects.approval !== null && (
        <p className="tint-wait rounded-control p-3 text-form">
          {t("approvals.waits", { count: effects.approval.needed })}
        </p>
      )}
      {children}
    </section>
  );
}

function Changes({ effects: { balances, route } }: { readonly effects: DryRunEffects }) {
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 rounded-panel bg-panel p-3 text-body">
      <div className="contents text-caption text-soft">
        <dt>{t("effects.title")}</dt>
        <dd className="text-end">
          {t(balances.length > 0 ? "effects.available" : "effects.none")}
        </dd>
      </div>
      {balances.map(({ accountId, before, after }) => (
        <div key={accountId} className="contents">
          <dt className="min-w-0 truncate">
            <ObjectName id={accountId} />
          </dt>
          <dd className="text-end tabular-nums">
            <span className="text-soft">{amountText(before).number}</span>
            <span aria-hidden="true" className="px-1 text-soft">
              →
            </span>
            <span className="sr-only">{t("effects.becomes")}</span>{" "}
            <span className="font-semibold">{amountText(after).number}</span>{" "}
            <span className="text-soft">{amountText(after).code}</span>
          </dd>
        </div>
      ))}
      {route !== null && (
        <div className="contents">
          <dt className="text-soft">{t("effects.route")}</dt>
          <dd className="min-w-0 truncate text-end">
            <ObjectName id={route.connectionId} /> · {wordOf("rail", route.paymentRail)}
          </dd>
        </div>
      )}
    </dl>
  );
}

function Refused({ error }: { readonly error: unknown }) {
  return (
    <p role="status" className="tint-wait rounded-control p-3 text-form">
      {t("effects.refused")} <Reason error={error} />
    </p>
  );
}

/** The sentence of a low balance has an id and the smallest units, so its facts are told here in the words of the console. */
function Reason({ error }: { readonly error: unknown }) {
  const { code, message } = toFailure(error);
  const { accountId, currency, available, needed } = lowBalanceIn(error);
  if (code !== "INSUFFICIENT_BALANCE" || accountId === undefined) return withoutField(message);
  const line = (amount: number) => amountLine({ amount: String(amount), currency });
  return (
    <>
      <ObjectName id={accountId} />{" "}
      {t("effects.tooLow", { available: line(available), needed: line(needed) })}
    </>
  );
}

interface LowBalance {
  readonly accountId?: string;
  readonly currency: string;
  readonly available: number;
  readonly needed: number;
}

function lowBalanceIn(error: unknown): LowBalance {
  const none = { currency: "", available: 0, needed: 0 };
  return error instanceof FlorinError ? { ...none, ...error.details } : none;
}

/** Without the name that a field has in the API: `source.accountId: the account is frozen`. */
function withoutField(message: string): string {
  const plain = message.replace(/^\w+(\.\w+)*: /, "");
  return plain.slice(0, 1).toUpperCase() + plain.slice(1);
}

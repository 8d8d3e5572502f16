/** The first steps in a sandbox. Each step can be done here, and shows the API call that does the same. */
import type { InternalAccount } from "@florin/client";
import { useNavigate } from "@tanstack/react-router";
import { Check, Circle } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ActDialog } from "../../../act/act-dialog.tsx";
import type { AnswerOf } from "../../../api/operations.ts";
import { useMay, usePlatform, useRead } from "../../../api/platform.ts";
import { recall, remember } from "../../../std/storage.ts";
import { t } from "../../../text/messages.ts";
import { curlCall } from "../../../ui/api-call.ts";
import { Button } from "../../../ui/button.tsx";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { Problem } from "../../../ui/states.tsx";
import { newEndpoint } from "../../events/webhooks/endpoint-acts.tsx";
import { invite } from "../../people/invite.tsx";
import { fundAny, payTo } from "../../platforms/sandbox/recipes.ts";
import { useRecipe } from "../../platforms/sandbox/use-recipe.ts";

export interface ChecklistState {
  readonly funded: InternalAccount | undefined;
  readonly hasPaid: boolean;
  readonly hasLooked: boolean;
  readonly hasEndpoint: boolean;
  readonly isDelivered: boolean;
  readonly hasInvited: boolean;
  look(): void;
  dismiss(): void;
}

const GONE = "gone";
const LOOKED = "looked";

/**
 * Undefined when all steps are done, when the sandbox has more than ten payments, or when the list was dismissed in this browser; "unknown" until the progress is loaded. The figures
 * below wait for it, because the list would push them down.
 */
export function useChecklist(): ChecklistState | "unknown" | undefined {
  const { id, environment } = usePlatform();
  const [name, lookName] = [`checklist.${id}`, `checklist.${id}.ledger`];
  const [kept, setKept] = useState({ list: recall(name), ledger: recall(lookName) });
  const mayUse = useMay("sandbox.use");
  const isOff = environment !== "SANDBOX" || kept.list === GONE || !mayUse;
  const progress = useProgress(isOff);
  if (progress === undefined || isOff) return undefined;
  if (progress === "unknown") return "unknown";
  const hasLooked = kept.ledger === LOOKED;
  const { funded, hasPaid, isDelivered, hasInvited } = progress;
  if (funded !== undefined && hasPaid && hasLooked && isDelivered && hasInvited) return undefined;
  if (progress.isUsed) return undefined;
  return {
    ...progress,
    hasLooked,
    look() {
      remember(lookName, LOOKED);
      setKept({ ...kept, ledger: LOOKED });
    },
    dismiss() {
      remember(name, GONE);
      setKept({ ...kept, list: GONE });
    },
  };
}

type Endpoints = AnswerOf<"listWebhookEndpoints"> | undefined;

const hasOwn = (endpoints: Endpoints) =>
  (endpoints?.data ?? []).some(({ isDefault }) => !isDefault);

/** The endpoints tell when something was delivered last, so no delivery is read for it. */
const hasDelivered = (endpoints: Endpoints) =>
  (endpoints?.data ?? []).some(({ stats }) => stats?.lastSuccessAt !== undefined);

/** Reads the progress from the first rows of some lists. Undefined when it cannot be read. */
function useProgress(isOff: boolean) {
  const accounts = useRead<"listCustomerInternalAccounts">(
    {
      method: "GET",
      path: ["customers", "internal-accounts"],
      query: { limit: 20, type: "INTERNAL_FIAT" },
    },
    { isOff },
  );
  const payments = useRead<"listTransactions">(
    { method: "GET", path: ["transactions"], query: { limit: 10, type: "OUTGOING" } },
    { isOff },
  );
  const mayReadEndpoints = useMay("webhooks.read");
  const endpoints = useRead<"listWebhookEndpoints">(
    { method: "GET", path: ["webhook-endpoints"] },
    {
      isOff: isOff || !mayReadEndpoints,
      isMoving: (answer) => hasOwn(answer) && !hasDelivered(answer),
    },
  );
  const hasEndpoint = hasOwn(endpoints.data);
  const mayInvite = useMay("people.write");
  const people = useRead<"listWorkspacePeople">(
    { method: "GET", path: ["workspace", "people"], query: { limit: 2 } },
    { isOff: isOff || !mayInvite },
  );
  const readings = [
    accounts,
    payments,
    ...(mayReadEndpoints ? [endpoints] : []),
    ...(mayInvite ? [people] : []),
  ];
  if (readings.some(({ data, error }) => data === undefined && error === null)) return "unknown";
  if (accounts.data === undefined || payments.data === undefined) return undefined;
  return {
    funded: accounts.data.data.find(({ totalBalance }) => totalBalance.amount > 0),
    hasPaid: payments.data.data.length > 0,
    isUsed: payments.data.hasMore,
    hasEndpoint,
    isDelivered: !mayReadEndpoints || hasDelivered(endpoints.data),
    hasInvited: !mayInvite || (people.data?.data.length ?? 0) > 1,
  };
}

export type StepDialog = "endpoint" | "invite";

/** Rendered outside of the list, which disappears after its last step: a dialog with a secret must stay open. */
export function StepDialogs({
  open,
  onClose,
}: {
  readonly open: StepDialog | undefined;
  readonly onClose: () => void;
}) {
  return (
    <>
      <ActDialog spec={newEndpoint} isOpen={open === "endpoint"} onClose={onClose} />
      <ActDialog spec={invite} isOpen={open === "invite"} onClose={onClose} />
    </>
  );
}

export function Checklist({
  checklist,
  onOpen,
}: {
  readonly checklist: ChecklistState;
  readonly onOpen: (dialog: StepDialog) => void;
}) {
  const { funded, hasPaid, hasLooked, hasEndpoint, isDelivered, hasInvited } = checklist;
  const run = useRecipe();
  const { slug } = usePlatform();
  const navigate = useNavigate();
  const done = [funded !== undefined, hasPaid, hasLooked, isDelivered, hasInvited];
  const pay = () =>
    run.mutate((send) => payTo(send, "789").then((id) => (hasPaid ? "home" : `payments/${id}`)));
  const openLedger = ({ id }: InternalAccount) => {
    checklist.look();
    void navigate({ to: `/p/${slug}/ledger/${ledgerIdOf(id)}` });
  };
  return (
    <section aria-labelledby="checklist" className="rounded-panel border border-line">
      <ChecklistHead done={done} onDismiss={checklist.dismiss} />
      <ol>
        <Step isDone={funded !== undefined} title={t("checklist.fund")} curl={fundCall()}>
          <Button
            isDisabled={run.isPending}
            onPress={() => run.mutate((send) => fundAny(send).then(() => "home"))}
          >
            {t("sandbox.fund")}
          </Button>
        </Step>
        <Step isDone={hasPaid} title={t("checklist.pay")} curl={payCall()}>
          <Button isDisabled={run.isPending} onPress={pay}>
            {t("payments.send")}
          </Button>
        </Step>
        <Step isDone={hasLooked} title={t("checklist.ledger")} curl={ledgerCall(funded?.id)}>
          {funded !== undefined && (
            <Button onPress={() => openLedger(funded)}>{t("checklist.openLedger")}</Button>
          )}
        </Step>
        <Step isDone={isDelivered} title={t("checklist.webhook")} curl={listenCall()}>
          {hasEndpoint ? (
            <Button isDisabled={run.isPending} onPress={pay}>
              {t("checklist.cause")}
            </Button>
          ) : (
            <Button opensDialog onPress={() => onOpen("endpoint")}>
              {t("webhooks.new")}
            </Button>
          )}
        </Step>
        <Step isDone={hasInvited} title={t("checklist.invite")}>
          <Button opensDialog onPress={() => onOpen("invite")}>
            {t("team.invite")}
          </Button>
        </Step>
      </ol>
      {run.isError && (
        <div className="px-4">
          <Problem error={run.error} />
        </div>
      )}
    </section>
  );
}

function ChecklistHead({
  done,
  onDismiss,
}: {
  readonly done: readonly boolean[];
  readonly onDismiss: () => void;
}) {
  return (
    <div className="flex items-center justify-between gap-3 border-line border-b px-4 py-2">
      <h2 id="checklist" className="text-form font-semibold">
        {t("checklist.title")}{" "}
        <span className="font-normal whitespace-nowrap text-soft tabular-nums">
          {t("checklist.progress", { done: done.filter(Boolean).length, all: done.length })}
        </span>
      </h2>
      <Button weight="quiet" isSmall onPress={onDismiss}>
        {t("checklist.dismiss")}
      </Button>
    </div>
  );
}

const fundCall = () =>
  curlCall("POST", "/sandbox/internal-accounts/{accountId}/fund", { amount: 100_000 });

const payCall = () =>
  curlCall("POST", "/transfer-out", {
    source: { accountId: "InternalAccount:\u2026" },
    destination: { accountId: "ExternalAccount:\u2026" },
    amount: 1250,
  });

const ledgerCall = (accountId = "InternalAccount:\u2026") =>
  curlCall("GET", `/ledger/accounts/${ledgerIdOf(accountId)}/entries`);

const ledgerIdOf = (accountId: string) => accountId.replace("InternalAccount", "LedgerAccount");

const listenCall = () =>
  curlCall("POST", "/webhook-endpoints", { url: "http://localhost:9000/", events: [] });

function Step({
  isDone,
  title,
  curl,
  children,
}: {
  readonly isDone: boolean;
  readonly title: string;
  readonly curl?: string;
  readonly children: ReactNode;
}) {
  return (
    <li className="border-line border-b px-4 py-2 last:border-b-0">
      <div className="flex min-h-8 flex-wrap items-center gap-3">
        {isDone ? (
          <Check size={16} className="text-good" aria-label={t("checklist.done")} />
        ) : (
          <Circle size={16} className="text-soft" aria-label={t("checklist.open")} />
        )}
        <span className={`min-w-0 flex-1 text-form ${isDone ? "text-soft" : ""}`}>{title}</span>
        {!isDone && children}
      </div>
      {!isDone && curl !== undefined && (
        <details className="ps-7">
          <summary className="min-h-6 cursor-pointer text-caption text-soft">
            {t("api.curl")}
          </summary>
          <div className="pt-2">
            <CodeBlock code={curl} what={t("api.curl")} />
          </div>
        </details>
      )}
    </li>
  );
}

/** The first steps in a sandbox. Each one does it here, and shows the call that does the same. */
import { Check, Circle } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useMay, usePlatform, useRead } from "../../api/platform.ts";
import { recall, remember } from "../../std/storage.ts";
import { t } from "../../text/messages.ts";
import { curlCall } from "../../ui/api-call.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Problem } from "../../ui/states.tsx";
import { fundAny, payTo } from "../sandbox/recipes.ts";
import { useRecipe } from "../sandbox/use-recipe.ts";
import { NewEndpoint } from "../webhooks/endpoint-acts.tsx";

export function Checklist() {
  const { id } = usePlatform();
  const name = `checklist.${id}`;
  const [isGone, setGone] = useState(recall(name) === "gone");
  const may = useMay("sandbox.use");
  if (isGone || !may) return null;
  const dismiss = () => {
    remember(name, "gone");
    setGone(true);
  };
  return <Steps onDismiss={dismiss} />;
}

/** What is there already, read from the first rows of three lists. */
function useProgress() {
  const accounts = useRead<"listCustomerInternalAccounts">({
    method: "GET",
    path: ["customers", "internal-accounts"],
    query: { limit: 20, type: "INTERNAL_FIAT" },
  });
  const payments = useRead<"listTransactions">({
    method: "GET",
    path: ["transactions"],
    query: { limit: 10 },
  });
  const mayReadDeliveries = useMay("deliveries.read");
  const delivered = useRead<"listWebhookDeliveries">(
    { method: "GET", path: ["webhook-deliveries"], query: { state: "DELIVERED", limit: 1 } },
    { isOff: !mayReadDeliveries },
  );
  if (accounts.data === undefined || payments.data === undefined) return undefined;
  return {
    isFunded: accounts.data.data.some(({ totalBalance }) => totalBalance.amount > 0),
    hasPaid: payments.data.data.some(({ type }) => type === "OUTGOING"),
    isDelivered: (delivered.data?.data.length ?? 0) > 0,
  };
}

function Steps({ onDismiss }: { readonly onDismiss: () => void }) {
  const progress = useProgress();
  const run = useRecipe();
  if (progress === undefined) return null;
  const { isFunded, hasPaid, isDelivered } = progress;
  if (isFunded && hasPaid && isDelivered) return null;
  return (
    <section aria-labelledby="checklist" className="rounded-panel border border-line">
      <div className="flex items-center justify-between gap-3 border-line border-b px-4 py-2">
        <h2 id="checklist" className="text-form font-semibold">
          {t("checklist.title")}
        </h2>
        <Button weight="quiet" isSmall onPress={onDismiss}>
          {t("checklist.dismiss")}
        </Button>
      </div>
      <ol>
        <Step isDone={isFunded} title={t("checklist.fund")} curl={fundCall()}>
          <Button
            isDisabled={run.isPending}
            onPress={() => run.mutate((send) => fundAny(send).then(() => "home"))}
          >
            {t("sandbox.fund")}
          </Button>
        </Step>
        <Step isDone={hasPaid} title={t("checklist.pay")} curl={payCall()}>
          <Button
            isDisabled={run.isPending}
            onPress={() => run.mutate((send) => payTo(send, "789").then((id) => `payments/${id}`))}
          >
            {t("payments.send")}
          </Button>
        </Step>
        <Step isDone={isDelivered} title={t("checklist.webhook")} curl={listenCall()}>
          <NewEndpoint weight="plain" />
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

const fundCall = () =>
  curlCall("POST", "/sandbox/internal-accounts/{accountId}/fund", { amount: 100_000 });

const payCall = () =>
  curlCall("POST", "/transfer-out", {
    source: { accountId: "InternalAccount:\u2026" },
    destination: { accountId: "ExternalAccount:\u2026" },
    amount: 1250,
  });

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
  readonly curl: string;
  readonly children: ReactNode;
}) {
  return (
    <li className="border-line border-b px-4 py-2 last:border-b-0">
      <div className="flex flex-wrap items-center gap-3">
        {isDone ? (
          <Check size={16} className="text-good" aria-label={t("checklist.done")} />
        ) : (
          <Circle size={16} className="text-soft" aria-label={t("checklist.open")} />
        )}
        <span className={`min-w-0 flex-1 text-form ${isDone ? "text-soft" : ""}`}>{title}</span>
        {!isDone && children}
      </div>
      {!isDone && (
        <details className="ps-7 pt-1">
          <summary className="cursor-pointer text-caption text-soft">{t("api.curl")}</summary>
          <div className="pt-2">
            <CodeBlock code={curl} what={t("api.curl")} />
          </div>
        </details>
      )}
    </li>
  );
}

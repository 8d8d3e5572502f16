/** The button that opens the dialog of a new payment, whose code is fetched then: the home page has the button, too. */
import type { Transaction } from "@florin/client";
import { lazy, type ReactNode, Suspense } from "react";
import type { FormValues } from "../../act/act-spec.ts";
import { useOpening } from "../../std/act-in-url.ts";
import { later, t } from "../../text/messages.ts";
import { minorText } from "../../text/money.ts";
import { Button } from "../../ui/button.tsx";

const Dialog = lazy(() =>
  later(() => import("./new/new-payment-dialog.tsx")).then((loaded) => ({
    default: loaded.NewPaymentDialog,
  })),
);

export function NewPayment() {
  return (
    <Opening act="new" weight="primary" initial={{}}>
      {t("payments.new")}
    </Opening>
  );
}

/** Opens the dialog with the parties and the amount of a payment, to make another one like it. */
export function SendAgain({ payment, children }: Repeated) {
  const initial = valuesOf(payment);
  if (initial?.to === undefined) return undefined;
  // With words of its own it stands beside the act in the head of the page.
  const act = children === undefined ? "again" : undefined;
  return (
    <Opening act={act} initial={initial}>
      {children ?? t("payments.sendAgain")}
    </Opening>
  );
}

/** The same to another account: the destination is left open. */
export function PayAnother({ payment, children }: Repeated) {
  const { to: _to, ...initial } = valuesOf(payment) ?? {};
  if (initial.from === undefined) return undefined;
  return <Opening initial={initial}>{children ?? t("payments.sendAgain")}</Opening>;
}

interface Repeated {
  readonly payment: Transaction;
  readonly children?: ReactNode;
}

/** Undefined for a payment from outside, or without an amount. */
function valuesOf(payment: Transaction): FormValues | undefined {
  const { source, destination, sentAmount, description } = payment;
  const from = source !== undefined && "accountId" in source ? source.accountId : undefined;
  const to = "accountId" in destination ? destination.accountId : undefined;
  if (from === undefined || sentAmount === undefined) return undefined;
  const amount = minorText(BigInt(sentAmount.amount), sentAmount.currency.decimals);
  return {
    from,
    amount,
    ...(to === undefined ? {} : { to }),
    ...(description === undefined ? {} : { description }),
  };
}

function Opening({
  act,
  weight = "plain",
  initial,
  children,
}: {
  readonly act?: string | undefined;
  readonly weight?: "primary" | "plain";
  readonly initial: FormValues;
  readonly children: ReactNode;
}) {
  const { isOpen, open, close } = useOpening(act);
  return (
    <>
      <Button weight={weight} opensDialog onPress={open}>
        {children}
      </Button>
      {isOpen && (
        <Suspense>
          <Dialog initial={initial} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

/** Makes a payment in three steps: the source, the destination with the amount, and a review with the price. */
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type FormField, FormProblem, type FormValues } from "../../../act/act-spec.ts";
import { FormFields } from "../../../act/form-fields.tsx";
import type { PaymentSide } from "../../../api/payment-operations.ts";
import { usePlatform } from "../../../api/platform.ts";
import { placeOf } from "../../../std/ids.ts";
import { t } from "../../../text/messages.ts";
import { readAmount } from "../../../text/money.ts";
import { Button } from "../../../ui/button.tsx";
import { classes } from "../../../ui/classes.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Skeleton } from "../../../ui/states.tsx";
import { type Draft, Review } from "./review.tsx";
import { SidePicker, useSides } from "./side-picker.tsx";
import { sideDecimals, sideId, wayOf } from "./sides.ts";

const STEPS = ["from", "to", "review"] as const;
type Step = (typeof STEPS)[number];

interface Sides {
  readonly from?: PaymentSide | undefined;
  readonly to?: PaymentSide | undefined;
}

interface Opened {
  readonly initial: FormValues;
  readonly onClose: () => void;
  readonly onBusy: (isBusy: boolean) => void;
}

export function NewPaymentDialog({
  initial = {},
  onClose,
}: {
  /** The values of the payment to repeat. */
  readonly initial?: FormValues;
  readonly onClose: () => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const opened = { initial, onClose, onBusy: setBusy };
  return (
    <Dialog title={t("payments.new")} isOpen onClose={onClose} isDismissable={!isBusy}>
      {initial.from === undefined ? (
        <Steps {...opened} sides={{}} />
      ) : (
        <Repeated {...opened} from={initial.from} />
      )}
    </Dialog>
  );
}

/** Finds the sides of the payment to repeat. One that is not there any more is chosen anew. */
function Repeated({ from, ...opened }: Opened & { readonly from: string }) {
  const { to } = opened.initial;
  const sources = useSides(undefined, from);
  const payees = useSides(from, to);
  if (sources === undefined || (to !== undefined && payees === undefined))
    return <Skeleton rows={4} />;
  const sides = {
    from: sources.data.find((side) => sideId(side) === from),
    to: payees?.data.find((side) => sideId(side) === to),
  };
  return <Steps {...opened} sides={sides} />;
}

function Steps({ sides: chosen, initial, onClose, onBusy }: Opened & { readonly sides: Sides }) {
  const [step, setStep] = useState<Step>(chosen.to === undefined ? "from" : "to");
  const [{ from, to }, setSides] = useState(chosen);
  const [values, setValues] = useState<FormValues>({ side: "SENDING", ...initial });
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const onDone = useDone(onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      if (step === "from") refuseMissing("from", from);
      else draftOf(values, { from, to });
      setErrors({});
      setStep(step === "from" ? "to" : "review");
    } catch (error) {
      if (!(error instanceof FormProblem)) throw error;
      setErrors(error.fields);
    }
  };
  if (step === "review" && from !== undefined && to !== undefined) {
    return (
      <>
        <Places step={step} />
        <Review
          draft={draftOf(values, { from, to })}
          onBack={(wrong) => {
            setErrors(wrong);
            setStep(wrong.from === undefined ? "to" : "from");
          }}
          onBusy={onBusy}
          onDone={onDone}
        />
      </>
    );
  }
  const clear = (name: string) => setErrors({ ...errors, [name]: "" });
  const isFirst = step === "from";
  const pick = (side: PaymentSide | undefined) => {
    // Another source may not be able to pay the payee.
    if (!isFirst) setSides({ from, to: side });
    else if (side === undefined || from === undefined || sideId(side) !== sideId(from))
      setSides({ from: side });
    clear(step);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Places step={step} />
      <SidePicker
        key={step}
        label={t(isFirst ? "column.from" : "column.to")}
        error={errors[step] === "" ? undefined : errors[step]}
        side={isFirst ? from : to}
        source={isFirst || from === undefined ? undefined : sideId(from)}
        onPick={pick}
      />
      {!isFirst && (
        <FormFields
          fields={amountFields({ from, to })}
          values={values}
          errors={errors}
          onChange={(name, value) => {
            setValues({ ...values, [name]: value });
            clear(name);
          }}
        />
      )}
      <Buttons isFirst={isFirst} onBack={isFirst ? onClose : () => setStep("from")} />
    </form>
  );
}

/** Closes the dialog and shows the payment, or the approval that the order needs. */
function useDone(onClose: () => void): (id: string) => void {
  const { slug } = usePlatform();
  const navigate = useNavigate();
  return (id) => {
    onClose();
    const place = placeOf(id);
    if (place !== undefined) void navigate({ to: `/p/${slug}/${place}` });
  };
}

function Buttons({ isFirst, onBack }: { readonly isFirst: boolean; readonly onBack: () => void }) {
  return (
    <div className="flex justify-end gap-2">
      <Button onPress={onBack}>{t(isFirst ? "dialog.cancel" : "detail.back")}</Button>
      <Button type="submit" weight="primary">
        {t(isFirst ? "payments.next" : "payments.review")}
      </Button>
    </div>
  );
}

function Places({ step }: { readonly step: Step }) {
  return (
    <ol aria-label={t("payments.steps")} className="flex gap-4 text-caption text-soft">
      {STEPS.map((one, index) => (
        <li
          key={one}
          aria-current={one === step ? "step" : undefined}
          className={classes(one === step && "font-semibold text-ink")}
        >
          {t("payments.step", { number: index + 1, name: t(`payments.step.${one}`) })}
        </li>
      ))}
    </ol>
  );
}

function amountFields({ from, to }: Sides): readonly FormField[] {
  const hasPrice = from !== undefined && to !== undefined && wayOf(from, to) === "QUOTE";
  const { currency: received } = to ?? {};
  const code = from?.currency ?? "";
  // What arrives at an address is told by its look-up, so the amount is what is sent.
  const hasSide = hasPrice && received !== undefined;
  return [
    ...(hasSide
      ? ([
          {
            name: "side",
            label: "payments.side",
            kind: "choice",
            choices: [
              { value: "SENDING", label: t("payments.side.SENDING", { code }) },
              { value: "RECEIVING", label: t("payments.side.RECEIVING", { code: received }) },
            ],
          },
        ] as const)
      : []),
    {
      name: "amount",
      label: "column.amount",
      kind: "amount",
      placeholder: "0.00",
      hint: from === undefined || hasSide ? undefined : t("payments.inCurrency", { code }),
    },
    { name: "description", label: "payments.description", kind: "text", isOptional: true },
  ];
}

function refuseMissing(name: "from" | "to", side: PaymentSide | undefined): PaymentSide {
  if (side === undefined) throw new FormProblem({ [name]: t("payments.choose") });
  return side;
}

function draftOf(values: FormValues, sides: Sides): Draft {
  const from = refuseMissing("from", sides.from);
  const to = refuseMissing("to", sides.to);
  const way = wayOf(from, to);
  const isReceiving = way === "QUOTE" && to.currency !== undefined && values.side === "RECEIVING";
  const minor = readAmount(values.amount ?? "", sideDecimals(isReceiving ? to : from));
  if (minor === undefined || minor === 0n || minor > BigInt(Number.MAX_SAFE_INTEGER))
    throw new FormProblem({ amount: t("form.noAmount") });
  const side = isReceiving ? "RECEIVING" : "SENDING";
  return { from, to, way, side, minor, description: values.description ?? "" };
}

/** Makes a payment in three steps: the source, the destination with the amount, and a review with the price. */
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type FormField, FormProblem, type FormValues } from "../../../act/act-spec.ts";
import { FormFields } from "../../../act/form-fields.tsx";
import { usePlatform } from "../../../api/platform.ts";
import { placeOf } from "../../../std/ids.ts";
import { t } from "../../../text/messages.ts";
import { readAmount } from "../../../text/money.ts";
import { Button } from "../../../ui/button.tsx";
import { classes } from "../../../ui/classes.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Skeleton } from "../../../ui/states.tsx";
import { destinationsOf, type Party, sourcesOf, useParties, wayOf } from "./parties.ts";
import { type Draft, Review } from "./review.tsx";

const STEPS = ["from", "to", "review"] as const;
type Step = (typeof STEPS)[number];

export function NewPaymentDialog({
  initial = {},
  onClose,
}: {
  /** The values of the payment to repeat. */
  readonly initial?: FormValues;
  readonly onClose: () => void;
}) {
  const { isReady, parties } = useParties();
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog title={t("payments.new")} isOpen onClose={onClose} isDismissable={!isBusy}>
      {isReady ? (
        <Steps parties={parties} initial={initial} onClose={onClose} onBusy={setBusy} />
      ) : (
        <Skeleton rows={4} />
      )}
    </Dialog>
  );
}

function Steps({
  parties,
  initial,
  onClose,
  onBusy,
}: {
  readonly parties: readonly Party[];
  readonly initial: FormValues;
  readonly onClose: () => void;
  readonly onBusy: (isBusy: boolean) => void;
}) {
  const [step, setStep] = useState<Step>(initial.to === undefined ? "from" : "to");
  const [values, setValues] = useState<FormValues>({ side: "SENDING", ...initial });
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const { slug } = usePlatform();
  const navigate = useNavigate();
  const from = parties.find(({ value }) => value === values.from);
  const to = parties.find(({ value }) => value === values.to);
  const fields = step === "from" ? fromFields(parties) : toFields(parties, from, to);
  const onDone = (id: string) => {
    onClose();
    const place = placeOf(id);
    if (place !== undefined) void navigate({ to: `/p/${slug}/${place}` });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      refuseMissing(fields, values);
      if (step === "to") draftOf(values, from, to);
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
          draft={draftOf(values, from, to)}
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
  const change = (name: string, value: string) => {
    setValues({ ...values, [name]: value });
    setErrors({ ...errors, [name]: "" });
  };
  const isFirst = step === "from";
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Places step={step} />
      <FormFields fields={fields} values={values} errors={errors} onChange={change} />
      <Buttons isFirst={isFirst} onBack={isFirst ? onClose : () => setStep("from")} />
    </form>
  );
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

function fromFields(parties: readonly Party[]): readonly FormField[] {
  return [{ name: "from", label: "column.from", kind: "choice", choices: sourcesOf(parties) }];
}

function toFields(
  parties: readonly Party[],
  from: Party | undefined,
  to: Party | undefined,
): readonly FormField[] {
  const hasPrice = from !== undefined && to !== undefined && wayOf(from, to) === "QUOTE";
  return [
    {
      name: "to",
      label: "column.to",
      kind: "choice",
      choices: from === undefined ? [] : destinationsOf(parties, from),
    },
    ...(hasPrice
      ? ([
          {
            name: "side",
            label: "payments.side",
            kind: "choice",
            choices: [
              { value: "SENDING", label: t("payments.side.SENDING", { code: from.code }) },
              { value: "RECEIVING", label: t("payments.side.RECEIVING", { code: to.code }) },
            ],
          },
        ] as const)
      : []),
    {
      name: "amount",
      label: "column.amount",
      kind: "amount",
      placeholder: "0.00",
      hint:
        from === undefined || hasPrice ? undefined : t("payments.inCurrency", { code: from.code }),
    },
    { name: "description", label: "payments.description", kind: "text", isOptional: true },
  ];
}

function refuseMissing(fields: readonly FormField[], values: FormValues): void {
  const missing = fields.filter(
    ({ name, isOptional }) => isOptional !== true && (values[name] ?? "").trim() === "",
  );
  if (missing.length === 0) return;
  throw new FormProblem(Object.fromEntries(missing.map(({ name }) => [name, t("form.missing")])));
}

function draftOf(values: FormValues, from: Party | undefined, to: Party | undefined): Draft {
  if (from === undefined) throw new FormProblem({ from: t("form.missing") });
  if (to === undefined) throw new FormProblem({ to: t("form.missing") });
  const way = wayOf(from, to);
  const side = way === "QUOTE" && values.side === "RECEIVING" ? "RECEIVING" : "SENDING";
  const minor = readAmount(values.amount ?? "", (side === "SENDING" ? from : to).decimals);
  if (minor === undefined || minor === 0n || minor > BigInt(Number.MAX_SAFE_INTEGER))
    throw new FormProblem({ amount: t("form.noAmount") });
  return { from, to, way, side, minor, description: values.description ?? "" };
}

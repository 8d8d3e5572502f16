/** The dialog of a new schedule: who pays whom how much, when, and what happens when the money is not there. */
import { useNavigate } from "@tanstack/react-router";
import { ActButton } from "../../../act/act-dialog.tsx";
import {
  type ActSpec,
  type FormField,
  FormProblem,
  type FormValues,
  type OwnControl,
} from "../../../act/act-spec.ts";
import type { PaymentSide } from "../../../api/payment-operations.ts";
import { useMay, usePlatform } from "../../../api/platform.ts";
import { t, wordOf } from "../../../text/messages.ts";
import { readAmount } from "../../../text/money.ts";
import { SidePicker } from "../new/side-picker.tsx";
import { sideDecimals, sideId, wayOf } from "../new/sides.ts";
import { readRule, repeatField, ruleFields } from "./rule-form.ts";
import { ruleNotes, ruleWords } from "./rule-words.ts";

export function NewSchedule() {
  const may = useMay("payments.create");
  const { slug } = usePlatform();
  const navigate = useNavigate();
  if (!may) return undefined;
  const spec: ActSpec<"createPaymentSchedule"> = {
    ...newSchedule,
    onDone: ({ id }) => {
      // An order that waits for people answers with its approval, which the dialog shows.
      if (id.startsWith("PaymentSchedule:")) void navigate({ to: `/p/${slug}/schedules/${id}` });
    },
  };
  return (
    <ActButton spec={spec} act="new" weight="primary">
      {t("schedules.new")}
    </ActButton>
  );
}

/** The value of the field of a side is the side itself, as JSON. */
function sideIn(text: string | undefined): PaymentSide | undefined {
  return text === undefined || text === "" ? undefined : (JSON.parse(text) as PaymentSide);
}

function sideField(name: "from" | "to", source?: PaymentSide): FormField {
  return {
    name: `side-${name}`,
    label: name === "from" ? "column.from" : "column.to",
    kind: "own",
    field: name === "from" ? "template.source.accountId" : "template.destination.accountId",
    control: (control) => <Side key={name} control={control} source={source && sideId(source)} />,
  };
}

function Side({
  control: { label, value, error, onChange },
  source,
}: {
  readonly control: OwnControl;
  readonly source: string | undefined;
}) {
  return (
    <SidePicker
      label={label}
      error={error}
      side={sideIn(value)}
      source={source}
      onPick={(side) => onChange(side === undefined ? "" : JSON.stringify(side))}
    />
  );
}

const RETRIES = {
  NONE: undefined,
  HOURLY: { times: 5, everyMinutes: 60 },
  DAILY: { times: 5, everyMinutes: 1_440 },
} as const;

const newSchedule: ActSpec<"createPaymentSchedule"> = {
  title: t("schedules.new"),
  verb: t("schedules.make"),
  fields: [
    { name: "name", label: "schedules.name", kind: "text", hint: t("schedules.nameHint") },
    sideField("from"),
  ],
  fieldsFor: (values) => {
    const from = sideIn(values["side-from"]);
    return [
      ...(from === undefined ? [] : [sideField("to", from)]),
      {
        name: "amount",
        label: "column.amount",
        kind: "amount",
        placeholder: "0.00",
        hint:
          from?.currency === undefined
            ? undefined
            : t("payments.inCurrency", { code: from.currency }),
        field: "template.amount",
      },
      { name: "description", label: "payments.description", kind: "text", isOptional: true },
      repeatField(),
      ...ruleFields({ every: "MONTH", ...values }),
      {
        name: "retry",
        label: "schedules.retry",
        kind: "choice",
        initial: "HOURLY",
        choices: Object.keys(RETRIES).map((value) => ({
          value,
          label: wordOf("schedules.retry", value),
        })),
      },
    ];
  },
  preview: (values) => <Preview values={values} />,
  toCall: (values) => {
    const { from, to } = sidesIn(values);
    const { name = "", description = "", retry = "NONE" } = values;
    const minor = readAmount(values.amount ?? "", sideDecimals(from));
    if (minor === undefined || minor === 0n || minor > BigInt(Number.MAX_SAFE_INTEGER))
      throw new FormProblem({ amount: t("form.noAmount") });
    const tries = RETRIES[retry as keyof typeof RETRIES];
    return {
      method: "POST",
      path: ["payment-schedules"],
      body: {
        name: name.trim(),
        template: {
          kind: wayOf(from, to) === "BOOK" ? "BOOK" : "TRANSFER_OUT",
          source: { accountId: from.accountId ?? "" },
          destination: { accountId: to.accountId ?? "" },
          amount: Number(minor),
          ...(description === "" ? {} : { description }),
        },
        rule: readRule(values),
        ...(tries === undefined ? {} : { retry: tries }),
      },
    };
  },
};

/** A schedule pays within one currency and from an account of the platform. */
function sidesIn(values: FormValues) {
  const [from, to] = [sideIn(values["side-from"]), sideIn(values["side-to"])];
  if (from === undefined) throw new FormProblem({ "side-from": t("payments.choose") });
  if (!from.isInternal) throw new FormProblem({ "side-from": t("schedules.noPull") });
  if (to === undefined) throw new FormProblem({ "side-to": t("payments.choose") });
  if (wayOf(from, to) === "QUOTE") throw new FormProblem({ "side-to": t("schedules.noQuote") });
  return { from, to };
}

/** The rule in words, as soon as it is complete. */
function Preview({ values }: { readonly values: FormValues }) {
  const rule = ruleOf(values);
  if (rule === undefined) return null;
  return (
    <div className="rounded-control bg-panel p-3 text-form">
      <p className="font-medium">{ruleWords(rule)}</p>
      {ruleNotes(rule).map((note) => (
        <p key={note} className="text-soft">
          {note}
        </p>
      ))}
    </div>
  );
}

function ruleOf(values: FormValues) {
  try {
    return readRule({ every: "MONTH", ...values });
  } catch (error) {
    if (error instanceof FormProblem) return undefined;
    throw error;
  }
}

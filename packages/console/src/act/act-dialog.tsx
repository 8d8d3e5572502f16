/**
 * The dialog of an act. It creates the idempotency key when it opens, so a double click or a retry after a lost answer acts once. It
 * reports success only after the server's answer, and shows each error at its field.
 */
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { type Failure, toFailure } from "../api/failures.ts";
import type { AnswerOf, Call, OperationId } from "../api/operations.ts";
import { useAct, usePlatform } from "../api/platform.ts";
import { useOpening } from "../std/act-in-url.ts";
import { newKey } from "../std/host.ts";
import { later, t } from "../text/messages.ts";
import { Button } from "../ui/button.tsx";
import { CopiedContext } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextInput } from "../ui/fields.tsx";
import { SignInAgain } from "../ui/states.tsx";
import { type ActSpec, type FormField, FormProblem, type FormValues } from "./act-spec.ts";
import { ApprovalNote, waitingApproval } from "./approval-note.tsx";
import type { TriedId } from "./effects.tsx";
import { FormFields } from "./form-fields.tsx";

/** Most dialogs have no effects to show. */
const Effects = lazy(() =>
  later(() => import("./effects.tsx")).then((loaded) => ({ default: loaded.Effects })),
);

/** A button that opens the dialog of an act. */
export function ActButton<Id extends OperationId>({
  spec,
  act,
  weight = "plain",
  children,
}: {
  readonly spec: ActSpec<Id>;
  /** The value of the parameter `act` of the URL that opens the dialog. */
  readonly act?: string;
  readonly weight?: "primary" | "plain" | "quiet" | "danger";
  readonly children: ReactNode;
}) {
  const { isOpen, open, close } = useOpening(act);
  return (
    <>
      <Button weight={weight} opensDialog onPress={open}>
        {children}
      </Button>
      <ActDialog spec={spec} isOpen={isOpen} onClose={close} />
    </>
  );
}

export function ActDialog<Id extends OperationId>({
  spec,
  isOpen,
  onClose,
}: {
  readonly spec: ActSpec<Id>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const [secret, setSecret] = useState<"none" | "shown" | "asked">("none");
  const close = () => {
    if (secret === "shown") {
      setSecret("asked");
      return;
    }
    setSecret("none");
    onClose();
  };
  return (
    <Dialog title={spec.title} isOpen={isOpen} onClose={close} isDismissable={!isBusy}>
      <CopiedContext value={() => setSecret("none")}>
        {/* Copying a selection with the keyboard counts as copied, too. */}
        <div className="flex flex-col gap-4" onCopy={() => setSecret("none")}>
          <ActForm
            spec={spec}
            onClose={close}
            onBusy={setBusy}
            onShown={() => setSecret(spec.isSecret === true ? "shown" : "none")}
          />
          {secret === "asked" && (
            <p role="alert" className="tint-wait rounded-control p-3 text-form">
              {t("dialog.notCopied")}
            </p>
          )}
        </div>
      </CopiedContext>
    </Dialog>
  );
}

function initialValues(fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.map(({ name, initial }) => [name, initial ?? ""]));
}

function ActForm<Id extends OperationId>({
  spec,
  onClose,
  onBusy,
  onShown,
}: {
  readonly spec: ActSpec<Id>;
  readonly onClose: () => void;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onShown: () => void;
}) {
  const form = useActForm(spec, { onClose, onBusy, onShown });
  const { environment } = usePlatform();
  const asksName = spec.typedName !== undefined && environment === "PRODUCTION";
  const [typed, setTyped] = useState("");
  const place = useFocusOnError(form.errors);
  const shown = form.answer === undefined ? undefined : shownAfter(spec, form.answer);
  if (shown !== undefined) {
    return (
      <>
        {shown}
        <div className="flex justify-end">
          <Button weight="primary" onPress={onClose}>
            {t("dialog.done")}
          </Button>
        </div>
      </>
    );
  }
  return (
    <form ref={place} onSubmit={form.submit} className="flex flex-col gap-4" noValidate>
      {spec.intro !== undefined && <div className="text-form text-soft">{spec.intro}</div>}
      {form.summary !== undefined && (
        <div role="alert" className="tint-bad rounded-control p-3 text-form">
          {form.summary.message}
          {form.summary.requestId !== undefined && (
            <span className="mt-1 block font-mono text-caption">{form.summary.requestId}</span>
          )}
          {form.summary.asksForSignIn && <SignInAgain />}
        </div>
      )}
      <FormFields
        fields={form.fields}
        values={form.values}
        errors={form.errors}
        onChange={form.set}
      />
      {previewOf(spec, form)}
      {asksName && (
        <TextInput
          label={t("dialog.typeName", { name: spec.typedName ?? "" })}
          value={typed}
          onChange={setTyped}
        />
      )}
      <div className="flex justify-end gap-2">
        <Button onPress={onClose} isDisabled={form.isBusy}>
          {t("dialog.cancel")}
        </Button>
        <Button
          type="submit"
          weight={spec.isDanger === true ? "danger" : "primary"}
          isDisabled={form.isBusy || (asksName && typed !== spec.typedName)}
        >
          {form.isBusy ? t("dialog.busy") : (spec.verbFor?.(form.values) ?? spec.verb)}
        </Button>
      </div>
    </form>
  );
}

function previewOf<Id extends OperationId>(
  spec: ActSpec<Id>,
  form: Pick<ReturnType<typeof useActForm>, "fields" | "values" | "isBusy">,
) {
  return (
    <>
      {spec.preview?.(form.values)}
      {spec.isTriedOut === true && (
        <Suspense>
          <Effects call={triedCall(spec, form)} isOff={form.isBusy} />
        </Suspense>
      )}
    </>
  );
}

/** The call of a complete form. */
function triedCall<Id extends OperationId>(
  spec: ActSpec<Id>,
  { fields, values }: { readonly fields: readonly FormField[]; readonly values: FormValues },
): Call<TriedId> | undefined {
  if (Object.keys(missingFields(fields, values)).length > 0) return undefined;
  try {
    return spec.toCall(values) as Call<TriedId>;
  } catch (error) {
    if (error instanceof FormProblem) return undefined;
    throw error;
  }
}

/** Replaces the form: says that the act waits for approval, or shows the act's own result. */
function shownAfter<Id extends OperationId>(spec: ActSpec<Id>, answer: AnswerOf<Id>): ReactNode {
  const approval = waitingApproval(answer);
  if (approval === undefined) return spec.after?.(answer);
  const { issued } = approval;
  return (
    <>
      <ApprovalNote approval={approval} />
      {issued !== undefined && spec.after?.(issued as AnswerOf<Id>)}
    </>
  );
}

/** Moves the focus to the first invalid field. */
function useFocusOnError(errors: Readonly<Record<string, string>>) {
  const place = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    const wrong = "[data-invalid] :is(input, textarea, button)";
    place.current?.querySelector<HTMLElement>(wrong)?.focus();
  }, [errors]);
  return place;
}

function useActForm<Id extends OperationId>(
  spec: ActSpec<Id>,
  {
    onClose,
    onBusy,
    onShown,
  }: { onClose: () => void; onBusy: (isBusy: boolean) => void; onShown: () => void },
) {
  const [given, setGiven] = useState(() => initialValues(spec.fields));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [summary, setSummary] =
    useState<Pick<Failure, "message" | "requestId" | "asksForSignIn">>();
  const key = useRef("");
  if (key.current === "") key.current = newKey();
  const act = useAct<Id>();
  const fields = [...spec.fields, ...(spec.fieldsFor?.(given) ?? [])];
  // A field that appears after a choice starts with its own initial value.
  const values = { ...initialValues(fields), ...given };

  function fail(error: unknown): void {
    if (error instanceof FormProblem) {
      setErrors(error.fields);
      return;
    }
    const failure = toFailure(error);
    const placed = placeErrors(fields, failure.fields);
    setErrors(placed);
    setSummary(Object.keys(placed).length > 0 ? undefined : failure);
    // The server replays the refusal for this key, so a corrected form needs a new key.
    if (failure.isOutcomeKnown) key.current = newKey();
  }

  async function run(): Promise<void> {
    onBusy(true);
    try {
      const missing = missingFields(fields, values);
      if (Object.keys(missing).length > 0) throw new FormProblem(missing);
      const answer = await act.mutateAsync({ call: spec.toCall(values), key: key.current });
      if (waitingApproval(answer) === undefined) spec.onDone?.(answer);
      if (shownAfter(spec, answer) === undefined) onClose();
      else onShown();
    } catch (error) {
      fail(error);
    } finally {
      onBusy(false);
    }
  }

  return {
    values,
    errors,
    summary,
    fields,
    isBusy: act.isPending,
    answer: act.isSuccess ? (act.data as AnswerOf<Id>) : undefined,
    set(name: string, value: string) {
      setGiven({ ...given, [name]: value });
      if (errors[name] !== undefined) setErrors({ ...errors, [name]: "" });
    },
    submit(event: FormEvent) {
      event.preventDefault();
      setErrors({});
      setSummary(undefined);
      void run();
    },
  };
}

function missingFields(fields: readonly FormField[], values: FormValues) {
  const missing = fields.filter(
    ({ name, isOptional }) => isOptional !== true && (values[name] ?? "").trim() === "",
  );
  return Object.fromEntries(missing.map(({ name }) => [name, t("form.missing")]));
}

/** The errors by field of the form. Returns none when one of them names a field that the form does not have. */
function placeErrors(
  fields: readonly FormField[],
  named: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const places = new Map(fields.map(({ name, field }) => [field ?? name, name]));
  const entries = Object.entries(named);
  if (entries.some(([name]) => !places.has(name))) return {};
  return Object.fromEntries(entries.map(([name, message]) => [places.get(name) ?? name, message]));
}

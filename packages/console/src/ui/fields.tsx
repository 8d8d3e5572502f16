/** Form fields: a label, the control, a hint and an error. */
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import {
  Button,
  Checkbox,
  CheckboxGroup,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  Text,
  TextArea,
  TextField,
} from "react-aria-components";
import { visibleText } from "../std/outside-text.ts";
import { t } from "../text/messages.ts";
import { OutsideWord } from "./values.tsx";

const controlLook =
  "w-full rounded-control border border-strong bg-ground px-2.5 text-form text-ink placeholder:text-soft data-[invalid]:border-bad data-[disabled]:opacity-60";

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly isRequired?: boolean;
}

export function TextInput({
  label,
  isLabelHidden = false,
  hint,
  error,
  isRequired,
  isLong = false,
  ...rest
}: FieldProps & {
  /** The label is for screen readers alone, because the same one stands above. */
  readonly isLabelHidden?: boolean;
  readonly name?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isLong?: boolean;
  readonly type?: "text" | "email" | "url" | "date" | "datetime-local";
  readonly placeholder?: string | undefined;
  readonly inputMode?: "decimal" | "text";
  readonly autoComplete?: string;
  readonly autoFocus?: boolean;
}) {
  const { placeholder, ...field } = rest;
  return (
    <TextField
      {...field}
      isRequired={isRequired}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className="flex flex-col gap-1"
    >
      <FieldLabel label={label} isHidden={isLabelHidden} isRequired={isRequired} />
      {isLong ? (
        <TextArea rows={3} placeholder={placeholder} className={`${controlLook} py-1.5`} />
      ) : (
        <Input placeholder={placeholder} className={`${controlLook} h-9 pointer-coarse:h-11`} />
      )}
      <Under hint={hint} error={error} />
    </TextField>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function ChoiceInput({
  label,
  hint,
  error,
  choices,
  value,
  onChange,
  isRequired,
  placeholder,
}: FieldProps & {
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder: string;
}) {
  return (
    <Select
      selectedKey={value === "" ? null : value}
      onSelectionChange={(key) => onChange(key === null ? "" : String(key))}
      isInvalid={error !== undefined}
      isRequired={isRequired}
      validationBehavior="aria"
      placeholder={placeholder}
      className="group flex flex-col gap-1"
    >
      <FieldLabel label={label} isRequired={isRequired} />
      <Button
        className={`${controlLook} flex h-9 items-center justify-between group-data-[invalid]:border-bad pointer-coarse:h-11`}
      >
        <SelectValue className="truncate data-[placeholder]:text-soft" />
        <ChevronDown size={14} aria-hidden className="shrink-0 text-soft" />
      </Button>
      <Under hint={hint} error={error} />
      <Popover className="max-h-72 w-(--trigger-width) overflow-auto rounded-panel border border-line bg-raised p-1 shadow-raised">
        <ListBox className="outline-none">
          {choices.map((choice) => (
            <ListBoxItem
              key={choice.value}
              id={choice.value}
              textValue={visibleText(choice.label)}
              className="cursor-default rounded-control px-2 py-1.5 text-form data-[focused]:bg-panel data-[selected]:font-medium data-[selected]:text-accent"
            >
              <OutsideWord text={choice.label} />
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}

export function CheckInputs({
  label,
  hint,
  error,
  choices,
  value,
  onChange,
}: FieldProps & {
  readonly choices: readonly (Choice & { readonly hint?: string })[];
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
}) {
  return (
    <CheckboxGroup
      value={[...value]}
      onChange={onChange}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className="flex flex-col gap-1"
    >
      <FieldLabel label={label} />
      {choices.map((choice) => (
        <Checkbox
          key={choice.value}
          value={choice.value}
          className="group flex min-h-7 items-start gap-2 py-1 text-form"
        >
          <span
            aria-hidden
            className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded border border-strong text-caption leading-none group-data-[selected]:border-accent group-data-[selected]:bg-accent group-data-[selected]:text-on-accent group-data-[focus-visible]:outline-2 group-data-[focus-visible]:outline-accent"
          >
            <span className="hidden group-data-[selected]:inline">{"\u2713"}</span>
          </span>
          <span>
            <OutsideWord text={choice.label} />
            {choice.hint !== undefined && (
              <span className="block text-caption text-soft">{choice.hint}</span>
            )}
          </span>
        </Checkbox>
      ))}
      <Under hint={hint} error={error} />
    </CheckboxGroup>
  );
}

function FieldLabel({
  label,
  isHidden = false,
  isRequired = true,
}: {
  readonly label: string;
  readonly isHidden?: boolean;
  readonly isRequired?: boolean | undefined;
}): ReactNode {
  return (
    <Label className={isHidden ? "sr-only" : "text-body font-medium"}>
      {label}
      {!isRequired && <OptionalMark />}
    </Label>
  );
}

function Under({ hint, error }: Pick<FieldProps, "hint" | "error">) {
  return (
    <>
      {hint !== undefined && error === undefined && (
        <Text slot="description" className="text-caption text-soft">
          {hint}
        </Text>
      )}
      <FieldError className="text-caption text-bad">{error}</FieldError>
    </>
  );
}

function OptionalMark() {
  return <span className="ms-1 font-normal text-soft">{t("form.optional")}</span>;
}

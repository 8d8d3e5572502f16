import { t } from "../text/messages.ts";
import { CheckInputs, ChoiceInput, TextInput } from "../ui/fields.tsx";
import type { FormField, FormValues } from "./act-spec.ts";

export function FormFields({
  fields,
  values,
  errors,
  onChange,
}: {
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
}) {
  return fields.map((field) => (
    <OneField
      key={field.name}
      field={field}
      value={values[field.name] ?? ""}
      error={errors[field.name] === "" ? undefined : errors[field.name]}
      onChange={(value) => onChange(field.name, value)}
    />
  ));
}

function OneField({
  field,
  value,
  error,
  onChange,
}: {
  readonly field: FormField;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const shared = {
    label: field.labelText ?? t(field.label),
    hint: field.hint,
    error,
    isRequired: field.isOptional !== true,
  };
  if (field.kind === "own") return field.control({ label: shared.label, value, error, onChange });
  if (field.kind === "choice") {
    const { choices } = field;
    return (
      <ChoiceInput
        {...shared}
        choices={choices}
        value={value}
        onChange={onChange}
        placeholder={t("form.choose")}
      />
    );
  }
  if (field.kind === "checks") {
    return (
      <CheckInputs
        {...shared}
        choices={field.choices}
        value={value === "" ? [] : value.split(",")}
        onChange={(chosen) => onChange(chosen.join(","))}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      name={field.name}
      value={value}
      onChange={onChange}
      placeholder={field.placeholder}
      isLong={field.kind === "long"}
      type={field.kind === "email" || field.kind === "url" ? field.kind : "text"}
      inputMode={field.kind === "amount" ? "decimal" : "text"}
      autoComplete={field.kind === "email" ? "email" : "off"}
    />
  );
}

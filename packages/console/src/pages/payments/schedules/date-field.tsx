import type { FormField } from "../../../act/act-spec.ts";
import type { MessageKey } from "../../../text/messages.ts";
import { TextInput } from "../../../ui/fields.tsx";

/** A field for a day, by the browser's own control. Its value is `2026-12-31`. */
export function dateField({
  hint,
  isOptional = false,
  ...field
}: {
  readonly name: string;
  readonly label: MessageKey;
  readonly field: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
}): FormField {
  return {
    ...field,
    isOptional,
    kind: "own",
    control: (control) => (
      <TextInput {...control} hint={hint} isRequired={!isOptional} type="date" name={field.name} />
    ),
  };
}

/** An act of a person: the fields it asks for, and the call it becomes. */
import type { ReactNode } from "react";
import type { AnswerOf, Call, OperationId } from "../api/operations.ts";
import type { MessageKey } from "../text/messages.ts";
import type { Choice } from "../ui/fields.tsx";

export type FormValues = Readonly<Record<string, string>>;

export type FormField = {
  readonly name: string;
  readonly label: MessageKey;
  /** In place of the label: a name of the API. */
  readonly labelText?: string;
  readonly hint?: string | undefined;
  readonly initial?: string | undefined;
  readonly isOptional?: boolean;
  /** As the refusals of the operation name it, when that is another name. */
  readonly field?: string;
} & (
  | {
      readonly kind: "text" | "long" | "email" | "url" | "amount";
      readonly placeholder?: string | undefined;
    }
  | { readonly kind: "choice"; readonly choices: readonly Choice[] }
  /** A control of its own; its value is a text like the others. */
  | { readonly kind: "own"; readonly control: (control: OwnControl) => ReactNode }
  /** The values that were chosen, separated by commas. */
  | { readonly kind: "checks"; readonly choices: readonly (Choice & { readonly hint?: string })[] }
);

export interface OwnControl {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** What is wrong with the form before anything is sent, by the name of the field. */
export class FormProblem extends Error {
  readonly fields: Readonly<Record<string, string>>;
  constructor(fields: Readonly<Record<string, string>>) {
    super("the form is not complete");
    this.fields = fields;
  }
}

export interface ActSpec<Id extends OperationId> {
  readonly title: string;
  /** On the button that does it. */
  readonly verb: string;
  readonly intro?: ReactNode;
  readonly fields: readonly FormField[];
  /** Fields may depend on what was chosen. */
  readonly fieldsFor?: (values: FormValues) => readonly FormField[];
  /** What would come of the values, above the buttons. */
  readonly preview?: (values: FormValues) => ReactNode;
  /** The call, or a `FormProblem` that is thrown. A promise when a passkey is shown first. */
  readonly toCall: (values: FormValues) => Call<Id> | Promise<Call<Id>>;
  readonly isDanger?: boolean;
  /** In production the name of the object is typed before it is done. */
  readonly typedName?: string | undefined;
  /**
   * Shown in place of the form when it was done: what cannot be seen again, or what to do next. The dialog closes when that is
   * undefined.
   */
  readonly after?: (answer: AnswerOf<Id>) => ReactNode;
  /** `after` shows a secret that cannot be seen again: the dialog asks before it closes, unless it was copied. */
  readonly isSecret?: boolean;
  readonly onDone?: (answer: AnswerOf<Id>) => void;
}

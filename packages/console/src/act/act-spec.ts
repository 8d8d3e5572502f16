/** An act of a person: its form fields, and the API call that they turn into. */
import type { ReactNode } from "react";
import type { AnswerOf, Call, OperationId } from "../api/operations.ts";
import type { MessageKey } from "../text/messages.ts";
import type { Choice } from "../ui/fields.tsx";

export type FormValues = Readonly<Record<string, string>>;

export type FormField = {
  readonly name: string;
  readonly label: MessageKey;
  /** Replaces `label` where the label is a name from the API. */
  readonly labelText?: string;
  readonly hint?: string | undefined;
  readonly initial?: string | undefined;
  readonly isOptional?: boolean;
  /** The field's name in the refusals of the operation, when it differs from `name`. */
  readonly field?: string;
} & (
  | {
      readonly kind: "text" | "long" | "email" | "url" | "amount";
      readonly placeholder?: string | undefined;
    }
  | { readonly kind: "choice"; readonly choices: readonly Choice[] }
  /** A custom control. Its value is a text, like that of every other field. */
  | { readonly kind: "own"; readonly control: (control: OwnControl) => ReactNode }
  /** The value is the chosen values, separated by commas. */
  | { readonly kind: "checks"; readonly choices: readonly (Choice & { readonly hint?: string })[] }
);

export interface OwnControl {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Validation errors that are found before anything is sent, by the name of the field. */
export class FormProblem extends Error {
  readonly fields: Readonly<Record<string, string>>;
  constructor(fields: Readonly<Record<string, string>>) {
    super("the form is not complete");
    this.fields = fields;
  }
}

export interface ActSpec<Id extends OperationId> {
  readonly title: string;
  /** The label of the submit button. */
  readonly verb: string;
  /** Replaces `verb` by the values chosen so far. */
  readonly verbFor?: (values: FormValues) => string;
  readonly intro?: ReactNode;
  readonly fields: readonly FormField[];
  /** Further fields, which depend on the values chosen so far. */
  readonly fieldsFor?: (values: FormValues) => readonly FormField[];
  /** A preview of the effect of the values, shown above the buttons. */
  readonly preview?: (values: FormValues) => ReactNode;
  /** The call takes a dry run, whose effects are shown above the buttons once the form is complete. */
  readonly isTriedOut?: boolean;
  /** Returns the call or throws a `FormProblem`. Returns a promise when a passkey is asked for first. */
  readonly toCall: (values: FormValues) => Call<Id> | Promise<Call<Id>>;
  readonly isDanger?: boolean;
  /** In production the person must type this name before the act is done. */
  readonly typedName?: string | undefined;
  /**
   * Replaces the form after success, to show a secret or the next step. When it returns undefined, the dialog closes.
   */
  readonly after?: (answer: AnswerOf<Id>) => ReactNode;
  /** `after` shows a secret once, so the dialog asks for confirmation before it closes, unless the secret was copied. */
  readonly isSecret?: boolean;
  readonly onDone?: (answer: AnswerOf<Id>) => void;
}

/**
 * The parameter `dryRun` of operations that move money. The route marks the caller, and every command of a marked caller is decided and
 * undone (`submitForCaller`), so no handler has a part in it.
 */
import Type, { type TSchema } from "typebox";
import type { FieldError } from "../../engine/refusal.ts";
import { type Faults, plainFaults } from "../../validation/validation.ts";
import type { AnswerNote, Caller, Operation } from "../request/operation.ts";

const dryRunParameter = {
  dryRun: Type.Optional(
    Type.Boolean({
      description:
        "With `true` the call is decided and undone: the answer shows what it would do, or is the refusal that it would get. Nothing is stored, and " +
        "no `Idempotency-Key` may be sent with it.",
    }),
  ),
};

interface Facts {
  readonly query?: TSchema;
  readonly answers: Readonly<Record<number, AnswerNote>>;
}

/** The query and the answers of an operation with a dry run. Where the call itself answers 200, the 200 has either of the two. */
export function dryRunFacts(dryRun: AnswerNote, { query, answers }: Facts) {
  const { properties = {} } = (query ?? {}) as { readonly properties?: Type.TProperties };
  return {
    query: Type.Object({ ...properties, ...dryRunParameter }),
    answers: { ...answers, 200: eitherOf(answers[200], dryRun) },
  };
}

function eitherOf(own: AnswerNote | undefined, dryRun: AnswerNote): AnswerNote {
  if (own?.schema === undefined || dryRun.schema === undefined) return dryRun;
  return {
    ...own,
    description: `${own.description} With \`dryRun=true\`: ${dryRun.description}`,
    schema: Type.Union([own.schema, dryRun.schema]),
  };
}

export function isDryRun<C>({ dryRun }: Operation<C>, query: unknown): boolean {
  return dryRun !== undefined && (query as { readonly dryRun?: unknown }).dryRun === true;
}

/** The caller of a dry run, which has no audit entry. */
export function tryingOut(caller: Caller | undefined): Caller | undefined {
  return caller === undefined ? undefined : { ...caller, isDryRun: true };
}

/** The fault of a key that is sent with a dry run: an answer under it would be taken for that of the call. */
export function dryRunFaults(isDry: boolean, key: unknown): Faults | undefined {
  return isDry && key !== undefined ? plainFaults([KEY_FAULT]) : undefined;
}

const KEY_FAULT: FieldError = {
  field: "Idempotency-Key",
  message: "must not be sent with dryRun=true, because a dry run stores nothing",
};

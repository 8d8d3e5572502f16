/**
 * Submits a command whose input has to be looked up first. What the look-up refuses does not go ahead of an answer that
 * the idempotency key got before: the refusal goes through the engine in the command's place, so a stored answer is given
 * again, and otherwise the refusal is the answer, stored as one of the command would be.
 */
import type { Answered, Command } from "../../engine/command.ts";
import type { Engine } from "../../engine/engine.ts";
import { Refusal } from "../../engine/refusal.ts";
import { Bug } from "../../std/assert.ts";
import type { Caller } from "./operation.ts";
import { type CallerSubmission, submitForCaller } from "./submit-for-caller.ts";

export interface FoundSubmission<Input, Output>
  extends Omit<CallerSubmission<Input, Output>, "input"> {
  readonly find: () => Promise<Input>;
  /** Says no with what the look-up refused, after whatever goes ahead of that; nothing does, when absent. */
  readonly refuse?: Command<Refusal, never>;
}

export async function submitFound<Input, Output>(
  engine: Engine,
  caller: Caller,
  { find, refuse, ...submission }: FoundSubmission<Input, Output>,
): Promise<Answered> {
  const found = await attempt(find);
  if (found.kind === "found") {
    return submitForCaller(engine, caller, { ...submission, input: found.input });
  }
  return submitForCaller(engine, caller, {
    ...submission,
    command: refuse ?? refusing(submission.command.name),
    input: found.refusal,
    toAnswer: neverAnswered,
  });
}

type Found<Input> =
  | { readonly kind: "found"; readonly input: Input }
  | { readonly kind: "refused"; readonly refusal: Refusal };

async function attempt<Input>(find: () => Promise<Input>): Promise<Found<Input>> {
  try {
    return { kind: "found", input: await find() };
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    return { kind: "refused", refusal: thrown };
  }
}

/** A command that says no with what was found before it. */
function refusing(name: string): Command<Refusal, never> {
  return {
    name,
    needs: () => [],
    decide: (_world, refusal) => {
      throw refusal;
    },
  };
}

function neverAnswered(): never {
  throw new Bug("a refusal has no other answer");
}
